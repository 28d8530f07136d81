import Chat
import Dialects
import JSON

/// How a desk's script sees things: the values of `chat.messages`, of events and of what words return.
enum DeskValues {
  static func message(_ message: ServiceMessage, at service: WebimService) -> JSONValue {
    var members: [JSONValue.Member] = [
      .init("id", .string(message.id)), .init("client_id", .string(message.clientID)),
      .init("chat_id", .integer(message.chatID)),
      .init("from", .string(service.origin(of: message).rawValue)),
      .init("type", .string(message.kind.rawValue)), .init("sender_name", .string(message.name)),
      .init("text", .string(message.text)), .init("time", .number(Double(message.timestamp) / 1_000_000)),
      .init("read", .bool(message.isRead)), .init("edited", .bool(message.isEdited)),
    ]
    if let id = message.quotedID { members.append(.init("quote", quote(id, service.message(id)))) }
    if let keyboard = message.keyboard { members.append(.init("keyboard", self.keyboard(keyboard))) }
    if let response = message.response {
      members.append(
        .init(
          "keyboard_response",
          ["button": button(response.button), "message_id": .string(response.requestMessageID)]))
    }
    return .object(members)
  }

  private static func quote(_ id: String, _ message: ServiceMessage?) -> JSONValue {
    guard let message, !message.isDeleted else { return ["message_id": .string(id)] }
    return [
      "message_id": .string(id), "text": .string(message.text), "sender_name": .string(message.name),
    ]
  }

  static func keyboard(_ keyboard: Keyboard) -> JSONValue {
    [
      "state": .string(keyboard.state.rawValue), "buttons": .array(keyboard.buttons.map(button)),
      "rows": .array(keyboard.rows.map { .array($0.map(button)) }),
    ]
  }

  static func button(_ button: Button) -> JSONValue {
    ["id": .string(button.id), "text": .string(button.text), "state": .string(button.state.rawValue)]
  }

  static func `operator`(_ operator: ServiceOperator) -> JSONValue {
    var members: [JSONValue.Member] = [
      .init("id", .string(`operator`.handle)), .init("wire_id", .integer(`operator`.id)),
      .init("name", .string(`operator`.name)),
    ]
    if let robot = `operator`.robotType { members.append(.init("robot_type", .string(robot))) }
    if let title = `operator`.title { members.append(.init("title", .string(title))) }
    return .object(members)
  }

  static func visitor(_ visitor: DeskVisitor) -> JSONValue {
    [
      "id": .string(visitor.id), "name": .string(visitor.name), "location": .string(visitor.location),
      "fields": .object(
        visitor.fields.sorted { $0.key < $1.key }.map { .init($0.key, .string($0.value)) }),
      "is_returning": .bool(visitor.isReturning),
    ]
  }

  static func press(_ press: DeskPress) -> JSONValue {
    [
      "id": .string(press.buttonID), "text": .string(press.text),
      "keyboard_id": .string(press.keyboardID), "message_id": .string(press.responseID),
    ]
  }

  static func answer(_ answer: DeskSurveyAnswer) -> JSONValue {
    var members: [JSONValue.Member] = [
      .init("form", .string(answer.form)), .init("question", .integer(answer.question + 1)),
      .init("text", .string(answer.questionText)), .init("value", .string(answer.value)),
    ]
    if let option = answer.option { members.append(.init("option", .string(option))) }
    return .object(members)
  }

  /// The fields of a chat that a script reads; its messages are asked for apart.
  static func chat(_ id: WebimService.ChatID, at service: WebimService) -> JSONValue {
    guard let chat = service.chat(id) else { return ["id": .integer(id)] }
    return [
      "id": .integer(id), "state": .string(chat.state.rawValue),
      "visitor": service.visitor(chat.visitorID).map(visitor) ?? ["id": .string(chat.visitorID)],
      "operator": chat.operator.map(`operator`) ?? .null,
      "closed_by": chat.closedBy.map { .string($0.rawValue) } ?? .null,
      "department": chat.department.map(JSONValue.string) ?? .null,
      "first_question": chat.firstQuestion.map(JSONValue.string) ?? .null,
    ]
  }
}
