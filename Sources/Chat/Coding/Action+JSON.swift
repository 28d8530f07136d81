package import JSON

extension Action: JSONCoded {
  /// An object whose member `action` names the method of the script.
  package func write(to writer: inout JSONWriter, shape: JSONShape) {
    writer.object {
      $0.member("action", name)
      switch self {
      case .startChat(let clientID, let start):
        $0.member("client_id", clientID)
        start.writeMembers(to: &$0, shape)
      case .send(let clientID, let text, let hintQuestion, let data):
        $0.member("client_id", clientID)
        $0.member("text", text)
        $0.member(optional: "hint_question", hintQuestion)
        $0.member(optional: "data", json: data, shape)
      case .reply(let clientID, let text, let quoted):
        $0.member("client_id", clientID)
        $0.member("text", text)
        $0.member(optional: "quoted", quoted)
      case .edit(let id, let text):
        $0.member("client_id", id)
        $0.member("text", text)
      case .delete(let id): $0.member("client_id", id)
      default: writeAnswer(to: &$0, shape)
      }
    }
  }

  /// The members of the actions that make no message.
  private func writeAnswer(to writer: inout JSONWriter, _ shape: JSONShape) {
    switch self {
    case .pressButton(let button, let message):
      writer.member("button", button)
      writer.member("message", message)
    case .rateOperator(let rating): rating.writeMembers(to: &writer)
    case .sendResolutionSurvey(let operatorID, let answer, let threadID):
      writer.member("operator", operatorID)
      writer.member("answer", answer)
      writer.member(optional: "thread_id", threadID)
    case .answerSurvey(let surveyID, let position, let value):
      writer.member("survey_id", surveyID)
      writer.member("position", position, shape)
      writer.member("value", value)
    case .closeSurvey(let surveyID): writer.member("survey_id", surveyID)
    case .setVisitorTyping(let draft): writer.member(optional: "draft", draft)
    case .setChatRead(let message): writer.member(optional: "message", message)
    case .startChat, .closeChat, .send, .reply, .edit, .delete: break
    }
  }

  package init?(json: JSONNode) {
    guard let action = Self.message(json) ?? Self.answer(json) else { return nil }
    self = action
  }

  private static func message(_ json: JSONNode) -> Action? {
    guard let name = json["action"]?.string, let clientID = json["client_id"]?.string else { return nil }
    let text = json["text"]?.string
    switch name {
    case "start_chat": return .startChat(clientID: clientID, StartChat(json: json))
    case "send":
      return text.map {
        .send(
          clientID: clientID, text: $0, hintQuestion: json["hint_question"]?.bool, data: json.jsonText("data")
        )
      }
    case "reply":
      return text.map { .reply(clientID: clientID, text: $0, quoted: json["quoted"]?.string) }
    case "edit": return text.map { .edit(clientID, text: $0) }
    case "delete": return .delete(clientID)
    default: return nil
    }
  }

  private static func answer(_ json: JSONNode) -> Action? {
    switch json["action"]?.string {
    case "close_chat": return .closeChat
    case "send_keyboard_request":
      guard let button = json["button"]?.string else { return nil }
      return .pressButton(button: button, message: json["message"]?.string ?? "")
    case "rate_operator": return Rating(json: json).map { .rateOperator($0) }
    case "send_resolution_survey":
      guard let id = json["operator"]?.string, let answer = json["answer"]?.integer else { return nil }
      return .sendResolutionSurvey(operatorID: id, answer: answer, threadID: json["thread_id"]?.integer)
    case "answer_survey":
      guard let id = json["survey_id"]?.string, let position: Survey.Position = json.decoded("position"),
        let value = json["value"]?.string
      else { return nil }
      return .answerSurvey(surveyID: id, position, value: value)
    case "close_survey": return (json["survey_id"]?.string).map { .closeSurvey(surveyID: $0) }
    case "set_visitor_typing": return .setVisitorTyping(draft: json["draft"]?.string)
    case "set_chat_read": return .setChatRead(messageID: json["message"]?.string)
    default: return nil
    }
  }
}

extension Action.StartChat {
  fileprivate func writeMembers(to writer: inout JSONWriter, _ shape: JSONShape) {
    writer.member(optional: "department", department)
    writer.member(optional: "first_question", firstQuestion)
    writer.member(optional: "custom_fields", json: customFields, shape)
    writer.member("force_start", isForced)
  }

  fileprivate init(json: JSONNode) {
    self.init(
      department: json["department"]?.string, firstQuestion: json["first_question"]?.string,
      customFields: json.jsonText("custom_fields"), isForced: json["force_start"]?.bool ?? false)
  }
}

extension Action.Rating {
  fileprivate func writeMembers(to writer: inout JSONWriter) {
    writer.member("rating", stars)
    writer.member(optional: "operator", operatorID)
    writer.member(optional: "note", note)
    writer.member(optional: "thread_id", threadID)
  }

  fileprivate init?(json: JSONNode) {
    guard let stars = json["rating"]?.integer else { return nil }
    self.init(
      stars: stars, operatorID: json["operator"]?.string, note: json["note"]?.string,
      threadID: json["thread_id"]?.integer)
  }
}
