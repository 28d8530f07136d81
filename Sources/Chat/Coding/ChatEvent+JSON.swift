package import JSON

extension ChatEvent: JSONCoded {
  /// An object whose member `name` is the event's; its arguments stand beside it under the names of the
  /// handlers' table.
  package func write(to writer: inout JSONWriter, shape: JSONShape) {
    writer.object {
      $0.member("name", name)
      writeMessageArguments(to: &$0, shape)
      writeStateArguments(to: &$0, shape)
      writeOtherArguments(to: &$0, shape)
    }
  }

  private func writeMessageArguments(to writer: inout JSONWriter, _ shape: JSONShape) {
    switch self {
    case .messageAdded(let message, let previous):
      writer.member("message", message, shape)
      writer.member(optional: "previous", previous, shape)
    case .messageChanged(let old, let new):
      writer.member("old", old, shape)
      writer.member("new", new, shape)
    case .messageRemoved(let message), .keyboard(let message): writer.member("message", message, shape)
    default: break
    }
  }

  /// What goes from a previous value to the current one.
  private func writeStateArguments(to writer: inout JSONWriter, _ shape: JSONShape) {
    switch self {
    case .chatState(let from, let to): writer.change(from.rawValue, to.rawValue)
    case .sessionState(let from, let to): writer.change(from.rawValue, to.rawValue)
    case .onlineStatus(let from, let to): writer.change(from.rawValue, to.rawValue)
    case .operatorChanged(let from, let to):
      writer.member(optional: "previous", from, shape)
      writer.member(optional: "current", to, shape)
    case .locationSettings(let from, let to):
      writer.member(optional: "previous", json: from, shape)
      writer.member(optional: "current", json: to, shape)
    default: break
    }
  }

  private func writeOtherArguments(to writer: inout JSONWriter, _ shape: JSONShape) {
    switch self {
    case .operatorTyping(let isTyping): writer.member("is_typing", isTyping)
    case .departments(let departments): writer.member("departments", departments, shape)
    case .unreadByOperator(let since), .unreadByVisitor(let since): writer.member(optional: "value", since)
    case .unreadCount(let count): writer.member("value", count)
    case .survey(let survey): writer.member("survey", survey, shape)
    case .surveyQuestion(let question, let position):
      writer.member("question", question, shape)
      writer.member("position", position, shape)
    case .surveyCancelled(let survey): writer.member(optional: "survey", survey, shape)
    case .rated(let operatorID, let stars):
      writer.member("operator_id", operatorID)
      writer.member("rating", stars)
    case .resolved(let operatorID, let answer):
      writer.member("operator_id", operatorID)
      writer.member("answer", answer)
    case .language(let code): writer.member(optional: "code", code)
    case .greeting(let text): writer.member("text", text)
    case .connection(let isConnected): writer.member("connected", isConnected)
    case .notFatalError(let error), .fatalError(let error): writer.member("error", error, shape)
    default: break
    }
  }
}

extension JSONWriter {
  fileprivate mutating func change(_ from: String, _ to: String) {
    member("previous", from)
    member("current", to)
  }
}
