internal import JSON
internal import Lua

extension ScriptRunner {
  struct Handler: Equatable {
    var id: Int
    var function: LuaReference
  }

  /// What is still to be done. Work waits in line while the host answers a fetch.
  enum Work {
    case load(LuaReference)
    case start(LuaReference, Kind, stream: Int)
    case occurrence(Occurrence, [[UInt8]])
    case handler(Handler, name: String, arguments: [[UInt8]], at: Wait.Cursor, stream: Int)
    /// Waits of the stream look at what has arrived.
    case look(stream: Int)
    /// A coroutine looks at its condition, unless it has gone on since.
    case condition(Int32, request: Int)
    case settle(Int, Result<[UInt8], ScriptError>)
    case timer(Int)
    case connection(Bool)
    case assign(String, [UInt8], merge: Bool)
    /// The time since this moment has not passed for waits.
    case resumed(since: Double)
    case endStream(Int)
  }

  func drainQueue() {
    while !isEnded, let work = queue.first, fetching == nil || work.answers(fetching) {
      queue.removeFirst()
      perform(work)
    }
  }

  private func perform(_ work: Work) {
    switch work {
    case .load(let function):
      begin(.load, stream: 0, at: nil) { $0.start(function, Array("[]".utf8)) }
      lua.release(function)
    case .start(let function, let kind, let stream):
      start(function, kind, stream: stream, at: nil, [])
      lua.release(function)
    case .occurrence(let occurrence, let arguments): take(occurrence, arguments)
    case .handler(let handler, let name, let arguments, let cursor, let stream):
      start(handler.function, .handler(name), stream: stream, at: cursor, arguments)
    case .look(let stream): look(stream: stream)
    case .condition(let id, let request): lookAtCondition(id, request)
    case .settle(let request, let result): settled(request, result)
    case .timer(let request): fired(request)
    case .connection(let isConnected): connection(isConnected)
    case .assign(let name, let json, let merge): assigned(name, json, merge: merge)
    case .resumed(let since): resumed(since: since)
    case .endStream(let stream): ended(stream: stream)
    }
  }

  private func assigned(_ name: String, _ json: [UInt8], merge: Bool) {
    noteChange(in: 0)
    do throws(LuaError) {
      try lua.assign(preludeValue: name, json, merge: merge)
    } catch {
      fail(ScriptFailure(error))
    }
  }

  /// Takes an occurrence into the log and lines up its handlers, then the waits that may look for it.
  private func take(_ occurrence: Occurrence, _ arguments: [[UInt8]]) {
    let stream = occurrence.stream
    noteChange(in: stream)
    let numbered = log.append(occurrence)
    let cursor = Wait.Cursor(sequence: numbered.sequence, at: numbered.at)
    var next = handlers(for: numbered.name, stream: stream).map { handler in
      Work.handler(handler, name: numbered.name, arguments: arguments, at: cursor, stream: stream)
    }
    let listeners = handlers(for: "any", stream: stream)
    if !listeners.isEmpty {
      let event = [wholeEvent(numbered, arguments)]
      next += listeners.map {
        Work.handler($0, name: "any", arguments: event, at: cursor, stream: stream)
      }
    }
    if waiters[stream] != nil { next.append(.look(stream: stream)) }
    queue.insert(contentsOf: next, at: 0)
    trimLog(stream)
  }

  /// The event as one table: its name, its time and its arguments by their names.
  private func wholeEvent(_ occurrence: Occurrence, _ arguments: [[UInt8]]) -> [UInt8] {
    let names = vocabulary.listener(occurrence.name)?.arguments ?? []
    var writer = JSONWriter()
    writer.object { writer in
      writer.member("name", occurrence.name)
      writer.member("at", occurrence.at)
      for (name, value) in zip(names, arguments) { writer.member(name) { $0.raw(value) } }
    }
    return writer.bytes
  }

  func handlers(for name: String, stream: Int) -> [Handler] {
    let own = handlers[stream]?[name] ?? []
    return stream == 0 ? own : own + (handlers[0]?[name] ?? [])
  }

  private func trimLog(_ stream: Int) {
    let looking = (residents[stream] ?? []).union(waiters[stream] ?? [])
    let cursors = looking.compactMap { fibers[$0]?.actionCursor.sequence }
    log.trim(before: cursors.min() ?? log.last, stream: stream)
  }

  private func ended(stream: Int) {
    for id in (residents[stream] ?? []).sorted(by: isOlder) {
      lua.drop(id)
      forget(id)
    }
    for handler in (handlers.removeValue(forKey: stream) ?? [:]).values.joined() {
      lua.release(handler.function)
    }
    waiters[stream] = nil
    log.remove(stream: stream)
  }
}

// MARK: - Coroutines

extension ScriptRunner {
  private func start(
    _ function: LuaReference, _ kind: Kind, stream: Int, at cursor: Wait.Cursor?, _ arguments: [[UInt8]]
  ) {
    var writer = JSONWriter()
    writer.array { writer in
      writer.object { $0.member("$function", Int(function.id)) }
      writer.value(stream)
      for argument in arguments { writer.raw(argument) }
    }
    begin(kind, stream: stream, at: cursor) { $0.start(prelude: "enter", writer.bytes) }
  }

  private func begin(_ kind: Kind, stream: Int, at cursor: Wait.Cursor?, _ start: (LuaState) -> LuaTurn) {
    lastCoroutine += 1
    let turn = start(lua)
    let cursor = cursor ?? Wait.Cursor(sequence: log.last, at: now)
    fibers[turn.coroutine] = Fiber(
      number: lastCoroutine, kind: kind, stream: stream, cursor: cursor, actionCursor: cursor)
    residents[stream, default: []].insert(turn.coroutine)
    follow(turn)
    noteChange(in: stream, by: turn.coroutine)
  }

  /// Gives a coroutine its answer and goes with it until it waits again.
  ///
  /// Whatever it does may have changed what conditions look at, unless it only ran the predicate of a wait
  /// that goes on.
  func resume(_ id: Int32, _ values: [UInt8]) {
    guard let fiber = fibers[id] else { return }
    follow(lua.resume(id, values))
    if let wait = fiber.judging?.request, fibers[id]?.waiting?.request == wait { return }
    noteChange(in: fiber.stream, by: id)
  }

  /// Lets conditions of a stream be looked at again; that of the coroutine itself if it was looked at before
  /// the change.
  func noteChange(in stream: Int, by id: Int32? = nil) {
    changed.insert(stream)
    if !upToDate.isEmpty { upToDate = upToDate.filter { $0 == id || waiters[stream]?.contains($0) != true } }
  }

  private func follow(_ first: LuaTurn) {
    var turn = first
    while true {
      collectNotes()
      switch turn {
      case .asks(let id, let request, let position):
        guard let answer = asked(id, request, at: position), !isEnded else { return }
        turn = lua.resume(id, answer)
      case .finished(let id, let values):
        let number = fibers[id]?.number
        forget(id)
        if let number { effects.append(.returned(number, values: values)) }
        return
      case .failed(let id, let error):
        forget(id)
        return fail(ScriptFailure(error))
      }
    }
  }

  /// The order in which coroutines are looked at: that of their starts.
  func isOlder(_ a: Int32, _ b: Int32) -> Bool {
    (fibers[a]?.number ?? 0) < (fibers[b]?.number ?? 0)
  }

  /// Takes a coroutine out, with its timer.
  func forget(_ id: Int32) {
    guard let fiber = fibers.removeValue(forKey: id) else { return }
    upToDate.remove(id)
    residents[fiber.stream]?.remove(id)
    if residents[fiber.stream]?.isEmpty == true { residents[fiber.stream] = nil }
    if let waiting = fiber.waiting { release(waiting, of: id) }
    switch fiber.suspension {
    case .none, .waiting: break
    case .calling(let request, _, _, _):
      owners[request] = nil
      if fetching == request { fetching = nil }
    case .sleeping(let request, _):
      owners[request] = nil
      effects.append(.cancelTimer(request: request))
    }
  }

  /// Lets go a wait with its timer.
  func release(_ waiting: Fiber.Waiting, of id: Int32) {
    let stream = waiting.wait.stream
    owners[waiting.request] = nil
    waiters[stream]?.remove(id)
    if waiters[stream]?.isEmpty == true { waiters[stream] = nil }
    effects.append(.cancelTimer(request: waiting.request))
  }

  func fail(_ failure: ScriptFailure) {
    end()
    effects.append(.failed(failure))
  }
}

extension LuaTurn {
  var coroutine: Int32 {
    switch self {
    case .asks(let id, _, _), .finished(let id, _), .failed(let id, _): id
    }
  }
}

extension ScriptRunner.Work {
  func answers(_ fetch: Int?) -> Bool {
    if case .settle(let request, _) = self { return request == fetch }
    return false
  }
}
