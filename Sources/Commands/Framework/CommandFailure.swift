internal import JSON

/// What ends a command early: a status, and one line for standard error.
package struct CommandFailure: Error, Equatable, Sendable {
  package let status: ExitStatus
  package let message: String

  package init(_ status: ExitStatus, _ message: String) {
    self.status = status
    self.message = message.abridged()
  }

  /// Wrong usage: the message, and the right word where one is near.
  static func usage(_ message: String, nearest: String? = nil) -> CommandFailure {
    CommandFailure(.usage, nearest.map { "\(message); did you mean \($0)?" } ?? message)
  }
}
