internal import JSON
package import Lua

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

extension ScriptError {
  package static let expectationFailed = "expectation_failed"

  /// The codes that blame the script's text and not what it met.
  private static let mistakes: Set<String> = [
    "bad_argument", "unknown_option", "unknown_name", "unknown_event", "not_supported", "predicate_waits",
    "module_not_found", "file_not_found", "path_refused", "env_refused",
  ]

  /// What an uncaught error with this code makes of the visit.
  static func kind(ofCode code: String) -> ScriptFailure.Kind {
    if code == expectationFailed { return .expectation }
    return mistakes.contains(code) ? .script : .service
  }

  /// The table that the script's `error` raises.
  func write(to writer: inout JSONWriter, position: LuaPosition?) {
    writer.object {
      $0.member("code", code)
      $0.member(optional: "server_code", serverCode)
      $0.member("action", action)
      $0.member("message", message)
      $0.member(optional: "report", report)
      $0.member(optional: "source", position?.source)
      $0.member(optional: "line", position?.line)
    }
  }
}

extension ScriptFailure {
  /// Says what an error that nobody caught means for the visit.
  package init(_ error: LuaError) {
    self.init(
      kind: error.code == .budget ? .budget : .script, message: error.message, position: error.position,
      traceback: error.traceback)
    guard error.code == .thrown, let bytes = error.value, let value = try? JSONNode(parsing: bytes),
      let code = value["code"]?.string, value["action"]?.string != nil
    else { return }
    kind = ScriptError.kind(ofCode: code)
    message = value["message"]?.string ?? message
    report = value["report"]?.string ?? ""
  }
}
