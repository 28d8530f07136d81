/// The service's end of the Webim protocol as a value, for many visitors at once: requests and a desk's commands go
/// in, answers, timers and the desk's events come out.
///
/// It does no I/O and reads no clock. `now` is in seconds since the epoch and never runs backwards.
package struct WebimService {
  /// The host's number for a request that waits for its answer.
  package typealias ExchangeID = Int
  package typealias ChatID = Int

  package enum TimerID: Hashable, Sendable {
    /// A held poll is due.
    case hold(ExchangeID)
    /// A page may have been idle for too long.
    case pageIdle(page: String)
    /// A page whose poll broke off may have been left.
    case absence(page: String)
  }

  package enum Effect: Equatable, Sendable {
    case answer(ExchangeID, WireResponse)
    /// Sets or moves the timer; seconds.
    case setTimer(TimerID, after: Double)
    case cancelTimer(TimerID)
    case desk(DeskEvent)
  }

  package private(set) var settings: Settings

  /// The same seed gives the same ids.
  package init(_ settings: Settings = Settings(), seed: UInt64) {
    self.settings = settings
  }

  /// Counted anew at each call.
  package var statistics: ServiceStatistics { ServiceStatistics() }

  /// Answers at once or holds the request; every exchange gets at most one answer.
  package mutating func requestReceived(_ id: ExchangeID, _ request: WireRequest, now: Double) -> [Effect] {
    [.answer(id, WireResponse(status: 404, body: Array("{}".utf8)))]
  }

  /// The connection of a request that waits for its answer is gone.
  @discardableResult
  package mutating func exchangeAbandoned(_ id: ExchangeID, now: Double) -> [Effect] {
    []
  }

  package mutating func timerFired(_ timer: TimerID, now: Double) -> [Effect] {
    []
  }

  package mutating func perform(
    _ command: DeskCommand, now: Double
  ) -> (result: Result<DeskAnswer, DeskError>, effects: [Effect]) {
    (.success(.done), [])
  }
}
