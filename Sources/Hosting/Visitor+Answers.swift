import Bot
import Chat
import JSON
import Script

extension Visitor {
  /// Answers what a script asks of its host.
  func answer(_ call: BotCall) -> Result<[UInt8], ActionError> {
    switch call.word {
    case "module":
      return file(call) { () throws(ScriptError) in
        let module = try files.module(call[0].string ?? "")
        return [
          "source": .string(String(decoding: module.source, as: UTF8.self)), "path": .string(module.path),
        ]
      }
    case "read":
      return file(call) { () throws(ScriptError) in
        .string(String(decoding: try files.text(call[0].string ?? ""), as: UTF8.self))
      }
    case "env": return .success(JSONValue(files.variable(call[0].string ?? "")).bytes)
    case "messages": return .success(Self.json(conversation.messages))
    case "raw":
      let raw = conversation.message(call[0].string ?? "")?.raw
      return .success(raw.map { Array($0.utf8) } ?? Array("null".utf8))
    case "last_rating_of_operator":
      return .success(number(operatorNamed(call[0]).flatMap(conversation.lastRating)))
    case "last_resolution_survey":
      return .success(number(operatorNamed(call[0]).flatMap(conversation.lastResolution)))
    default:
      return .failure(
        ActionError(code: "not_supported", action: call.word, detail: "this host does not know the word"))
    }
  }

  private func file(
    _ call: BotCall, _ read: () throws(ScriptError) -> JSONValue
  ) -> Result<[UInt8], ActionError> {
    do throws(ScriptError) {
      return .success(try read().bytes)
    } catch {
      return .failure(ActionError(code: error.code, action: call.word, detail: error.message))
    }
  }

  private func operatorNamed(_ value: JSONValue) -> String? {
    let name = value["id"]?.string ?? value.string ?? value.integer.map { String($0) }
    return name.map { conversation.operatorID(named: $0) ?? $0 } ?? conversation.operator?.id
  }

  private func number(_ value: Int?) -> [UInt8] { Array((value.map { String($0) } ?? "null").utf8) }

  static func json(_ messages: some Sequence<Message>) -> [UInt8] {
    var writer = JSONWriter()
    writer.array { array in
      for message in messages { message.write(to: &array, shape: .script) }
    }
    return writer.bytes
  }
}

extension JSONValue {
  fileprivate init(_ text: String?) {
    self = text.map(JSONValue.string) ?? .null
  }
}
