internal import JSON

/// An action that the service refused or that cannot be done: what a script's `pcall` catches.
package struct ActionError: Error, Equatable, Sendable, CustomStringConvertible {
  /// The handbook's enum case in snake_case (`operator_not_in_chat`), `unknown`, or a word of our own
  /// (`timeout`, `stale_keyboard`, `ambiguous_button`, `not_supported`, `session_destroyed`, …).
  package var code: String
  /// The service's own word, as it came; nil when the refusal is ours.
  package var serverCode: String?
  /// The method of the script.
  package var action: String
  /// Which argument the service named (`argumentName`), or how to mend the call.
  package var detail: String?

  package init(code: String, serverCode: String? = nil, action: String, detail: String? = nil) {
    self.code = code
    self.serverCode = serverCode?.abridged()
    self.action = action
    self.detail = detail?.abridged()
  }

  package var description: String {
    let said = serverCode.map { " (the service said \"\($0)\")" } ?? ""
    return "\(action): \(code)\(said)\(detail.map { ": \($0)" } ?? "")"
  }
}
