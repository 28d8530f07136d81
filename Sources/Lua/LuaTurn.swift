import CLuaBridge

/// A Lua function that the host holds on to, until ``LuaState/release(_:)``.
package struct LuaReference: Hashable, Sendable {
  /// The number that stands in `{"$function":n}` wherever the function crosses.
  package var id: Int32

  package init(id: Int32) {
    self.id = id
  }
}

/// What a coroutine's turn ended with.
package enum LuaTurn: Equatable, Sendable {
  /// The coroutine waits for ``LuaState/resume(_:_:)``.
  ///
  /// `request` is a JSON array of what the script gave to `host.ask`, `line` the nearest frame of a script.
  case asks(coroutine: Int32, request: [UInt8], line: LuaPosition?)

  /// The function returned; `values` is a JSON array of what it returned.
  case finished(coroutine: Int32, values: [UInt8])

  case failed(coroutine: Int32, LuaError)
}

extension LuaTurn {
  init(_ turn: visitant_lua_turn) {
    switch turn.kind {
    case .asks:
      let position =
        turn.source.count == 0 ? nil : LuaPosition(source: String(turn.source), line: Int(turn.line))
      self = .asks(coroutine: turn.coroutine, request: [UInt8](turn.json), line: position)
    case .finished:
      self = .finished(coroutine: turn.coroutine, values: [UInt8](turn.json))
    case .failed:
      let error = LuaError(turn.failure) ?? LuaError(code: .runtime, message: "the turn failed")
      self = .failed(coroutine: turn.coroutine, error)
    }
  }
}
