internal import Chat
internal import JSON

/// Starting, reading and closing a chat, from the visitor's side.
extension ServiceVisitor {
  /// What a start of a chat brings along.
  struct Start {
    var clientID: String
    var firstQuestion: String?
    var department: String?
    var customFields: String?
    var isForced = false
    /// Whether the visitor takes an offline service for an online one; clients do by default.
    var isOnlineForced = true
  }

  mutating func startReceived(
    _ arguments: ServiceArguments, _ turn: inout ServiceTurn
  ) throws(ServiceRefusal) {
    var start = Start(clientID: try arguments.filled("client-side-id"))
    start.firstQuestion = arguments["first-question"].flatMap { $0.isEmpty ? nil : $0 }
    start.department = arguments["department-key"].flatMap { $0.isEmpty ? nil : $0 }
    let fieldsName = arguments["visitor-fields"] == nil ? "custom_fields" : "visitor-fields"
    start.customFields = try arguments.object(fieldsName)
    start.isForced = try arguments.flag("force-start") ?? false
    start.isOnlineForced = try arguments.flag("force-online") ?? true
    if let key = start.department, !turn.settings.departments.contains(where: { $0.key == key }) {
      throw ServiceRefusal(.wrongArgument, argument: "department-key", explanation: "no such department")
    }
    if chat?.startID == start.clientID {
      turn.counts.repeats += 1
      return
    }
    if let chat, !chat.state.isClosed { return }
    if let obstacle = obstacle(to: start, turn.settings) { return enter(obstacle, &turn) }
    open(start, &turn)
  }

  /// The session state in which a start is left waiting, if it is.
  func obstacle(to start: Start, _ settings: WebimService.Settings) -> SessionState? {
    if !start.isOnlineForced, settings.onlineStatus == .offline || settings.onlineStatus == .busyOffline {
      return .offlineMessage
    }
    if start.isForced { return nil }
    if settings.requiresDepartment, !settings.departments.isEmpty, start.department == nil {
      return .departmentSelection
    }
    return settings.requiresFirstQuestion && start.firstQuestion == nil ? .firstQuestion : nil
  }

  /// Starts a chat, or opens again the one that one party has closed.
  mutating func open(_ start: Start, _ turn: inout ServiceTurn) {
    let isReopened = chat?.state == .closedByOperator || chat?.state == .closedByVisitor
    if isReopened {
      chat?.state = .queue
      chat?.present = nil
      chat?.startID = start.clientID
      chat?.closedBy = nil
    } else {
      begin(
        ServiceChat(
          id: turn.ids.makeChat(), clientID: start.clientID, state: .queue, createdAt: turn.now,
          firstPosition: messages.count))
      turn.counts.chatsStarted += 1
    }
    chat?.department = start.department
    chat?.firstQuestion = start.firstQuestion
    announceChat(&turn)
    enter(.chat, &turn)
    guard let chat else { return }
    turn.events.append(
      .chatStarted(
        DeskChat(
          id: chat.id, visitorID: id, firstQuestion: start.firstQuestion, department: start.department,
          customFields: start.customFields, isForced: start.isForced, isReopened: isReopened)))
    if let question = start.firstQuestion {
      receive(
        visitorText(question.cut(to: turn.settings.maxMessageLength), turn.ids.makeWord("c"), &turn),
        &turn)
    }
    if !isReopened {
      for text in turn.settings.welcome { sayAsSystem(.info, text, &turn) }
    }
  }

  func announceChat(_ turn: inout ServiceTurn) {
    guard let chat else { return }
    turn.emit(.chat, id: chat.wireID) { write(chat, into: &$0) }
  }

  mutating func closeReceived(_ turn: inout ServiceTurn) throws(ServiceRefusal) {
    guard let chat else { throw ServiceRefusal(.chatRequired) }
    let closed: ChatState =
      switch chat.state {
      case .closed, .closedByVisitor, .deleted, .unknown: chat.state
      case .queue, .routing, .invitation, .closedByOperator: .closed
      case .chatting, .chattingWithRobot, .hold: .closedByVisitor
      }
    close(as: closed, by: .visitor, &turn)
  }

  /// Moves the chat into a closed state; nothing happens if it is there.
  mutating func close(as state: ChatState, by party: DeskParty, _ turn: inout ServiceTurn) {
    guard let chat, chat.state != state else { return }
    let wasOpen = !chat.state.isClosed
    setOperatorTyping(false, &turn)
    change(to: state, operator: state == .closed ? nil : chat.present, &turn)
    enter(.idleAfterChat, &turn)
    if wasOpen {
      turn.counts.chatsClosed += 1
      self.chat?.closedBy = party
    }
    turn.events.append(.closed(chat.id, by: party, state: state.wire))
  }

  /// Changes the chat's state and operator; keyboards that wait for an answer are cancelled with it.
  mutating func change(to state: ChatState, operator newcomer: ServiceOperator?, _ turn: inout ServiceTurn) {
    guard let chat else { return }
    let isOther = chat.present != newcomer
    guard isOther || chat.state != state else { return }
    cancelKeyboards(&turn)
    self.chat?.state = state
    self.chat?.present = newcomer
    if let newcomer {
      self.chat?.participants.removeAll { $0.id == newcomer.id }
      self.chat?.participants.append(newcomer)
    }
    if chat.state != state { turn.emit(.chatState, id: chat.wireID) { $0.value(state.wire) } }
    // A client takes the operator away itself when it hears of a closed chat.
    if isOther, !state.isClosed { turn.emit(.operator, id: chat.wireID) { newcomer.write(into: &$0) } }
  }

  mutating func setOperatorTyping(_ isTyping: Bool, _ turn: inout ServiceTurn) {
    guard let chat, chat.isOperatorTyping != isTyping else { return }
    self.chat?.isOperatorTyping = isTyping
    turn.emit(.operatorTyping, id: chat.wireID) { $0.value(isTyping) }
  }
}

// MARK: - Typing and reading

extension ServiceVisitor {
  /// Taken without a chat too: a client starts to type before it starts one.
  mutating func typingReceived(
    _ arguments: ServiceArguments, _ turn: inout ServiceTurn
  ) throws(ServiceRefusal) {
    guard let isTyping = try arguments.flag("typing") else {
      throw ServiceRefusal(.argumentMissing, argument: "typing")
    }
    let isDraftDeleted = try arguments.flag("del-message-draft") ?? false
    guard let chat, !chat.state.isClosed else { return }
    self.chat?.isVisitorTyping = isTyping
    let draft = arguments["message-draft"] ?? (isDraftDeleted ? "" : nil)
    turn.events.append(.typing(chat.id, isTyping: isTyping, draft: draft))
  }

  /// Reads up to a message, or the whole chat.
  mutating func readReceived(
    _ arguments: ServiceArguments, _ turn: inout ServiceTurn
  ) throws(ServiceRefusal) {
    let messageID = arguments["message_id"].flatMap { $0.isEmpty ? nil : $0 }
    guard let chat else {
      if messageID != nil { throw ServiceRefusal(.messageNotFound, argument: "message_id") }
      return
    }
    var last = messages.count - 1
    if let messageID {
      guard let position = position(messageID, turn) else {
        throw ServiceRefusal(.messageNotFound, argument: "message_id")
      }
      last = position
    }
    if let first = chat.firstUnread, first <= last { countUnread(from: last + 1, &turn) }
    if messageID == nil { setReadByVisitor(true, &turn) }
    turn.events.append(.read(chat.id, upTo: messageID))
  }

  /// An operator's message has arrived at this position.
  mutating func addUnread(at position: Int, _ turn: inout ServiceTurn) {
    guard let chat else { return }
    self.chat?.firstUnread = chat.firstUnread ?? position
    self.chat?.unreadCount += 1
    setReadByVisitor(false, &turn)
    announceUnread(&turn)
  }

  /// Counts what the visitor has not read from this position on.
  mutating func countUnread(from position: Int, _ turn: inout ServiceTurn) {
    let unread = messages.indices.dropFirst(position).filter {
      messages[$0].isFromOperator && !messages[$0].isDeleted
    }
    guard let chat, chat.unreadCount != unread.count || chat.firstUnread != unread.first else { return }
    self.chat?.firstUnread = unread.first
    self.chat?.unreadCount = unread.count
    announceUnread(&turn)
    if unread.isEmpty { setReadByVisitor(true, &turn) }
  }

  private func announceUnread(_ turn: inout ServiceTurn) {
    guard let chat else { return }
    turn.emit(.unreadByVisitor, id: chat.wireID) {
      $0.object {
        $0.member("msgCnt", chat.unreadCount)
        $0.member(optional: "sinceTs", chat.firstUnread.map { seconds(at: $0) })
      }
    }
  }

  private mutating func setReadByVisitor(_ isRead: Bool, _ turn: inout ServiceTurn) {
    guard let chat, chat.isReadByVisitor != isRead else { return }
    self.chat?.isReadByVisitor = isRead
    turn.emit(.readByVisitor, id: chat.wireID) { $0.value(isRead) }
  }
}
