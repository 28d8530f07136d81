internal import Chat
internal import JSON

/// Turns full updates and deltas into updates (the protocol's sections 2.7 and 3.4).
///
/// It remembers the chat's state and the session's. An item that lacks a needed member is dropped; objects
/// and events that are not listed are ignored.
struct UpdateDecoder: Equatable, Sendable {
  enum Item: Equatable, Sendable {
    case update(Update)
    /// The history has moved to a revision.
    case historyRevision(String)
  }

  var messages = MessageDecoder()
  private(set) var chatState = ChatState.closed
  private(set) var sessionState = SessionState.unknown
  private var hasChat = false

  mutating func fullUpdate(_ node: JSONNode) -> FullUpdate {
    let update = FullUpdate(wire: node) { chat(wire: $0) }
    sessionState = update.snapshot.sessionState
    hasChat = update.snapshot.chat != nil
    chatState = update.snapshot.chat?.state ?? .closed
    return update
  }

  mutating func delta(_ node: JSONNode) -> Item? {
    guard let event = node["event"]?.string, ["add", "upd", "del"].contains(event),
      let id = node["id"]?.string, let type = node["objectType"]?.string
    else { return nil }
    let data = node["data"]
    if type == "HISTORY_REVISION" {
      return .historyRevision(data?["revision"]?.revision ?? "0")
    }
    let isUpdate = event == "upd"
    let update =
      message(type, event, id, data) ?? chatObject(type, isUpdate, data)
      ?? (isUpdate ? chatMember(type, data) : nil) ?? session(type, isUpdate, data)
    return update.map(Item.update)
  }

  private func message(_ type: String, _ event: String, _ id: String, _ data: JSONNode?) -> Update? {
    switch (type, event) {
    case ("CHAT_MESSAGE", "add"): data.flatMap(messages.decode).map(Update.messageAdded)
    case ("CHAT_MESSAGE", "upd"): data.flatMap(messages.decode).map(Update.messageChanged)
    case ("CHAT_MESSAGE", _): .messageRemoved(serverID: id)
    case ("MESSAGE_READ", "upd"): data?.bool.map { .messageRead(serverID: id, $0) }
    default: nil
    }
  }

  /// Objects that are set as a whole, and gone when they come otherwise.
  private mutating func chatObject(_ type: String, _ isUpdate: Bool, _ data: JSONNode?) -> Update? {
    let object = isUpdate ? data.flatMap { $0.isObject ? $0 : nil } : nil
    switch type {
    case "CHAT":
      guard let object else {
        chatState = .closed
        return .chat(nil)
      }
      let chat = chat(wire: object)
      hasChat = true
      chatState = chat.state
      return .chat(chat)
    case "CHAT_OPERATOR":
      guard let object else { return .operatorChanged(nil) }
      return Operator(wire: object).map(Update.operatorChanged)
    default:
      return nil
    }
  }

  private mutating func chatMember(_ type: String, _ data: JSONNode?) -> Update? {
    switch type {
    case "CHAT_STATE":
      guard let state = data?.string.map(ChatState.init(wire:)) else { return nil }
      chatState = hasChat ? state : .closed
      return .chatState(state)
    case "CHAT_ID": return data?.integer.map(Update.chatID)
    case "CHAT_OPERATOR_TYPING": return data?.bool.map(Update.operatorTyping)
    case "CHAT_READ_BY_VISITOR": return data?.bool.map(Update.readByVisitor)
    case "CHAT_UNREAD_BY_OPERATOR_SINCE_TS":
      guard let data else { return .unreadByOperator(since: nil) }
      return data.number.map { .unreadByOperator(since: $0) }
    case "UNREAD_BY_VISITOR":
      return data?["msgCnt"]?.integer.map { .unreadByVisitor(count: $0, since: data?["sinceTs"]?.number) }
    case "OPERATOR_RATE": return rating(data)
    default: return nil
    }
  }

  private func rating(_ data: JSONNode?) -> Update? {
    guard let data, let id = data["operatorId"]?.integer.map(String.init) else { return nil }
    if let answer = data["answer"]?.integer { return .resolution(operatorID: id, answer: answer) }
    return data["rating"]?.integer.map { .rating(operatorID: id, stars: $0 &+ 3) }
  }

  private mutating func session(_ type: String, _ isUpdate: Bool, _ data: JSONNode?) -> Update? {
    switch type {
    case "DEPARTMENT_LIST":
      return data.flatMap { $0.isArray ? .departments($0.elements.compactMap(Department.init(wire:))) : nil }
    case "SURVEY":
      guard let data, data.isObject else { return .survey(nil) }
      return Survey(wire: data).map(Update.survey)
    case "VISIT_SESSION_STATE":
      guard isUpdate, let word = data?.string else { return nil }
      sessionState = SessionState(wire: word)
      return .sessionState(sessionState)
    case "VISITOR_FULL": return isUpdate ? data.flatMap(VisitorProfile.init(wire:)).map(Update.visitor) : nil
    case "VISIT_SESSION_LANG": return data?.string.map(Update.language)
    default: return nil
    }
  }

  /// Reads a chat with its messages.
  private func chat(wire node: JSONNode) -> ChatSnapshot {
    var chat = ChatSnapshot(wire: node)
    chat.listsMessages = node["messages"]?.isArray ?? false
    chat.messages = (node["messages"]?.elements ?? []).compactMap(messages.decode)
    return chat
  }
}

extension JSONNode {
  /// A revision: text or a whole number.
  var revision: String? { string ?? integer.map(String.init) }
}
