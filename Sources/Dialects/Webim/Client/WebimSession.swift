package import Chat

/// The visitor's end of the Webim protocol as a value: it takes what happened and returns what to do.
///
/// It does no I/O and reads no clock: `now` is seconds since the epoch, randomness comes with the configuration's seed.
package struct WebimSession {
  private let configuration: Configuration
  private var memory: Memory

  package init(_ configuration: Configuration, memory: Memory) {
    self.configuration = configuration
    self.memory = memory
  }

  /// Whether the latest poll was answered.
  package var isConnected: Bool { false }

  /// Whether the service has given credentials that it has not taken back.
  package var hasSession: Bool { false }

  /// Begins the visit: discovery, settings, init, then polls until the session ends.
  package mutating func start(now: Double) -> [Effect] { [] }

  /// Takes what came of a request that was sent; an unknown id is ignored.
  package mutating func responseReceived(
    _ id: RequestID, _ result: Result<WireResponse, WireFailure>, now: Double
  ) -> [Effect] { [] }

  package mutating func timerFired(_ timer: TimerID, now: Double) -> [Effect] { [] }

  /// Puts an action at the end of the queue; its end is told by `answered` or `uncertain`, once.
  package mutating func perform(_ id: ActionID, _ action: Action, now: Double) -> [Effect] { [] }

  /// Takes an action out of the queue: it is not sent, or not repeated, and no effect names it any more.
  package mutating func withdraw(_ id: ActionID) {}

  /// Asks for a full update by a new init, to compare with what the service knows.
  package mutating func resync(now: Double) -> [Effect] { [] }

  /// Asks for a page of messages older than a time in microseconds; ends with `historyPage` whatever happens.
  package mutating func readHistory(before microseconds: Int64, now: Double) -> [Effect] { [] }

  /// Holds back what arrives and what is due until `resume`; cancels nothing.
  package mutating func pause() {}

  package mutating func resume(now: Double) -> [Effect] { [] }

  /// Ends the session; with `clearingVisitorData` the next start is a new visitor on the same device.
  package mutating func destroy(clearingVisitorData: Bool, now: Double) -> [Effect] { [] }

  package struct Configuration: Equatable, Sendable {
    package var location = "mobile"
    package var title = "iOS Client"
    package var platform = "ios"
    package var sdkVersion = "4.0.0"
    package var userAgent = ""
    /// Signed visitor fields, forwarded byte for byte (the protocol's section 2.4).
    package var visitorFields: String?
    package var authorizationToken: String?
    package var headers: [WireRequest.Parameter] = []
    /// Longest silence of a poll and of any other request, in seconds.
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

  package enum Lane: Equatable, Sendable { case poll, action }
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
    /// No answer came and the service may have acted: to be reconciled with its state before a repeat.
    case uncertain(ActionID)
    case connected(Bool)
    case notFatal(SessionError)
    /// The session is over.
    case fatal(SessionError)
    case remember(Memory)
  }
}
