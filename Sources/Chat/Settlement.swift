/// The actions of a visitor that are in flight: when each is settled, and with what.
///
/// The caller numbers its actions, tells what the service answered to each, and lets every update that was
/// applied to the conversation be looked at. Each action comes back exactly once:
///
///     send, reply              at the echo by client id, with the message
///     edit                     when the message's text or edit mark changes, with the message
///     delete                   when the message is gone
///     press                    when the keyboard is answered by it or the response arrives, with its message
///     rating, resolution       when the service confirms the value
///     start, close             when the chat is open, is closed
///     survey answer, close of
///     a survey, typing, read   at the service's answer to the request
///
/// A refusal settles an action at once, and so does its time limit, which stands still while the visitor is
/// disconnected. Where nothing can change any more (a text edited to itself, a rating given again) the
/// service's answer is enough.
package struct Settlement: Sendable {
  /// What an action returns to its script.
  package enum Value: Equatable, Sendable {
    case nothing
    /// The message as the service has it: echoed, edited, or the keyboard's that was pressed.
    case message(Message)
    /// The confirmed rating, 1 to 5.
    case stars(Int)
    /// The confirmed answer to a resolution survey, 1 or 0.
    case answer(Int)
  }

  package struct Settled: Equatable, Sendable {
    package var id: Int
    package var result: Result<Value, ActionError>
  }

  private struct InFlight: Sendable {
    let id: Int
    let action: Action
    var progress: ActionProgress
    /// In seconds of the connected clock.
    let deadline: Double
  }

  private let limit: Double
  private var inFlight: [InFlight] = []
  private var clock: ConnectedClock

  /// - Parameter limit: The longest time in flight, in seconds, not counted while disconnected.
  package init(limit: Double = 30, isConnected: Bool = true) {
    self.limit = limit
    clock = ConnectedClock(isRunning: isConnected)
  }

  package var isEmpty: Bool { inFlight.isEmpty }

  /// The numbers of the actions in flight, in the order in which they began.
  package var ids: [Int] { inFlight.map(\.id) }

  /// The moment of the next time-out as long as the connection stays as it is; nil for none.
  package func deadline(now: Double) -> Double? {
    guard clock.isRunning, let next = inFlight.map(\.deadline).min() else { return nil }
    return now + max(0, next - clock.time(at: now))
  }

  /// Takes an action in, before it is sent.
  ///
  /// - Parameters:
  ///   - conversation: As it was before the action, for what counts as a change.
  ///   - limit: Seconds, in place of the default.
  package mutating func begin(
    id: Int, _ action: Action, in conversation: Conversation, now: Double, limit: Double? = nil
  ) {
    inFlight.append(
      InFlight(
        id: id, action: action, progress: ActionProgress(action, in: conversation),
        deadline: clock.time(at: now) + (limit ?? self.limit)))
  }

  /// Takes the service's answer to the request of an action; the echo or the state may still be awaited.
  package mutating func answered(
    id: Int, _ result: Result<Void, ActionError>, in conversation: Conversation
  ) -> [Settled] {
    guard let index = inFlight.firstIndex(where: { $0.id == id }) else { return [] }
    switch result {
    case .failure(let error):
      inFlight.remove(at: index)
      return [Settled(id: id, result: .failure(error))]
    case .success:
      inFlight[index].progress.isAccepted = true
      return settle(conversation)
    }
  }

  /// Looks at the conversation after updates were applied to it, and at the events they gave.
  package mutating func apply(_ events: [ChatEvent], in conversation: Conversation) -> [Settled] {
    for index in inFlight.indices { inFlight[index].progress.look(at: events, for: inFlight[index].action) }
    return settle(conversation)
  }

  package mutating func connectionChanged(isConnected: Bool, now: Double) {
    clock.set(isConnected, at: now)
  }

  /// The actions whose time has passed, each with the error `timeout`.
  package mutating func expire(now: Double) -> [Settled] {
    guard clock.isRunning else { return [] }
    let time = clock.time(at: now)
    // Adding and subtracting seconds of an epoch leaves a rounding error: a microsecond early is on time.
    let late = inFlight.filter { $0.deadline <= time + 0.000_001 }
    inFlight.removeAll { flight in late.contains { $0.id == flight.id } }
    return late.map { Settled(id: $0.id, result: .failure($0.progress.timeout(of: $0.action))) }
  }

  /// Takes an action out without settling it.
  package mutating func forget(id: Int) {
    inFlight.removeAll { $0.id == id }
  }

  private mutating func settle(_ conversation: Conversation) -> [Settled] {
    var settled: [Settled] = []
    inFlight.removeAll { flight in
      guard let result = flight.progress.result(of: flight.action, in: conversation) else { return false }
      settled.append(Settled(id: flight.id, result: result))
      return true
    }
    return settled
  }
}

/// Counts only the time in which the visitor is connected.
private struct ConnectedClock: Sendable {
  private var counted = 0.0
  private var since: Double?
  private(set) var isRunning: Bool

  init(isRunning: Bool) {
    self.isRunning = isRunning
  }

  /// Seconds on this clock; before its first change it runs with the caller's.
  func time(at now: Double) -> Double {
    guard isRunning else { return counted }
    return counted + now - (since ?? 0)
  }

  mutating func set(_ runs: Bool, at now: Double) {
    guard runs != isRunning else { return }
    counted = time(at: now)
    since = now
    isRunning = runs
  }
}
