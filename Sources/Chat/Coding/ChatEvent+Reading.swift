package import JSON

extension ChatEvent {
  package init?(json: JSONNode) {
    guard let name = json["name"]?.string,
      let event = Self.aboutMessage(name, json) ?? Self.aboutState(name, json) ?? Self.aboutSurvey(name, json)
        ?? Self.other(name, json)
    else { return nil }
    self = event
  }

  private static func aboutMessage(_ name: String, _ json: JSONNode) -> ChatEvent? {
    let message: Message? = json.decoded("message")
    switch name {
    case "message": return message.map { .messageAdded($0, previous: json.decoded("previous")) }
    case "message_changed":
      guard let old: Message = json.decoded("old"), let new: Message = json.decoded("new") else { return nil }
      return .messageChanged(from: old, to: new)
    case "message_removed": return message.map { .messageRemoved($0) }
    case "keyboard": return message.map { .keyboard($0) }
    default: return nil
    }
  }

  private static func aboutState(_ name: String, _ json: JSONNode) -> ChatEvent? {
    switch name {
    case "chat_state":
      return change(json).map { .chatState(from: $0, to: $1) }
    case "session_state":
      return change(json).map { .sessionState(from: $0, to: $1) }
    case "online_status":
      return change(json).map { .onlineStatus(from: $0, to: $1) }
    case "operator":
      return .operatorChanged(from: json.decoded("previous"), to: json.decoded("current"))
    case "location_settings":
      return json.jsonText("current").map { .locationSettings(from: json.jsonText("previous"), to: $0) }
    default: return nil
    }
  }

  private static func change<Word: RawRepresentable<String>>(_ json: JSONNode) -> (Word, Word)? {
    guard let from: Word = json.word("previous"), let to: Word = json.word("current") else { return nil }
    return (from, to)
  }

  private static func aboutSurvey(_ name: String, _ json: JSONNode) -> ChatEvent? {
    switch name {
    case "survey": return json.decoded("survey").map { .survey($0) }
    case "survey_question":
      guard let question: Survey.Question = json.decoded("question"),
        let position: Survey.Position = json.decoded("position")
      else { return nil }
      return .surveyQuestion(question, position)
    case "survey_cancelled": return .surveyCancelled(json.decoded("survey"))
    case "rated":
      guard let id = json["operator_id"]?.string, let stars = json["rating"]?.integer else { return nil }
      return .rated(operatorID: id, stars: stars)
    case "resolved":
      guard let id = json["operator_id"]?.string, let answer = json["answer"]?.integer else { return nil }
      return .resolved(operatorID: id, answer: answer)
    default: return nil
    }
  }

  private static func other(_ name: String, _ json: JSONNode) -> ChatEvent? {
    switch name {
    case "operator_typing": return (json["is_typing"]?.bool).map { .operatorTyping($0) }
    case "departments": return .departments(json.list("departments"))
    case "unread_by_operator": return .unreadByOperator(since: json["value"]?.number)
    case "unread_by_visitor": return .unreadByVisitor(since: json["value"]?.number)
    case "unread_count": return (json["value"]?.integer).map { .unreadCount($0) }
    case "language": return .language(json["code"]?.string)
    case "greeting": return (json["text"]?.string).map { .greeting($0) }
    case "connection": return (json["connected"]?.bool).map { .connection($0) }
    case "not_fatal_error": return json.decoded("error").map { .notFatalError($0) }
    case "fatal_error": return json.decoded("error").map { .fatalError($0) }
    default: return nil
    }
  }
}
