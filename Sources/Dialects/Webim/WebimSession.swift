package import Chat

/// The visitor's end of the Webim protocol as a value: it takes what happened and returns what to do.
///
/// It does no I/O and reads no clock: `now` is seconds since the epoch, randomness comes with the configuration's seed.
package struct WebimSession {
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
