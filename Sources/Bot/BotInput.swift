package import Chat
package import JSON

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
  /// The visit goes on after a crash: ``BotRunner/goLive(now:)`` feeds it, and the journal keeps it.
  case resumed
  /// The visit is about to end: `on_stop` handlers get their turn.
  case stop(reason: String)
}

extension BotInput {
  /// Writes the input for the journal.
  package func write(to writer: inout JSONWriter) {
    writer.object { writer in
      switch self {
      case .start: writer.member("input", "start")
      case .resumed: writer.member("input", "resumed")
      case .fields(let json):
        writer.member("input", "fields")
        writer.member("fields") { $0.raw(json) }
      case .event(let event):
        writer.member("input", "event")
        writer.member("event") { event.write(to: &$0, shape: .store) }
      case .settled(let request, let result):
        writer.member("input", "settled")
        writer.member("request", request)
        switch result {
        case .success(let json): writer.member("value") { $0.raw(json) }
        case .failure(let error): writer.member("error") { error.write(to: &$0, shape: .store) }
        }
      case .timer(let request):
        writer.member("input", "timer")
        writer.member("request", request)
      case .stop(let reason):
        writer.member("input", "stop")
        writer.member("reason", reason)
      }
    }
  }

  /// The input as compact JSON.
  package var json: [UInt8] {
    var writer = JSONWriter()
    write(to: &writer)
    return writer.bytes
  }

  /// Reads what ``write(to:)`` has written; nil for anything else.
  package init?(json: JSONNode) {
    switch json["input"]?.string {
    case "start": self = .start
    case "resumed": self = .resumed
    case "fields":
      guard let fields = json["fields"], fields.isObject else { return nil }
      self = .fields(fields.value.bytes)
    case "event":
      guard let event = json["event"].flatMap({ ChatEvent(json: $0) }) else { return nil }
      self = .event(event)
    case "settled":
      guard let request = json["request"]?.integer else { return nil }
      if let error = json["error"] {
        guard let error = ActionError(json: error) else { return nil }
        self = .settled(request: request, .failure(error))
      } else {
        self = .settled(request: request, .success((json["value"]?.value ?? .null).bytes))
      }
    case "timer":
      guard let request = json["request"]?.integer else { return nil }
      self = .timer(request: request)
    case "stop": self = .stop(reason: json["reason"]?.string ?? "")
    default: return nil
    }
  }
}
