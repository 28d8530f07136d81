package import JSON
package import Lua

// What a coroutine may ask. An answer is an array for `settle` of the prelude: `[true, value…]` or `[false,
// error]`; a wait whose predicate is wanted gets `["judge", want, value]`.

extension ScriptRunner {
  /// Takes a request; the answer when there is one at once, nil when the coroutine has to wait.
  func asked(_ id: Int32, _ request: [UInt8], at position: LuaPosition?) -> [UInt8]? {
    guard spendWord(of: id, at: position) else { return nil }
    guard let node = try? JSONNode(parsing: request), let word = node.elements.first?.string else {
      preconditionFailure("a prelude asks with a word first")
    }
    let parts = node.elements.map(\.value)
    let subject = parts.count > 1 ? parts[1].integer ?? 0 : 0
    fibers[id]?.position = position
    if fibers[id]?.judging != nil, !predicateMaySay(word) { abandonWait(id) }
    do throws(ScriptError) {
      return try answer(id, word, subject, Array(parts.dropFirst(2)))
    } catch {
      for function in parts.flatMap(\.functions) { lua.release(function) }
      return refusal(error, at: position)
    }
  }

  /// Whether a predicate may have said the word. Preludes refuse it all that waits, so that any other word
  /// comes from a script whose predicate has ended with an error.
  private func predicateMaySay(_ word: String) -> Bool {
    word == "judged" || word == "unknown" || word == "unknown_option" || vocabulary.spec(word)?.role == .fetch
  }

  private func answer(
    _ id: Int32, _ word: String, _ subject: Int, _ values: [JSONValue]
  ) throws(ScriptError) -> [UInt8]? {
    switch word {
    case "sleep": return try sleep(id, values)
    case "wait": return try beginWait(id, subject, values)
    case "judged": return judged(id, values.first?.bool ?? false)
    case "spawn": return try spawn(id, values)
    case "on": return try addHandler(values, stream: subject)
    case "off": return removeHandler(values, stream: subject)
    case "rows": return accepted(CSVRows(values.first?.string ?? "").json)
    case "unknown": throw vocabulary.unknownName(values.first?.string ?? "")
    case "unknown_option": throw unknownOption(values)
    default: return try call(id, word, subject, values)
    }
  }

  private func call(
    _ id: Int32, _ said: String, _ subject: Int, _ values: [JSONValue]
  ) throws(ScriptError) -> [UInt8]? {
    guard let spec = vocabulary.spec(said) else { throw vocabulary.unknownName(said) }
    guard spec.role != .later else {
      throw ScriptError(
        code: "not_supported", action: said, message: "\(said): this version does not know it yet")
    }
    let call = try spec.call(said: said, subject: subject, values, position: fibers[id]?.position)
    let request = suspend(id) { .calling(request: $0, spec.role, call, said: said) }
    if spec.role == .action {
      let cursor = Wait.Cursor(sequence: log.last, at: now)
      fibers[id]?.cursor = cursor
      fibers[id]?.actionCursor = cursor
      fibers[id]?.returned = []
    }
    if spec.role == .fetch { fetching = request }
    digest.append(
      word: spec.name, line: call.position?.line,
      arguments: JSONValue.array(call.arguments + [call.options]).ordered.text)
    effects.append(.call(request: request, spec.role, call))
    return nil
  }

  private func sleep(_ id: Int32, _ values: [JSONValue]) throws(ScriptError) -> [UInt8]? {
    guard let seconds = values.first?.number, seconds >= 0, seconds.isFinite else {
      throw ScriptError(
        code: "bad_argument", action: "sleep",
        message: "sleep: seconds, 0 or more, expected, got \(values.first?.plain ?? "nil")")
    }
    let request = suspend(id) { .sleeping(request: $0, until: now + seconds) }
    digest.append(word: "sleep", line: fibers[id]?.position?.line, arguments: "\(seconds)")
    effects.append(.setTimer(request: request, after: seconds))
    return nil
  }

  private func spawn(_ id: Int32, _ values: [JSONValue]) throws(ScriptError) -> [UInt8] {
    let function = try self.function(values.first, of: "spawn")
    queue.append(.start(function, .spawned, stream: fibers[id]?.stream ?? 0))
    return accepted()
  }

  private func addHandler(_ values: [JSONValue], stream: Int) throws(ScriptError) -> [UInt8] {
    guard let name = values.first?.string else {
      throw ScriptError(
        code: "bad_argument", action: "on",
        message: "on: the name of an event expected, got \(values.first?.luaType ?? "nil")")
    }
    guard vocabulary.listener(name) != nil else { throw vocabulary.unknownEvent(name, in: "on") }
    addHandler(try function(values.count > 1 ? values[1] : nil, of: "on"), for: name, stream: stream)
    return accepted(.integer(lastHandler))
  }

  private func removeHandler(_ values: [JSONValue], stream: Int) -> [UInt8] {
    let handler = values.first?.integer
    for (name, list) in handlers[stream] ?? [:] {
      guard let gone = list.first(where: { $0.id == handler }) else { continue }
      lua.release(gone.function)
      handlers[stream]?[name] = list.filter { $0.id != handler }
    }
    // What was lined up for the handler is not started any more.
    queue.removeAll { work in
      if case .handler(let lined, _, _, _, _) = work { return lined.id == handler }
      return false
    }
    return accepted()
  }

  /// A prelude has seen a key that it does not know: the word, the key, the keys that there are.
  private func unknownOption(_ values: [JSONValue]) -> ScriptError {
    let texts = values.prefix(2).map { $0.string ?? "" }
    return .unknownKey(texts[1], of: texts[0], among: values[2].elements.compactMap(\.string))
  }

  private func function(_ value: JSONValue?, of word: String) throws(ScriptError) -> LuaReference {
    guard let function = value?.function else {
      throw ScriptError(
        code: "bad_argument", action: word,
        message: "\(word): a function expected, got \(value?.luaType ?? "nil")")
    }
    return function
  }

  /// Counts a word, and ends a script that says too many without ever waiting.
  private func spendWord(of id: Int32, at position: LuaPosition?) -> Bool {
    wordsLeft -= 1
    guard wordsLeft < 0 else { return true }
    fail(
      ScriptFailure(
        wordsSpent: Self.wordsPerTurn, "a turn", position: position, traceback: lua.traceback(of: id)))
    return false
  }
}

// MARK: - Answers

extension ScriptRunner {
  /// Lets a coroutine wait for a new request.
  func suspend(_ id: Int32, _ suspension: (Int) -> Fiber.Suspension) -> Int {
    lastRequest += 1
    owners[lastRequest] = id
    fibers[id]?.suspension = suspension(lastRequest)
    return lastRequest
  }

  func settled(_ request: Int, _ result: Result<[UInt8], ScriptError>) {
    guard let id = owners[request], case .calling(_, _, _, let said)? = fibers[id]?.suspension else { return }
    owners[request] = nil
    if fetching == request { fetching = nil }
    let position = fibers[id]?.position
    fibers[id]?.suspension = .none
    switch result {
    case .success(let value): resume(id, accepted(raw: value))
    case .failure(var error):
      if error.action.isEmpty { error.action = said }
      resume(id, refusal(error, at: position))
    }
  }

  func fired(_ request: Int) {
    guard let id = owners[request] else { return }
    switch fibers[id]?.suspension {
    case .sleeping:
      owners[request] = nil
      fibers[id]?.suspension = .none
      resume(id, accepted())
    case .waiting: limitPassed(id)
    case .none?, nil, .calling: break
    }
  }

  func accepted(_ values: JSONValue...) -> [UInt8] {
    JSONValue.array([.bool(true)] + values).bytes
  }

  func accepted(raw value: [UInt8], _ more: JSONValue...) -> [UInt8] {
    var writer = JSONWriter()
    writer.array { writer in
      writer.value(true)
      writer.raw(value)
      for value in more { writer.value(value) }
    }
    return writer.bytes
  }

  func refusal(_ error: ScriptError, at position: LuaPosition?) -> [UInt8] {
    var writer = JSONWriter()
    writer.array { writer in
      writer.value(false)
      error.write(to: &writer, position: position)
    }
    return writer.bytes
  }
}

extension JSONValue {
  /// The function that the value stands for.
  package var function: LuaReference? {
    self["$function"]?.integer.flatMap { Int32(exactly: $0) }.map { LuaReference(id: $0) }
  }

  /// The functions anywhere in the value.
  package var functions: [LuaReference] {
    function.map { [$0] } ?? (elements + members.map(\.value)).flatMap(\.functions)
  }

  /// The value itself where it is short, else what it is.
  fileprivate var plain: String { number == nil ? luaType : text }
}
