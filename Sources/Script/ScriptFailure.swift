internal import JSON
package import Lua

/// What ended a script's visit: the one line for a summary, and the report for whoever mends it.
package struct ScriptFailure: Error, Equatable, Sendable, CustomStringConvertible {
  package enum Kind: String, Sendable {
    /// An expectation was not met; status 1.
    case expectation
    /// The service refused an action and the script did not catch it; status 1.
    case service
    /// The script does not load, raised, or left its journal; status 107.
    case script
    /// A budget was spent; status 107.
    case budget
  }

  package let kind: Kind
  /// One line, without the position; cut where it is long.
  package let message: String
  package var position: LuaPosition?
  /// Further lines: what an expectation saw instead; empty when there is nothing to add. Cut where they are
  /// many.
  package let report: String
  /// The script's frames, innermost first, one a line.
  package let traceback: String

  package init(
    kind: Kind, message: String, position: LuaPosition? = nil, report: String = "", traceback: String = ""
  ) {
    self.kind = kind
    self.message = message.abridged()
    self.position = position
    self.report = report.abridged(to: 50_000)
    self.traceback = traceback
  }

  /// The line that a terminal shows, such as `bots/rater.lua:7: rate_operator: no_chat`.
  package var description: String {
    guard let position else { return message }
    return "\(position): \(message)"
  }
}

extension ScriptFailure {
  /// The end of a budget of words, in the form of the budgets that Lua's bridge keeps.
  ///
  /// - Parameter span: What the limit holds for, such as `a turn`.
  package init(
    wordsSpent limit: Int, _ span: String, position: LuaPosition?, traceback: String
  ) {
    self.init(
      kind: .budget, message: "the budget of \(limit.grouped) words \(span) is spent", position: position,
      traceback: traceback)
  }
}
