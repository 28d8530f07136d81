/// The actions of a visitor that are in flight: when each is settled, and with what.
///
/// The caller numbers its actions, tells what the service answered to each, and lets every update that was applied to
/// the conversation be looked at; each action comes back exactly once.
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

  /// What a comparison with the service's state says of an action that may have been delivered.
  package enum Reconciled: Equatable, Sendable {
    /// It has had its effect.
    case done(Value)
    /// It has not, or a repeat is recognised by its client id.
    case `repeat`
    case refused(ActionError)
  }

  /// - Parameter limit: The longest time in flight, in seconds, not counted while disconnected.
  package init(limit: Double = 30, isConnected: Bool = true) {}

  package var isEmpty: Bool { true }

  /// The moment of the next time-out as long as the connection stays as it is.
  package func deadline(now: Double) -> Double? { nil }

  /// Takes an action in, before it is sent; `limit` in seconds overrides the default.
  ///
  /// - Parameter conversation: As it was before the action, for what counts as a change.
  package mutating func begin(
    id: Int, _ action: Action, in conversation: Conversation, now: Double, limit: Double? = nil
  ) {}

  /// Takes the service's answer to the request of an action; the echo or the state may still be awaited.
  package mutating func answered(
    id: Int, _ result: Result<Void, ActionError>, in conversation: Conversation
  ) -> [Settled] { [] }

  /// Looks at the conversation after updates were applied to it.
  package mutating func apply(_ events: [ChatEvent], in conversation: Conversation) -> [Settled] { [] }

  package mutating func connectionChanged(isConnected: Bool, now: Double) {}

  /// The actions whose time has passed, each with the error `timeout`.
  package mutating func expire(now: Double) -> [Settled] { [] }

  /// Takes an action out without settling it.
  package mutating func forget(id: Int) {}

  /// Compares an action that may have been delivered with the service's state, before it is repeated: after a crash,
  /// and when no answer came. To be asked after a full update.
  package static func reconcile(_ action: Action, with conversation: Conversation) -> Reconciled { .repeat }
}
