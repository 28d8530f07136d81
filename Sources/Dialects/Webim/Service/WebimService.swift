internal import Chat

/// The service's end of the Webim protocol as a value, for many visitors at once: requests and a desk's
/// commands go in, answers, timers and the desk's events come out.
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
    /// A visitor whose poll broke off, or who has no page any more, may have left.
    case absence(visitor: String)
  }

  /// In the order in which they are to be carried out.
  package enum Effect: Equatable, Sendable {
    case answer(ExchangeID, WireResponse)
    /// Sets or moves the timer; seconds.
    case setTimer(TimerID, after: Double)
    case cancelTimer(TimerID)
    case desk(DeskEvent)
  }

  package internal(set) var settings: Settings
  var ids: ServiceIDs
  /// What is counted as it happens: all of ``statistics`` but the messages by client id.
  package internal(set) var counts = ServiceStatistics()
  var isBlocked = false
  var visitors: [ServiceVisitor] = []
  var pages: [String: ServicePage] = [:]
  /// The page whose poll a held exchange is.
  var held: [ExchangeID: String] = [:]
  /// The visitor of each chat.
  var chats: [ChatID: Int] = [:]
  /// Visitors by what they are known by: their own id, their token, their device.
  var identities: [String: Int] = [:]
  var operators: [Int: ServiceOperator] = [:]
  var operatorIDs: [String: Int] = [:]
  /// Pages for which the current call has something.
  var wake: [String] = []
  /// What the current call brings about: answers and timers, then what the desk hears.
  var effects: [Effect] = []
  var events: [DeskEvent] = []

  /// The same seed gives the same ids.
  package init(_ settings: Settings = Settings(), seed: UInt64) {
    self.settings = settings
    ids = ServiceIDs(seed: seed)
  }

  /// Counted anew at each call: a walk over all messages.
  package var statistics: ServiceStatistics {
    var statistics = counts
    for visitor in visitors {
      for message in visitor.messages where message.kind == .visitorMessage {
        statistics.messages[message.clientID, default: 0] += 1
      }
    }
    return statistics
  }

  /// Answers at once or holds the request; every exchange gets at most one answer.
  package mutating func requestReceived(_ id: ExchangeID, _ request: WireRequest, now: Double) -> [Effect] {
    do throws(ServiceRefusal) {
      if let response = try route(id, request, now) { answer(id, response) }
    } catch {
      answer(id, error.response)
    }
    return finish()
  }

  /// The connection of a request that waits for its answer is gone.
  @discardableResult
  package mutating func exchangeAbandoned(_ id: ExchangeID, now: Double) -> [Effect] {
    guard let page = held[id], let index = pages[page]?.visitor else { return [] }
    release(id, of: page)
    pages[page]?.lastSeen = now
    watch(index)
    return finish()
  }

  package mutating func timerFired(_ timer: TimerID, now: Double) -> [Effect] {
    switch timer {
    case .hold(let exchange):
      guard let page = held.removeValue(forKey: exchange) else { break }
      pages[page]?.held = nil
      pages[page]?.lastSeen = now
      answer(exchange, Self.nothingHappened)
    case .pageIdle(let page): pageMayBeIdle(page, now)
    case .absence(let visitor): visitorMayBeGone(visitor, now)
    }
    return finish()
  }

  /// The answer to a poll in whose time nothing happened.
  static let nothingHappened = WireResponse(body: Array("{}".utf8))
  static let ok = WireResponse(body: Array(#"{"result":"ok"}"#.utf8))

  mutating func answer(_ exchange: ExchangeID, _ response: WireResponse) {
    effects.append(.answer(exchange, response))
  }

  /// Everything that the call has brought about, the desk's share last.
  mutating func finish() -> [Effect] {
    wakePolls()
    let all = effects + events.map { .desk($0) }
    effects = []
    events = []
    return all
  }
}
