import CLuaBridge

/// A Lua state in its sandbox, with budgets: one for each visitor.
///
/// Lua never calls Swift. A script's coroutine *asks*, its turn ends with the request, and ``resume(_:_:)``
/// gives it the answer. Whatever crosses is a JSON array. No Lua error passes a frame of Swift.
///
/// A state is confined to the thread of its owner. Once it has spent a budget it is dead: each later turn
/// fails with the same error.
package final class LuaState {
  private let lua: OpaquePointer
  private var serialized: [String: [UInt8]] = [:]

  /// Builds the state and its sandbox.
  ///
  /// - Parameter seed: What `math.random`, `host.random` and `host.uuid` draw from.
  /// - Throws: ``LuaError`` with `.budget` when the sandbox itself does not fit.
  package init(budget: LuaBudget, seed: UInt64) throws(LuaError) {
    let limits = visitant_lua_limits(
      memory: Int64(budget.memory), instructions: Int64(budget.instructions),
      pattern_steps: Int64(budget.patternSteps))
    var failure = visitant_lua_failure()
    guard let lua = visitant_lua_open(limits, seed, &failure) else {
      throw LuaError(failure) ?? LuaError(code: .runtime, message: "no Lua state could be made")
    }
    self.lua = lua
  }

  deinit {
    visitant_lua_close(lua)
  }

  /// What `host.now()` and `os.time()` tell, in seconds since the epoch; set it before each turn.
  package var now: Double {
    get { visitant_lua_now(lua) }
    set { visitant_lua_set_now(lua, newValue) }
  }

  /// Bytes of the state and of the bridge's buffers for it.
  package var memoryInUse: Int { Int(visitant_lua_memory(lua)) }

  /// Lets the state hold more than its budget said; a lower limit is ignored.
  package func raiseMemory(to bytes: Int) {
    visitant_lua_raise_memory(lua, Int64(bytes))
  }

  /// Collects all garbage, for a state that will rest for long.
  package func collectGarbage() {
    visitant_lua_collect(lua)
  }
}

// MARK: - Loading

extension LuaState {
  /// Runs a chunk of the host's own, which sees `host` beside the sandbox.
  ///
  /// The functions and values of the table that it returns are added to the *prelude table*, which later
  /// preludes see as `host.prelude`.
  ///
  /// Of `host`, these talk with Swift: `ask(...)` waits for the host's answer, `note(...)` tells and goes on,
  /// `print(...)` notes `"log"` and a text, `now()` tells ``now``. `keep(f)` gives the id of a
  /// ``LuaReference``, `kept(id)` the function, `release(id)` lets it go. `position()` gives `"source:line"`,
  /// the source and the line of the nearest frame of a script, `error(message)` raises from there,
  /// `origin(f)` gives source and line of a script's function, `load(text, name)` compiles over the scripts'
  /// globals. `globals` are those, `sandbox` is what they inherit, `prelude` the prelude table. `freeze(t,
  /// name)` makes a table read-only in place, `array(t)` a list even when it is empty. The rest are values:
  /// `json_encode`, `json_decode`, `sha256`, `hmac_sha256`, `base64_encode`, `base64_decode`, `uuid`,
  /// `random`.
  ///
  /// - Parameters:
  ///   - name: Stands in brackets in messages; its frames are left out of positions and tracebacks.
  ///   - arguments: A JSON array, the chunk's `...`.
  package func loadPrelude(
    _ source: [UInt8], name: String, arguments: [UInt8] = Array("[]".utf8)
  ) throws(LuaError) {
    let failure = source.lend { source in
      name.lend { name in
        arguments.lend { visitant_lua_load_prelude(lua, source, name, $0) }
      }
    }
    if let error = LuaError(failure) { throw error }
  }

  /// Compiles a script, as text only, over the scripts' own global table.
  ///
  /// - Parameter name: What errors call it, such as `bots/first_visit.lua`.
  package func load(_ source: [UInt8], name: String) throws(LuaError) -> LuaReference {
    var id: Int32 = 0
    let failure = source.lend { source in
      name.lend { visitant_lua_load(lua, source, $0, &id) }
    }
    if let error = LuaError(failure) { throw error }
    return LuaReference(id: id)
  }

  /// Lets a function go. Its id may be given to another one later.
  package func release(_ function: LuaReference) {
    visitant_lua_release(lua, function.id)
  }
}

// MARK: - Turns

extension LuaState {
  /// Starts a new coroutine of a function, with the values of a JSON array.
  package func start(_ function: LuaReference, _ arguments: [UInt8]) -> LuaTurn {
    arguments.lend { LuaTurn(visitant_lua_start(lua, function.id, $0)) }
  }

  /// Starts a new coroutine of a function of the prelude table.
  package func start(prelude name: String, _ arguments: [UInt8]) -> LuaTurn {
    name.lend { name in
      arguments.lend { LuaTurn(visitant_lua_start_prelude(lua, name, $0)) }
    }
  }

  /// Gives a coroutine what it asked for: `host.ask` returns the values of a JSON array.
  package func resume(_ coroutine: Int32, _ values: [UInt8]) -> LuaTurn {
    values.lend { LuaTurn(visitant_lua_resume(lua, coroutine, $0)) }
  }

  /// Abandons a coroutine that waits; its to-be-closed variables are closed, and their errors ignored.
  package func drop(_ coroutine: Int32) {
    visitant_lua_drop(lua, coroutine)
  }

  /// Where a coroutine that waits stands: its script's frames, as ``LuaError/traceback`` has them.
  package func traceback(of coroutine: Int32) -> String {
    String(visitant_lua_traceback(lua, coroutine))
  }

  /// What `host.note` has noted since the last call, each a JSON array, in order.
  ///
  /// A turn that notes more than 10,000 times or more than 1 MiB fails.
  package func takeNotes() -> [[UInt8]] {
    [UInt8](visitant_lua_take_notes(lua)).split(separator: 0).map(Array.init)
  }
}

// MARK: - Values of the prelude table

extension LuaState {
  /// The JSON of a value in the prelude table, or nil when it is what it was at the last call for that name.
  ///
  /// - Parameter label: What errors call the value, such as `visitor.state`; its name when nil.
  /// - Throws: ``LuaError`` that names the path to what cannot be kept, such as `visitor.state.cart[2]`.
  package func serialize(
    preludeValue name: String, label: String? = nil
  ) throws(LuaError) -> [UInt8]? {
    var json = visitant_lua_text()
    let failure = name.lend { text in
      (label ?? name).lend { visitant_lua_serialize(lua, text, $0, &json) }
    }
    if let error = LuaError(failure) { throw error }
    let bytes = [UInt8](json)
    guard serialized[name] != bytes else { return nil }
    serialized[name] = bytes
    return bytes
  }

  /// Replaces a value of the prelude table.
  ///
  /// - Parameter merge: Sets the keys of a JSON object in the table that is there; null takes a key away.
  package func assign(preludeValue name: String, _ json: [UInt8], merge: Bool = false) throws(LuaError) {
    let failure = name.lend { name in
      json.lend { visitant_lua_assign(lua, name, $0, merge) }
    }
    if let error = LuaError(failure) { throw error }
  }
}
