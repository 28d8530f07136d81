internal import JSON
internal import Lua

extension ScriptRunner {
  /// Begins a wait as ``WaitRequest`` reads it.
  func beginWait(
    _ id: Int32, _ stream: Int, _ values: [JSONValue]
  ) throws(ScriptError) -> [UInt8]? {
    guard let fiber = fibers[id] else { return nil }
    let request = try WaitRequest(values, vocabulary: vocabulary)
    var wait = Wait(
      word: request.word, mode: request.mode, wants: request.wants, stream: stream,
      within: request.within ?? options.within, isExpectation: request.isExpectation,
      takesStanding: request.takesStanding, except: request.looksBack ? fiber.returned : [],
      from: request.looksBack ? fiber.actionCursor : fiber.cursor, in: log)
    wait.condition = request.condition.flatMap { Self.name($0, seenFrom: fiber.position) }
    digest.append(word: wait.word, line: fiber.position?.line, arguments: wait.expectation)
    return begin(wait, id)
  }

  /// Where a condition stands, for somebody who reads of it at a position: nothing when it begins right
  /// there.
  private static func name(_ place: LuaPosition, seenFrom position: LuaPosition?) -> String? {
    guard place != position else { return nil }
    return place.source == position?.source ? "line \(place.line)" : place.description
  }

  private func begin(_ wait: Wait, _ id: Int32) -> [UInt8]? {
    let limit = WaitLimit(wait.within, now: now, isRunning: isConnected)
    let request = suspend(id) { .waiting(Fiber.Waiting(request: $0, wait: wait, limit: limit)) }
    waiters[wait.stream, default: []].insert(id)
    if wait.mode == .until { upToDate.insert(id) }
    if let answer = look(id) { return answer }
    if isEnded { return nil }
    if wait.within == 0 { return limitAnswer(id) }
    if isConnected { effects.append(.setTimer(request: request, after: wait.within)) }
    return nil
  }

  /// Takes in what a predicate said.
  func judged(_ id: Int32, _ isMatch: Bool) -> [UInt8]? {
    guard var waiting = fibers[id]?.judging else { return accepted() }
    if waiting.wait.mode == .until, isMatch { return finish(id, accepted(true)) }
    let step = waiting.wait.judged(isMatch)
    let wait = waiting.wait
    fibers[id]?.judging = nil
    fibers[id]?.suspension = .waiting(waiting)
    if case .done(let matches)? = step { return finish(id, wait, matches) }
    return look(id)
  }

  /// Lets a wait look; the answer when it is done or wants a predicate's verdict.
  private func look(_ id: Int32) -> [UInt8]? {
    guard case .waiting(var waiting)? = fibers[id]?.suspension else { return nil }
    let outcome = Result { () throws(LuaError) in
      try waiting.wait.look(at: log, steps: &patternStepsLeft)
    }
    guard patternStepsLeft >= 0 else {
      failForSteps(id)
      return nil
    }
    let step: Wait.Step
    switch outcome {
    case .success(let taken): step = taken
    case .failure(let error):
      let word = waiting.wait.word
      let complaint = ScriptError(
        code: "bad_argument", action: word, message: "\(word): matches: \(error.message)")
      return finish(id, refusal(complaint, at: fibers[id]?.position))
    }
    fibers[id]?.suspension = .waiting(waiting)
    switch step {
    case .waits: return nil
    case .asks(let match): return judge(id, want: match.want, match.occurrence.value)
    case .done(let matches): return finish(id, waiting.wait, matches)
    }
  }

  /// Ends a script whose filters look at too much in one turn: a pattern of a few letters can hold a shard
  /// up.
  private func failForSteps(_ id: Int32) {
    let limit = options.budget.patternSteps.grouped
    fail(
      ScriptFailure(
        kind: .budget, message: "the budget of \(limit) pattern steps a turn is spent, by filters",
        position: fibers[id]?.position, traceback: lua.traceback(of: id)))
  }

  /// Wants a predicate's verdict: `["judge", want, value]`, with the want counted from 1.
  private func judge(_ id: Int32, want: Int, _ value: [UInt8]) -> [UInt8] {
    let waiting = fibers[id]?.waiting
    fibers[id]?.judging = waiting
    fibers[id]?.suspension = .none
    var writer = JSONWriter()
    writer.array { writer in
      writer.value("judge")
      writer.value(want + 1)
      writer.raw(value)
    }
    return writer.bytes
  }

  private func finish(_ id: Int32, _ wait: Wait, _ matches: [Wait.Match]) -> [UInt8] {
    if wait.mode == .none { return finish(id, intruded(id, wait, matches)) }
    for match in matches { fibers[id]?.returned.insert(match.occurrence.sequence) }
    // What came before the cursor does not move it back.
    for match in matches where match.occurrence.sequence > fibers[id]?.cursor.sequence ?? 0 {
      fibers[id]?.cursor = Wait.Cursor(sequence: match.occurrence.sequence, at: match.occurrence.at)
    }
    return finish(id, answer(wait, matches))
  }

  private func answer(_ wait: Wait, _ matches: [Wait.Match]) -> [UInt8] {
    if wait.mode == .all {
      var writer = JSONWriter()
      writer.array { for match in matches { $0.raw(match.occurrence.value) } }
      return accepted(raw: writer.bytes)
    }
    guard let match = matches.first else { return accepted() }
    return wait.mode == .any
      ? accepted(raw: match.occurrence.value, .integer(match.want + 1))
      : accepted(raw: match.occurrence.value)
  }

  /// What should not have come has come.
  private func intruded(_ id: Int32, _ wait: Wait, _ matches: [Wait.Match]) -> [UInt8] {
    guard wait.isExpectation, let match = matches.first else {
      return accepted(raw: matches.first?.occurrence.value ?? Array("null".utf8))
    }
    return failure(id, wait, "\(wait.expectation), but there came a \(match.occurrence.summary)")
  }

  private func failure(_ id: Int32, _ wait: Wait, _ message: String) -> [UInt8] {
    let error = ScriptError(
      code: ScriptError.expectationFailed, action: wait.word, message: message,
      report: wait.report(from: log, steps: &patternStepsLeft))
    return refusal(error, at: fibers[id]?.position)
  }

  /// Ends a wait and gives its answer back.
  private func finish(_ id: Int32, _ answer: [UInt8]) -> [UInt8] {
    abandonWait(id)
    return answer
  }

  /// Lets go a wait that nobody needs any more.
  func abandonWait(_ id: Int32) {
    guard let waiting = fibers[id]?.waiting else { return }
    release(waiting, of: id)
    fibers[id]?.judging = nil
    fibers[id]?.suspension = .none
  }

  func limitPassed(_ id: Int32) {
    resume(id, limitAnswer(id))
  }

  private func limitAnswer(_ id: Int32) -> [UInt8] {
    guard let wait = fibers[id]?.waiting?.wait else { return accepted() }
    if wait.mode == .none { return finish(id, accepted(true)) }
    guard wait.isExpectation else { return finish(id, accepted(.null, "timeout")) }
    return finish(id, failure(id, wait, wait.complaint))
  }
}

// MARK: - Something has happened

extension ScriptRunner {
  /// Lets the waits of a stream look at what has arrived, in the order in which their coroutines began.
  func look(stream: Int) {
    for id in waiting(in: stream) {
      if let answer = look(id) { resume(id, answer) }
      if isEnded { return }
    }
  }

  /// Lines up the conditions of the streams in which something has changed; whether there are any.
  func lookAtConditions() -> Bool {
    guard !isEnded, fetching == nil else { return false }
    let streams = changed.sorted()
    changed = []
    for stream in streams {
      for id in waiting(in: stream) where upToDate.remove(id) == nil {
        guard let waiting = fibers[id]?.waiting, waiting.wait.mode == .until else { continue }
        queue.append(.condition(id, request: waiting.request))
      }
    }
    return !queue.isEmpty
  }

  func lookAtCondition(_ id: Int32, _ request: Int) {
    guard case .waiting(let waiting)? = fibers[id]?.suspension, waiting.request == request else { return }
    let question = judge(id, want: 0, Array("null".utf8))
    resume(id, question)
  }

  private func waiting(in stream: Int) -> [Int32] {
    (waiters[stream] ?? []).sorted(by: isOlder)
  }

  func resumed(since stopped: Double) {
    isConnected = true
    for (id, fiber) in fibers.sorted(by: { $0.value.number < $1.value.number }) {
      switch fiber.suspension {
      case .sleeping(let request, let until):
        effects.append(.setTimer(request: request, after: max(0, until - now)))
      case .waiting(var waiting):
        waiting.limit.pause(now: stopped)
        waiting.limit.resume(now: now)
        effects.append(.setTimer(request: waiting.request, after: waiting.limit.left(now: now)))
        fibers[id]?.suspension = .waiting(waiting)
      case .calling, .none: break
      }
    }
  }

  func connection(_ isConnected: Bool) {
    guard isConnected != self.isConnected else { return }
    self.isConnected = isConnected
    for id in waiters.values.joined().sorted(by: isOlder) {
      guard case .waiting(var waiting)? = fibers[id]?.suspension else { continue }
      if isConnected {
        waiting.limit.resume(now: now)
        effects.append(.setTimer(request: waiting.request, after: waiting.limit.left(now: now)))
      } else {
        waiting.limit.pause(now: now)
        effects.append(.cancelTimer(request: waiting.request))
      }
      fibers[id]?.suspension = .waiting(waiting)
    }
  }
}
