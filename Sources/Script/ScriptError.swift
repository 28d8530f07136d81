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
  /// Which argument was meant, or how to mend the call; nil when there is no more to say.
  package var detail: String?
  /// One line that says what was being done and what was wrong.
  package var message: String
  /// Further lines for whoever mends the script.
  package var report: String?

  package init(
    code: String, serverCode: String? = nil, action: String, detail: String? = nil, message: String,
    report: String? = nil
  ) {
    self.code = code
    self.serverCode = serverCode
    self.action = action
    self.detail = detail
    self.message = message
    self.report = report
  }

  package var description: String { message }
}

extension ScriptError {
  package static let expectationFailed = "expectation_failed"

  /// Refuses a key that a table of the script's has and the word does not know.
  ///
  /// - Parameter thing: What the table is, where it is not the table of options that ends a call.
  package static func unknownKey(
    _ key: String, of word: String, in thing: String? = nil, among known: [String]
  ) -> ScriptError {
    let what = thing.map { "key \"\(key)\" in \($0)" } ?? "option \"\(key)\""
    return ScriptError(
      code: "unknown_option", action: word,
      message: "\(word): unknown \(what)" + NearestWord.hint(key, among: known))
  }

  /// The codes that blame the script's text and not what it met.
  private static let mistakes: Set<String> = [
    "bad_argument", "unknown_option", "unknown_name", "unknown_event", "not_supported",
    "module_not_found", "file_not_found", "not_utf8", "path_refused", "env_refused",
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
      $0.member(optional: "detail", detail)
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
    guard error.code == .thrown, let bytes = error.value, let value = try? JSONNode(parsing: bytes),
      let code = value["code"]?.string, value["action"]?.string != nil
    else {
      // Without a line, the name of the file goes into the message.
      self.init(
        kind: error.code == .budget ? .budget : .script,
        message: error.position == nil ? error.description : error.message, position: error.position,
        traceback: error.traceback)
      return
    }
    self.init(
      kind: ScriptError.kind(ofCode: code), message: value["message"]?.string ?? error.message,
      position: error.position, report: value["report"]?.string ?? "", traceback: error.traceback)
  }
}
