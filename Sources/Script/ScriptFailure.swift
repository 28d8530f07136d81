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

  package var kind: Kind
  /// One line, without the position.
  package var message: String
  package var position: LuaPosition?
  /// Further lines: what an expectation saw instead; empty when there is nothing to add.
  package var report: String
  /// The script's frames, innermost first, one a line.
  package var traceback: String

  package init(
    kind: Kind, message: String, position: LuaPosition? = nil, report: String = "", traceback: String = ""
  ) {
    self.kind = kind
    self.message = message
    self.position = position
    self.report = report
    self.traceback = traceback
  }

  /// The line that a terminal shows, such as `bots/rater.lua:7: rate_operator: no_chat`.
  package var description: String {
    guard let position else { return message }
    return "\(position): \(message)"
  }
}
