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
        return ["source": .string(module.source), "path": .string(module.path)]
      }
    case "read":
      return file(call) { () throws(ScriptError) in
        .string(try files.text(call[0].string ?? ""))
      }
    case "env":
      return file(call) { () throws(ScriptError) in
        try files.variable(call[0].string ?? "").map { .string($0) } ?? .null
      }
    default:
      if let answer = call.answer(in: conversation) { return .success(answer) }
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
}
