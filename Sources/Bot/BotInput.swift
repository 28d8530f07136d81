package import Chat

/// What happens to a bot. The journal of a visit is the sequence of its inputs.
package enum BotInput: Equatable, Sendable {
  /// The session is live: the script begins.
  case start
  /// Changed fields of `visitor`: a JSON object, a null takes a field away.
  case fields([UInt8])
  case event(ChatEvent)
  /// The answer to a `perform` or a `fetch`: a JSON value, or why not.
  case settled(request: Int, Result<[UInt8], ActionError>)
  case timer(request: Int)
  /// The visit is about to end: `on_stop` handlers get their turn.
  case stop(reason: String)
}
