/// An error that a script's `pcall` catches: what `code`, `server_code`, `action` and `message` hold there.
package struct ScriptError: Error, Equatable, Sendable, CustomStringConvertible {
  /// A word in snake_case, such as `no_chat`, `timeout` or `bad_argument`.
  package var code: String
  /// The service's own word, nil when the refusal is ours.
  package var serverCode: String?
  /// The word of the script that failed.
  package var action: String
  /// One line that says what was being done and what was wrong.
  package var message: String
  /// Further lines for whoever mends the script.
  package var report: String?

  package init(
    code: String, serverCode: String? = nil, action: String, message: String, report: String? = nil
  ) {
    self.code = code
    self.serverCode = serverCode
    self.action = action
    self.message = message
    self.report = report
  }

  package var description: String { message }
}
