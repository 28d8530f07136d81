import Chat
import Dialects
import JSON
import Script

/// What a desk's handlers get and its waits look at.
extension DeskEvent {
  /// The stream that belongs to the desk as a whole; chats have their numbers.
  static let deskStream = 0

  func occurrence(at now: Double, service: WebimService) -> Occurrence {
    let facts = self.facts()
    return Occurrence(
      at: now, stream: chat ?? Self.deskStream, name: name, facts: facts, summary: summary,
      value: value(at: service).bytes)
  }

  /// The chat that it is about.
  var chat: WebimService.ChatID? {
    switch self {
    case .visitorArrived, .visitorLeft: nil
    case .chatStarted(let chat): chat.id
    case .message(let chat, _), .messageEdited(let chat, _, _), .messageDeleted(let chat, _),
      .pressed(let chat, _), .rated(let chat, _, _, _), .resolved(let chat, _, _),
      .surveyAnswered(let chat, _), .surveyFinished(let chat, _, _), .surveyCancelled(let chat, _, _),
      .typing(let chat, _, _), .read(let chat, _), .closed(let chat, _, _), .contacts(let chat, _):
      chat
    }
  }

  /// The visitor it is about, where the event tells.
  var visitor: String? {
    switch self {
    case .visitorArrived(let visitor): visitor.id
    case .visitorLeft(let id): id
    case .chatStarted(let chat): chat.visitorID
    default: nil
    }
  }

  /// What a handler gets after the chat, or alone when the event is of no chat.
  func arguments(_ occurrence: Occurrence) -> [[UInt8]] {
    if case .chatStarted = self { return [] }
    return [occurrence.value]
  }

  /// The name of the handler without `on_`.
  var name: String {
    switch self {
    case .visitorArrived: "visitor"
    case .visitorLeft: "visitor_left"
    case .chatStarted: "chat"
    case .message: "message"
    case .messageEdited: "message_changed"
    case .messageDeleted: "message_removed"
    case .pressed: "press"
    case .rated: "rating"
    case .resolved: "resolution"
    case .surveyAnswered: "question_answer"
    case .surveyFinished, .surveyCancelled: "survey"
    case .typing: "typing"
    case .read: "read"
    case .closed: "close"
    case .contacts: "contacts"
    }
  }

  /// `from` stays open: whatever comes to a desk comes from its visitor.
  private func facts() -> Occurrence.Facts {
    var facts = Occurrence.Facts()
    switch self {
    case .message(_, let message), .messageEdited(_, let message, _), .messageDeleted(_, let message):
      facts.id = message.id
      facts.type = message.kind.rawValue
      facts.text = message.text
    case .pressed(_, let press):
      facts.text = press.text
      facts.buttons = [Occurrence.Button(id: press.buttonID, text: press.text)]
    case .rated(_, let rated, _, let note):
      facts.operatorID = rated.handle
      facts.operatorName = rated.name
      facts.text = note
    case .resolved(_, let rated, _):
      facts.operatorID = rated.handle
      facts.operatorName = rated.name
    case .surveyAnswered(_, let answer): facts.text = answer.value
    case .typing(_, _, let draft): facts.text = draft
    case .closed(_, _, let state): facts.state = state
    case .visitorArrived, .visitorLeft, .chatStarted, .surveyFinished, .surveyCancelled, .read, .contacts:
      break
    }
    return facts
  }

  private var summary: String {
    switch self {
    case .message(_, let message): "message: \"\(message.text)\""
    case .messageEdited(_, let message, _): "message edited: \"\(message.text)\""
    case .messageDeleted(_, let message): "message deleted: \"\(message.text)\""
    case .pressed(_, let press): "press of \"\(press.text)\""
    case .rated(_, let rated, let stars, _): "rating of \(rated.name): \(stars)"
    case .resolved(_, let rated, let answer): "resolution for \(rated.name): \(answer ? "yes" : "no")"
    case .surveyAnswered(_, let answer): "answer to \"\(answer.questionText)\": \(answer.value)"
    case .closed(_, let party, _): "closed by the \(party.rawValue)"
    case .typing(_, let isTyping, _): isTyping ? "typing" : "typing stopped"
    default: name
    }
  }

  /// What a wait returns and a handler gets, after the chat if it is a chat's.
  func value(at service: WebimService) -> JSONValue {
    switch self {
    case .visitorArrived(let visitor): DeskValues.visitor(visitor)
    case .visitorLeft(let id): service.visitor(id).map(DeskValues.visitor) ?? ["id": .string(id)]
    case .chatStarted(let chat): DeskValues.chat(chat.id, at: service)
    case .message(_, let message), .messageDeleted(_, let message), .messageEdited(_, let message, _):
      DeskValues.message(message, at: service)
    case .pressed(_, let press): DeskValues.press(press)
    case .rated(_, let rated, let stars, let note):
      [
        "operator": DeskValues.operator(rated), "stars": .integer(stars),
        "note": note.map(JSONValue.string) ?? .null,
      ]
    case .resolved(_, let rated, let answer):
      ["operator": DeskValues.operator(rated), "answer": .bool(answer)]
    case .surveyAnswered(_, let answer): DeskValues.answer(answer)
    case .surveyFinished(_, _, let answers):
      ["finished": true, "answers": .array(answers.map(DeskValues.answer))]
    case .surveyCancelled(_, _, let party): ["finished": false, "answers": [], "by": .string(party.rawValue)]
    case .typing(_, let isTyping, let draft):
      ["is_typing": .bool(isTyping), "draft": draft.map(JSONValue.string) ?? .null]
    case .read(_, let id): ["message_id": id.map(JSONValue.string) ?? .null]
    case .closed(_, let party, let state): ["by": .string(party.rawValue), "state": .string(state)]
    case .contacts(_, let fields): ["fields": .string(fields)]
    }
  }
}
