package import Chat

/// The visitor's end of the Webim protocol as a value: it takes what happened and returns what to do.
///
/// It does no I/O and reads no clock: `now` is seconds since the epoch, randomness comes with the
/// configuration's seed. Three lanes run side by side, each with one request at a time:
///
///     poll      meta ─▶ config ─▶ init ─▶ delta ⟲      failure: the same step after a pause that grows
///                                  ▲        │
///                                  └────────┘           reinit-required, doubt
///     actions   [chat.start ─▶] action ─▶ next         in the order they came
///     history   since a revision ⟲, before a time
///
/// Actions and history wait for credentials; what the credentials are refused for is repeated with fresh
/// ones.
package struct WebimSession {
  package struct Configuration: Equatable, Sendable {
    package var location = "mobile"
    package var title = "iOS Client"
    package var platform = "ios"
    package var sdkVersion = "4.0.0"
    package var userAgent =
      "iOS: Webim-Client 4.0.0; (Visitant; Linux); Bundle ID and version: none none"
    /// Signed visitor fields, forwarded byte for byte (the protocol's section 2.4).
    package var visitorFields: String?
    package var authorizationToken: String?
    package var headers: [WireRequest.Parameter] = []
    /// The longest wait for the answer to a poll and to any other request, in seconds.
    package var pollTimeout = 180.0
    package var requestTimeout = 60.0
    package var seed: UInt64 = 0

    package init() {}
  }

  /// What survives a restart: kept by the store, given back at the next start.
  package struct Memory: Equatable, Sendable {
    package var deviceID: String
    package var pageID: String?
    package var authToken: String?
    package var visitSessionID: String?
    /// The service's `visitor` object as compact JSON.
    package var visitor: String?
    package var historyRevision: String?
    package var isHistoryComplete = false

    package init(deviceID: String) {
      self.deviceID = deviceID
    }
  }

  package typealias RequestID = Int
  package typealias ActionID = Int

  package enum Lane: Equatable, Sendable { case poll, action, history }
  package enum TimerID: Hashable, Sendable {
    case retry, actionRetry, historyPoll, typing, token
  }

  package enum Effect: Equatable, Sendable {
    case send(RequestID, Lane, WireRequest)
    case cancel(RequestID)
    /// Sets or moves the timer.
    case setTimer(TimerID, after: Double)
    case cancelTimer(TimerID)
    case update(Update)
    /// The service has answered the action's request; `refusal` is nil when it took it.
    case answered(ActionID, refusal: ActionError?)
    /// No answer came and the service may have acted: to be compared now with its state, which was asked for
    /// since and has been told in full. At the session's end, which no state follows, with what is known.
    case uncertain(ActionID)
    case connected(Bool)
    case notFatal(SessionError)
    /// The session is over.
    case fatal(SessionError)
    case remember(Memory)
  }

  /// What a request of the poll lane is for.
  enum Step: Equatable, Sendable {
    case discovery, settings, initialization, poll
  }

  enum Phase: Equatable, Sendable {
    case idle
    case requesting(Step, RequestID, since: Double)
    /// Until the timer.
    case waiting(Step, TimerID)
    case ended
  }

  struct Credentials: Equatable, Sendable {
    var pageID: String
    var authToken: String?
    /// Grows with each init and each change, so that a refusal is told from an old one.
    var generation: Int
  }

  /// What came in while the session was paused.
  enum Held: Equatable, Sendable {
    case response(RequestID, Result<WireResponse, WireFailure>)
    case timer(TimerID)
    case doubt
  }

  let configuration: Configuration
  var memory: Memory
  var phase = Phase.idle
  var account: AccountSettings
  var settingsAttempts = 0
  var decoder = UpdateDecoder()
  var credentials: Credentials?
  /// The last revision received.
  var since = "0"
  var generation = 0
  var poll: PollHealth
  var queue: ActionQueue
  var doubts = Doubts()
  var history: HistoryReader
  var typing = TypingCadence()
  /// Whether a chat was asked for and its state has not come yet.
  var isChatOpening = false
  var isPaused = false
  var held: [Held] = []
  /// What to do, in order; handed out by `takeEffects`.
  var effects: [Effect] = []
  private var lastRequest = 0

  package init(_ configuration: Configuration, memory: Memory) {
    self.configuration = configuration
    self.memory = memory
    account = AccountSettings(location: configuration.location)
    poll = PollHealth(seed: configuration.seed)
    queue = ActionQueue(seed: configuration.seed ^ 0xA5A5_A5A5_A5A5_A5A5)
    history = HistoryReader(seed: ~configuration.seed)
    decoder.messages.hidesVisitorName = configuration.visitorFields != nil
  }

  /// Whether the latest poll was answered.
  package var isConnected: Bool { poll.isConnected }

  mutating func takeEffects() -> [Effect] {
    defer { effects = [] }
    return effects
  }

  mutating func send(_ lane: Lane, _ request: WireRequest) -> RequestID {
    lastRequest += 1
    effects.append(.send(lastRequest, lane, request))
    return lastRequest
  }
}

extension WebimSession {
  /// Begins the visit: discovery, settings, init, then polls until the session ends.
  package mutating func start(now: Double) -> [Effect] {
    guard phase == .idle else { return [] }
    begin(.discovery, now: now)
    return takeEffects()
  }

  /// Takes what came of a request that was sent; an unknown id is ignored.
  package mutating func responseReceived(
    _ id: RequestID, _ result: Result<WireResponse, WireFailure>, now: Double
  ) -> [Effect] {
    if isPaused {
      held.append(.response(id, result))
    } else {
      received(id, result, now: now)
    }
    return takeEffects()
  }

  package mutating func timerFired(_ timer: TimerID, now: Double) -> [Effect] {
    if isPaused {
      held.append(.timer(timer))
    } else {
      fired(timer, now: now)
    }
    return takeEffects()
  }

  /// Puts an action at the end of the queue.
  ///
  /// Its end is told once, by `answered` or `uncertain`. A sign of typing that the cadence holds back is
  /// answered at once and goes out later. After the session's end the action is refused as
  /// `session_destroyed`.
  ///
  /// - Parameter isRepeat: Whether the service may have got the action before, as from a process that died.
  package mutating func perform(
    _ id: ActionID, _ action: Action, isRepeat: Bool = false, now: Double
  ) -> [Effect] {
    guard phase != .ended else {
      return [.answered(id, refusal: Self.destroyed(action))]
    }
    if case .setVisitorTyping(let draft) = action {
      let isDue = typing.draftSet(draft, now: now)
      armTyping(now: now)
      guard isDue else {
        effects.append(.answered(id, refusal: nil))
        return takeEffects()
      }
    }
    queue.append(.action(id, action), isRepeat: isRepeat)
    sendActions(now: now)
    return takeEffects()
  }

  /// Takes an action out of the queue: it is not sent, or not repeated, and no effect names it any more.
  package mutating func withdraw(_ id: ActionID) {
    queue.withdraw(id)
    doubts.withdraw(id)
  }

  /// Takes back a request that need not go out any more: what was told before it has settled its action.
  ///
  /// - Returns: What to do in its place; nil when the request has to go out.
  package mutating func takeBack(_ request: RequestID, now: Double) -> [Effect]? {
    guard queue.inFlight?.request == request, queue.items.first?.isWithdrawn == true else { return nil }
    queue.inFlight = nil
    queue.items.removeFirst()
    sendActions(now: now)
    return takeEffects()
  }

  /// Actions of an earlier process may have been delivered, or may not: each is told as `uncertain` once the
  /// service's state, asked for from now on, has been told.
  package mutating func deliveryDoubted(_ ids: [ActionID], now: Double) -> [Effect] {
    doubts.add(ids)
    if isPaused {
      held.append(.doubt)
    } else {
      initializeAgain(now: now)
    }
    return takeEffects()
  }

  /// Asks for a page of messages older than a time in microseconds.
  ///
  /// The read always ends with `historyPage`: after failures, or at the session's end, with one that is empty
  /// and not the last.
  package mutating func readHistory(before microseconds: Int64, now: Double) -> [Effect] {
    guard phase != .ended else { return [.update(.historyPage(messages: [], isLast: false))] }
    guard !memory.isHistoryComplete else { return [.update(.historyPage(messages: [], isLast: true))] }
    history.pages.append(microseconds)
    readHistory(now: now)
    return takeEffects()
  }

  /// Holds back what arrives and what is due until `resume`; cancels nothing.
  package mutating func pause() {
    isPaused = true
  }

  package mutating func resume(now: Double) -> [Effect] {
    guard isPaused else { return [] }
    isPaused = false
    let inputs = held
    held = []
    for input in inputs {
      switch input {
      case .response(let id, let result): received(id, result, now: now)
      case .timer(let timer): fired(timer, now: now)
      case .doubt: initializeAgain(now: now)
      }
    }
    if credentials != nil { history.refresh(now: now) }
    readHistory(now: now)
    sendActions(now: now)
    return takeEffects()
  }

  /// Ends the session; with `clearingVisitorData` the next start is a new visitor on the same device.
  package mutating func destroy(clearingVisitorData: Bool, now: Double) -> [Effect] {
    guard phase != .ended else { return [] }
    end()
    if clearingVisitorData {
      memory = Memory(deviceID: memory.deviceID)
      effects.append(.remember(memory))
    }
    return takeEffects()
  }

  private mutating func received(
    _ id: RequestID, _ result: Result<WireResponse, WireFailure>, now: Double
  ) {
    if case .requesting(let step, id, let since) = phase {
      pollAnswered(step, Answer(result), sentAt: since, now: now)
    } else if let request = queue.inFlight, request.request == id {
      actionAnswered(request, Answer(result), now: now)
    } else if let request = history.inFlight, request.request == id {
      historyAnswered(request, Answer(result), now: now)
    }
  }

  private mutating func fired(_ timer: TimerID, now: Double) {
    guard phase != .ended else { return }
    switch timer {
    case .retry, .token:
      if case .waiting(let step, timer) = phase { begin(step, now: now) }
    case .actionRetry: actionPauseEnded(now: now)
    case .historyPoll: historyPauseEnded(now: now)
    case .typing:
      for sign in typing.timerFired(now: now) { queue.append(.typing(sign)) }
      armTyping(now: now)
      sendActions(now: now)
    }
  }

  private mutating func armTyping(now: Double) {
    if let deadline = typing.deadline {
      effects.append(.setTimer(.typing, after: max(0, deadline - now)))
    } else {
      effects.append(.cancelTimer(.typing))
    }
  }
}
