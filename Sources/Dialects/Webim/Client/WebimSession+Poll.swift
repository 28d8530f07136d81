internal import Chat
internal import JSON

/// The poll lane: how a session comes to be, and what the service tells in it.
extension WebimSession {
  mutating func begin(_ step: Step, now: Double) {
    if step == .poll, let pause = poll.takePlace(now: now) {
      wait(for: .poll, pause)
      return
    }
    let request = pollRequest(step, now: now)
    phase = .requesting(step, send(.poll, request), since: now)
  }

  mutating func wait(for step: Step, _ seconds: Double, _ timer: TimerID = .retry) {
    phase = .waiting(step, timer)
    effects.append(.setTimer(timer, after: seconds))
  }

  mutating func pollAnswered(_ step: Step, _ answer: Answer, sentAt: Double, now: Double) {
    switch (step, answer) {
    case (.discovery, .object(let node, _)):
      account.metaReceived(node)
      answeredBeforeSession(.settings, now: now)
    case (.settings, .object(let node, _)):
      configReceived(node)
      answeredBeforeSession(.initialization, now: now)
    case (.discovery, .none(let failure)): preparationFailed(failure, next: .settings, now: now)
    case (.settings, .none(let failure)): preparationFailed(failure, next: .initialization, now: now)
    case (.initialization, .object(let node, let error)): initAnswered(node, error, now: now)
    case (.poll, .object(let node, let error)): deltaAnswered(node, error, sentAt: sentAt, now: now)
    case (.initialization, .none(let failure)) where failure.isUnreadable && isStranger:
      die(SessionError(code: .initializationFailed, serverCode: failure.detail))
    case (let step, .none(let failure)):
      pollFailed(failure.isNetwork, failure.detail, next: step == .poll ? .poll : stepToInit)
    }
  }

  /// Whether nobody has ever answered as this service does: neither to this session nor to one it goes on
  /// from.
  ///
  /// Then an init whose answer is no JSON object ends the session, as the protocol's section 2.6 has it:
  /// whatever stands at this address is no service of ours. Later the same answer is an outage like any
  /// other, since a proxy that puts its own page in front of the service for a while must not end a
  /// conversation. An object without a full update is an outage at any time.
  private var isStranger: Bool { generation == 0 && memory.visitSessionID == nil }

  /// The first step towards an init: a config that was not got yet is asked for a few times more.
  private var stepToInit: Step {
    account.isKnown || settingsAttempts >= 3 ? .initialization : .settings
  }

  /// Meta and config may fail; only the want of a network waits, since it would fail the init too.
  private mutating func preparationFailed(_ failure: Answer.Failure, next: Step, now: Double) {
    if next == .initialization { settingsAttempts += 1 }
    if failure.isNetwork {
      pollFailed(true, failure.detail, next: next)
    } else {
      begin(next, now: now)
    }
  }

  private mutating func answeredBeforeSession(_ next: Step, now: Double) {
    poll.backoff.succeeded()
    begin(next, now: now)
  }

  private mutating func pollFailed(_ isNetwork: Bool, _ detail: String, next: Step) {
    outageBegan(isNetwork, detail)
    wait(for: next, poll.backoff.failed())
  }

  /// Tells of an outage, once while it lasts.
  private mutating func outageBegan(_ isNetwork: Bool, _ detail: String) {
    if poll.isConnected {
      poll.isConnected = false
      effects.append(.connected(false))
    }
    guard !poll.isOut else { return }
    poll.isOut = true
    if !queue.isOut { effects.append(.notFatal(Self.outage(isNetwork, detail))) }
  }

  static func outage(_ isNetwork: Bool, _ detail: String) -> SessionError {
    SessionError(code: isNetwork ? .noNetworkConnection : .serverIsNotAvailable, serverCode: detail)
  }

  private mutating func pollSucceeded() {
    poll.backoff.succeeded()
    poll.isOut = false
    if !poll.isConnected {
      poll.isConnected = true
      effects.append(.connected(true))
    }
  }

  private mutating func configReceived(_ node: JSONNode) {
    let old = account.locationSettings
    account.configReceived(node, visitorFields: configuration.visitorFields)
    decoder.messages.allowsEditing = account.allowsEditing
    decoder.messages.allowsQuoting = account.allowsQuoting
    if let settings = account.locationSettings, settings != old {
      effects.append(.update(.locationSettings(settings)))
    }
  }

  // MARK: Init

  private mutating func initAnswered(_ node: JSONNode, _ error: ErrorCode?, now: Double) {
    if let error {
      pollRefused(error, at: .initialization, step: stepToInit, now: now)
      return
    }
    guard let update = node["fullUpdate"], update.isObject, node["deltaList"]?.elements.isEmpty ?? true,
      let revision = node["revision"]?.revision, revision != "0", update["pageId"]?.string != nil
    else {
      pollFailed(false, "an init answer without a full update", next: stepToInit)
      return
    }
    pollSucceeded()
    since = revision
    poll.sessionBegan(now: now)
    apply(update, isInit: true, now: now)
    doubts.stateTold()
    if decoder.chatState.isClosed {
      history.areChangesDue = history.areChangesDue || doubts.needHistory
    } else {
      compareDoubts()
    }
    history.refresh(now: now)
    readHistory(now: now)
    begin(.poll, now: now)
    sendActions(now: now)
  }

  /// The service's state is known: what it says of each action in doubt, the caller sees.
  mutating func compareDoubts() {
    effects += doubts.takeComparable().map(Effect.uncertain)
  }

  /// Reacts to a refusal by the protocol's section 3.6.
  private mutating func pollRefused(
    _ error: ErrorCode, at place: ErrorCode.Place, step: Step, now: Double
  ) {
    switch error.reaction(at: place) {
    case .reinitialize:
      sessionLost(now: now)
      // An init may be refused for what an earlier one was told; again and again it is an outage.
      if place == .initialization, case .waiting = phase { outageBegan(false, error.word) }
    case .awaitToken:
      forgetSession()
      outageBegan(false, error.word)
      wait(for: .initialization, 1, .token)
    case .retry: pollFailed(false, error.word, next: step)
    case .fatal(let code): die(error.sessionError(code))
    case .raise: die(error.sessionError(.unknown))
    }
  }

  mutating func forgetSession() {
    credentials = nil
    since = "0"
  }

  /// The service does not know the page any more: a new init, at once unless such losses follow each other.
  mutating func sessionLost(now: Double) {
    forgetSession()
    let pause = poll.sessionLost(now: now)
    if pause > 0 {
      wait(for: stepToInit, pause)
    } else {
      begin(stepToInit, now: now)
    }
  }

  /// Leaves what the poll lane is doing for a new init; a pause before a repeat is kept.
  mutating func initializeAgain(now: Double) {
    switch phase {
    case .idle, .ended, .requesting(.discovery, _, _), .requesting(.settings, _, _): return
    case .waiting(.poll, let timer) where poll.isOut: phase = .waiting(.initialization, timer)
    case .waiting(.poll, let timer):
      effects.append(.cancelTimer(timer))
      begin(.initialization, now: now)
    case .waiting: return
    case .requesting(_, let request, _):
      effects.append(.cancel(request))
      begin(.initialization, now: now)
    }
  }

  // MARK: Delta

  private mutating func deltaAnswered(
    _ node: JSONNode, _ error: ErrorCode?, sentAt: Double, now: Double
  ) {
    if let error {
      pollRefused(error, at: .poll, step: .poll, now: now)
      return
    }
    pollSucceeded()
    var told = false
    var isFullUpdate = false
    if let revision = node["revision"]?.revision {
      since = revision
      if let update = node["fullUpdate"], update.isObject {
        isFullUpdate = true
        told = true
        apply(update, isInit: false, now: now)
      } else {
        for item in node["deltaList"]?.elements ?? [] where apply(item) { told = true }
      }
    }
    let pause = poll.pollAnswered(told: told, isFullUpdate: isFullUpdate, sentAt: sentAt, now: now)
    readHistory(now: now)
    if pause > 0 { wait(for: .poll, pause) } else { begin(.poll, now: now) }
    sendActions(now: now)
  }

  /// Whether the item told anything.
  private mutating func apply(_ item: JSONNode) -> Bool {
    switch decoder.delta(item) {
    case nil: return false
    case .historyRevision(let revision):
      let isNew = revision != memory.historyRevision && revision != history.named
      history.revisionNamed(revision, known: memory.historyRevision)
      return isNew
    case .update(let update):
      if update.tellsChatState { isChatOpening = false }
      effects.append(.update(update))
      return true
    }
  }

  /// Takes over credentials first, then the state (the protocol's section 2.9).
  private mutating func apply(_ node: JSONNode, isInit: Bool, now: Double) {
    let update = decoder.fullUpdate(node)
    renewCredentials(update, isInit: isInit)
    isChatOpening = false
    effects.append(.update(.snapshot(update.snapshot)))
    var remembered = memory
    remembered.pageID = credentials?.pageID
    remembered.authToken = credentials?.authToken
    remembered.visitSessionID = update.visitSessionID ?? memory.visitSessionID
    remembered.visitor = update.visitor ?? memory.visitor
    remember(remembered)
    if let revision = update.historyRevision {
      history.isRevisionDriven = true
      history.revisionNamed(revision, known: memory.historyRevision)
    }
  }

  private mutating func renewCredentials(_ update: FullUpdate, isInit: Bool) {
    guard let pageID = update.pageID ?? credentials?.pageID else { return }
    let authToken = update.authToken ?? (isInit ? nil : credentials?.authToken)
    let isNew = isInit || pageID != credentials?.pageID || authToken != credentials?.authToken
    if isNew { generation += 1 }
    credentials = Credentials(pageID: pageID, authToken: authToken, generation: generation)
  }

  mutating func remember(_ memory: Memory) {
    guard memory != self.memory else { return }
    self.memory = memory
    effects.append(.remember(memory))
  }
}

extension Update {
  /// Whether it says what became of a chat that was asked for.
  fileprivate var tellsChatState: Bool {
    switch self {
    case .chat, .chatState: true
    default: false
    }
  }
}
