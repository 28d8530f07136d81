import Dialects
import JSON

/// Requests and answers as lines for `--trace`: no secret and no word of a conversation stands in them.
enum Trace {
  /// Parameters whose values say nothing of a person and open no door.
  private static let plain: Set<String> = [
    "action", "client-side-id", "event", "since", "location", "platform", "title", "ts",
    "respond-immediately",
    "button-id", "request-message-id", "rate", "operator_id", "thread_id", "answer", "survey-id", "form-id",
    "question-id", "typing", "del-message-draft", "message_id", "before-ts", "force-online", "department-key",
    "hint_question", "jsonp", "app-version", "force-start",
  ]

  static func line(_ request: WireRequest) -> String {
    let parameters = (request.query + request.form).map { parameter in
      let value = plain.contains(parameter.name) ? parameter.value : "(\(parameter.value.utf8.count) bytes)"
      return "\(parameter.name)=\(value)"
    }
    return (["→", request.method.rawValue, request.path] + parameters).joined(separator: " ")
  }

  static func line(_ result: Result<WireResponse, WireFailure>, to path: String, after seconds: Double)
    -> String
  {
    let milliseconds = Int((seconds * 1000).rounded())
    switch result {
    case .success(let response):
      let refusal = (try? JSONNode(parsing: response.body))?["error"]?.string.map { " \($0)" } ?? ""
      return "← \(response.status) \(path) \(response.body.count) bytes in \(milliseconds) ms\(refusal)"
    case .failure(let failure): return "← \(path) no answer after \(milliseconds) ms: \(failure)"
    }
  }
}
