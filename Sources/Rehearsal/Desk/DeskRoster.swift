import Chat
import Dialects

/// Who is at the desk and in front of it: what the desk's commands and the visitors' doings have brought about.
struct DeskRoster {
  struct ChatEntry {
    let id: WebimService.ChatID
    let visitorID: String
    var department: String?
    var firstQuestion: String?
    var state: ChatState
    /// The handle of whoever has the chat.
    var operatorHandle: String?
    /// Whose doing the end was; nil while the chat is open.
    var closedBy: DeskParty?
    /// In the order of their arrival, as they are now.
    var messages: [ServiceMessage] = []
  }

  /// In the order of their making.
  private(set) var operators: [ServiceOperator] = []
  private(set) var visitors: [DeskVisitor] = []
  private(set) var chats: [WebimService.ChatID: ChatEntry] = [:]

  func chat(_ id: WebimService.ChatID) -> ChatEntry? { chats[id] }

  func visitor(_ id: String) -> DeskVisitor? { visitorIndex[id].map { visitors[$0] } }

  /// An operator by the desk's handle, the name or the wire's number.
  func `operator`(_ word: String) -> ServiceOperator? {
    operators.first { $0.handle == word }
      ?? operators.first { $0.name == word } ?? operators.first { String($0.id) == word }
  }

  private var visitorIndex: [String: Int] = [:]

  // MARK: What happened

  mutating func operatorMade(_ made: ServiceOperator) {
    if let index = operators.firstIndex(where: { $0.handle == made.handle }) {
      operators[index] = made
    } else {
      operators.append(made)
    }
  }

  mutating func eventReceived(_ event: DeskEvent) {
    switch event {
    case .visitorArrived(let visitor): visitorArrived(visitor)
    case .chatStarted(let chat): chatStarted(chat)
    case .message(let chat, let message): messageAdded(chat, message)
    case .messageEdited(let chat, let message, _), .messageDeleted(let chat, let message):
      messageChanged(chat, message)
    case .closed(let chat, let party, let state):
      chats[chat]?.state = ChatState(wire: state)
      chats[chat]?.closedBy = party
    case .pressed(let chat, let press): keyboardChanged(press.keyboardID, in: chat) { $0.state = .completed }
    case .visitorLeft, .rated, .resolved, .surveyAnswered, .surveyFinished, .surveyCancelled,
      .typing, .read, .contacts:
      break
    }
  }

  private mutating func visitorArrived(_ visitor: DeskVisitor) {
    if let index = visitorIndex[visitor.id] {
      visitors[index] = visitor
    } else {
      visitorIndex[visitor.id] = visitors.count
      visitors.append(visitor)
    }
  }

  private mutating func chatStarted(_ chat: DeskChat) {
    var entry = ChatEntry(id: chat.id, visitorID: chat.visitorID, state: .queue)
    entry.department = chat.department
    entry.firstQuestion = chat.firstQuestion
    entry.messages = chats[chat.id]?.messages ?? []
    chats[chat.id] = entry
  }

  mutating func chatInvited(_ id: WebimService.ChatID, visitorID: String, operator handle: String) {
    var entry = ChatEntry(id: id, visitorID: visitorID, state: .invitation)
    entry.operatorHandle = handle
    entry.messages = chats[id]?.messages ?? []
    chats[id] = entry
  }

  mutating func messageAdded(_ chat: WebimService.ChatID, _ message: ServiceMessage) {
    chats[chat]?.messages.append(message)
    if chats[chat]?.state == .invitation, message.kind == .visitorMessage { chats[chat]?.state = .chatting }
  }

  /// - Returns: The message that is gone.
  mutating func messageDeleted(_ id: String, in chat: WebimService.ChatID) -> ServiceMessage? {
    guard let index = find(id, in: chat) else { return nil }
    return chats[chat]?.messages.remove(at: index)
  }

  mutating func keyboardChanged(
    _ id: String, in chat: WebimService.ChatID, _ change: (inout Keyboard) -> Void
  ) {
    guard let index = find(id, in: chat), var keyboard = chats[chat]?.messages[index].keyboard else { return }
    change(&keyboard)
    chats[chat]?.messages[index].keyboard = keyboard
  }

  private func find(_ messageID: String, in chat: WebimService.ChatID) -> Int? {
    chats[chat]?.messages.lastIndex { $0.id == messageID }
  }

  mutating func messageChanged(_ chat: WebimService.ChatID, _ message: ServiceMessage) {
    guard let index = chats[chat]?.messages.firstIndex(where: { $0.id == message.id }) else { return }
    if message.isDeleted {
      chats[chat]?.messages.remove(at: index)
    } else {
      chats[chat]?.messages[index] = message
    }
  }

  /// Lets go of a closed chat's messages.
  mutating func forgetMessages(of chat: WebimService.ChatID) {
    chats[chat]?.messages = []
  }

  mutating func stateChanged(
    _ chat: WebimService.ChatID, to state: ChatState, operator handle: String?, closedBy: DeskParty? = nil
  ) {
    chats[chat]?.state = state
    chats[chat]?.operatorHandle = handle
    chats[chat]?.closedBy = closedBy
  }
}
