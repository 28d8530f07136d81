internal import Chat
internal import JSON

/// The lane of actions: in order, one request at a time.
extension WebimSession {
  /// How often an action is repeated for want of fresh credentials, and how long they are waited for, in
  /// seconds.
  private static let credentialAttempts = 5
  private static let credentialPatience = 2.0

  /// Whether the service has a session with us that is not being made anew.
  private var canAct: Bool {
    guard credentials != nil, !isPaused else { return false }
    switch phase {
    case .requesting(.poll, _, _), .waiting(.poll, _): return true
    default: return false
    }
  }

  mutating func sendActions(now: Double) {
    if case .credentials(let old) = queue.pause, let credentials, credentials.generation != old {
      queue.pause = nil
      effects.append(.cancelTimer(.actionRetry))
    }
    guard canAct, queue.inFlight == nil, queue.pause == nil, let item = queue.items.first else { return }
    let opensChat = needsChat(item)
    let request = opensChat ? chatStart(for: item) : form(of: item)
    queue.inFlight = ActionQueue.InFlight(
      request: send(.action, actionRequest(request)), opensChat: opensChat, generation: generation)
  }

  private func form(of item: ActionQueue.Item) -> [WireRequest.Parameter] {
    switch item.content {
    case .action(_, let action): action.form
    case .typing(let sign): sign.form
    }
  }

  // MARK: The automatic start of a chat

  private func needsChat(_ item: ActionQueue.Item) -> Bool {
    guard item.action?.startsChat == true, !item.isChatOpen, !isChatOpening else { return false }
    return decoder.chatState.isClosed || decoder.sessionState == .offlineMessage
  }

  private func chatStart(for item: ActionQueue.Item) -> [WireRequest.Parameter] {
    let id = ClientID.derived(from: item.action?.clientID ?? "")
    return Action.startChat(clientID: id, Action.StartChat()).form
  }

  // MARK: Answers

  mutating func actionAnswered(_ request: ActionQueue.InFlight, _ answer: Answer, now: Double) {
    queue.inFlight = nil
    guard let item = queue.items.first else { return }
    switch answer {
    case .object(let node, let error):
      if let refusal = error ?? dataError(node, of: item, request), !item.isDone(by: refusal) {
        refused(refusal, node["argumentName"]?.string, item, request, now: now)
      } else {
        accepted(item, request)
      }
    case .none(let failure): lost(failure, item, request, now: now)
    }
    guard phase != .ended else { return }
    sendActions(now: now)
  }

  /// The second place of a refusal, looked at for texts only (the protocol's section 1.5).
  private func dataError(
    _ node: JSONNode, of item: ActionQueue.Item, _ request: ActionQueue.InFlight
  ) -> ErrorCode? {
    guard item.action?.startsChat == true, !request.opensChat else { return nil }
    return (node["data"]?["error"]?.string).map { ErrorCode($0) }
  }

  private mutating func accepted(_ item: ActionQueue.Item, _ request: ActionQueue.InFlight) {
    actionLaneWorks()
    if request.opensChat {
      isChatOpening = true
      chatOpened(item)
      return
    }
    switch item.action {
    case .startChat: isChatOpening = true
    case .closeChat: isChatOpening = false
    case .answerSurvey(let survey, let position, _):
      effects.append(.update(.questionAnswered(surveyID: survey, position)))
    default: break
    }
    finish(item, refusal: nil)
  }

  /// The chat's start was answered, one way or the other: now the action itself, whose own answer decides.
  private mutating func chatOpened(_ item: ActionQueue.Item) {
    if item.isWithdrawn {
      queue.items.removeFirst()
    } else {
      queue.items[0].isChatOpen = true
    }
  }

  private mutating func finish(_ item: ActionQueue.Item, refusal: ActionError?) {
    queue.items.removeFirst()
    if let id = item.id, !item.isWithdrawn { effects.append(.answered(id, refusal: refusal)) }
  }

  private mutating func actionLaneWorks() {
    queue.isOut = false
    queue.backoff.succeeded()
  }

  // MARK: Refusals

  private mutating func refused(
    _ error: ErrorCode, _ argument: String?, _ item: ActionQueue.Item, _ request: ActionQueue.InFlight,
    now: Double
  ) {
    switch error.reaction(at: .action) {
    case .reinitialize: credentialsRefused(error, item, request, now: now)
    case .retry:
      if item.isWithdrawn || item.id == nil { queue.items.removeFirst() }
      pauseActions(isNetwork: false, error.word)
    case .fatal(let code):
      finish(item, refusal: item.action.map { error.actionError(for: $0, argument: argument) })
      die(error.sessionError(code))
    case .raise, .awaitToken:
      actionLaneWorks()
      if request.opensChat {
        chatOpened(item)
      } else {
        finish(item, refusal: item.action.map { error.actionError(for: $0, argument: argument) })
      }
    }
  }

  /// Repeats with credentials newer than those that were refused, at once or when they come.
  private mutating func credentialsRefused(
    _ error: ErrorCode, _ item: ActionQueue.Item, _ request: ActionQueue.InFlight, now: Double
  ) {
    actionLaneWorks()
    queue.items[0].refusals += 1
    if item.isWithdrawn || item.id == nil {
      queue.items.removeFirst()
    } else if queue.items[0].refusals > Self.credentialAttempts {
      finish(item, refusal: item.action.map { error.actionError(for: $0) })
    } else if request.generation == generation {
      queue.pause = .credentials(generation: generation)
      effects.append(.setTimer(.actionRetry, after: Self.credentialPatience))
    }
  }

  // MARK: Answers that did not come

  private mutating func lost(
    _ failure: Answer.Failure, _ item: ActionQueue.Item, _ request: ActionQueue.InFlight, now: Double
  ) {
    if item.isWithdrawn || item.id == nil {
      queue.items.removeFirst()
    } else if failure.mayHaveBeenDelivered, !request.opensChat, item.action?.isRepeatable == false {
      queue.items.removeFirst()
      if let id = item.id { doubts.add([id]) }
      initializeAgain(now: now)
    } else if failure.mayHaveBeenDelivered, !request.opensChat {
      queue.items[0].isRepeat = true
    }
    pauseActions(isNetwork: failure.isNetwork, failure.detail)
  }

  private mutating func pauseActions(isNetwork: Bool, _ detail: String) {
    if !queue.isOut {
      queue.isOut = true
      if !poll.isOut { effects.append(.notFatal(Self.outage(isNetwork, detail))) }
    }
    queue.pause = .backoff
    effects.append(.setTimer(.actionRetry, after: queue.backoff.failed()))
  }

  mutating func actionPauseEnded(now: Double) {
    switch queue.pause {
    case nil: return
    case .backoff: queue.pause = nil
    case .credentials(let old):
      // The poll was not told that its page is gone: ask for a new one.
      if credentials?.generation == old { abandonSession(now: now) }
    }
    sendActions(now: now)
  }

  /// Makes a new session in place of one whose credentials are refused outside the poll.
  mutating func abandonSession(now: Double) {
    switch phase {
    case .requesting(.poll, let request, _): effects.append(.cancel(request))
    case .waiting(.poll, let timer): effects.append(.cancelTimer(timer))
    default: return
    }
    sessionLost(now: now)
  }

  // MARK: The end

  mutating func die(_ error: SessionError) {
    end()
    effects.append(.fatal(error))
  }

  /// Stops every lane; what nobody will answer any more is answered here.
  mutating func end() {
    if case .requesting(_, let request, _) = phase { effects.append(.cancel(request)) }
    if let request = queue.inFlight?.request { effects.append(.cancel(request)) }
    if let request = history.inFlight?.request { effects.append(.cancel(request)) }
    effects += [TimerID.retry, .actionRetry, .historyPoll, .typing, .token].map(Effect.cancelTimer)
    phase = .ended
    forgetSession()
    poll.isConnected = false
    for item in queue.items where !item.isWithdrawn {
      if let id = item.id, let action = item.action {
        effects.append(.answered(id, refusal: Self.destroyed(action)))
      }
    }
    for id in doubts.takeAll() { effects.append(.uncertain(id)) }
    for _ in history.pages { effects.append(.update(.historyPage(messages: [], isLast: false))) }
    queue.items = []
    queue.inFlight = nil
    history.pages = []
    history.inFlight = nil
    held = []
  }

  static func destroyed(_ action: Action) -> ActionError {
    ActionError(code: "session_destroyed", action: action.name)
  }
}
