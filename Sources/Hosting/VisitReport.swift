package import Chat

/// What happens in a visit, for whoever watches it.
package struct VisitReport: Sendable {
  package enum What: Sendable {
    /// The session is live; `resumed` when the store's unfinished visit goes on.
    case started(resumed: Bool)
    case event(ChatEvent)
    /// The bot asked for something that goes to the service.
    case action(Action)
    /// The service, or we, refused an action.
    case refused(ActionError)
    case log(String)
    case check(name: String, passed: Bool, position: String)
    case step(name: String, seconds: Double)
    case metric(name: String, value: Double, unit: String)
    /// A request or an answer, for `--trace`.
    case trace(String)
    case stopped(VisitOutcome)
  }

  /// Seconds since the epoch, by the clock of the visitor's loop.
  package let at: Double
  /// The visitor's place in the run, from 1.
  package let index: Int
  /// The visitor's name.
  package let visitor: String
  /// The bot's file.
  package let bot: String
  package let what: What

  package init(_ spec: VisitSpec, at now: Double, _ what: What) {
    at = now
    index = spec.index
    visitor = spec.visitor
    bot = spec.bot.name
    self.what = what
  }
}
