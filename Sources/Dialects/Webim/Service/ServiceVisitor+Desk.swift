internal import Chat
internal import JSON

/// What operators, robots and the service do to one visitor's chat.
extension ServiceVisitor {
  mutating func assign(
    _ newcomer: ServiceOperator, state: ChatState, _ turn: inout ServiceTurn
  ) throws(DeskError) {
    _ = try openChat()
    setOperatorTyping(false, &turn)
    change(to: state, operator: newcomer, &turn)
  }

  /// `hold` keeps the operator; the queue and routing have none.
  mutating func move(to state: ChatState, _ turn: inout ServiceTurn) throws(DeskError) {
    let chat = try openChat()
    setOperatorTyping(false, &turn)
    change(to: state, operator: state == .hold ? chat.present : nil, &turn)
  }

  /// Closes as the operator; an invitation, or a chat that the visitor has closed, is over at once.
  mutating func closeAsDesk(_ isFinal: Bool, _ turn: inout ServiceTurn) {
    guard let chat else { return }
    let closed: ChatState =
      switch chat.state {
      case .closed, .deleted, .unknown: chat.state
      case .invitation, .closedByVisitor: .closed
      case .closedByOperator: isFinal ? .closed : .closedByOperator
      case .queue, .routing, .chatting, .chattingWithRobot, .hold: isFinal ? .closed : .closedByOperator
      }
    close(as: closed, by: .operator, &turn)
  }

  mutating func invite(
    _ host: ServiceOperator, _ text: String?, _ turn: inout ServiceTurn
  ) throws(DeskError) -> Int {
    if let chat, !chat.state.isClosed {
      throw DeskError(
        code: .wrongState, object: "visitor \(id)", problem: "is in chat \(chat.id) already",
        mend: "say it there, or close that chat first")
    }
    var chat = ServiceChat(
      id: turn.ids.makeChat(), clientID: turn.ids.makeWord("c"), state: .invitation, createdAt: turn.now,
      firstPosition: messages.count)
    chat.present = host
    chat.participants = [host]
    begin(chat)
    turn.counts.chatsStarted += 1
    announceChat(&turn)
    enter(.chat, &turn)
    if let text { _ = try say(text, quoting: nil, &turn) }
    return chat.id
  }

  mutating func setTyping(_ isTyping: Bool, _ turn: inout ServiceTurn) throws(DeskError) {
    let chat = try openChat()
    if isTyping { _ = try author(of: chat) }
    setOperatorTyping(isTyping, &turn)
  }

  mutating func say(
    _ text: String, quoting quotedID: String?, _ turn: inout ServiceTurn
  ) throws(DeskError) -> ServiceMessage {
    let chat = try openChat()
    let author = try author(of: chat)
    var quoted: Int?
    if let quotedID { quoted = try existing(quotedID, turn) }
    setOperatorTyping(false, &turn)
    var message = operatorMessage(.operatorMessage, text, author, &turn)
    message.canBeReplied = turn.settings.account.allowsQuoting
    if let quoted { message.quote(messages[quoted], at: quoted) }
    return send(message, &turn)
  }

  mutating func offer(
    _ rows: [[Button]], _ text: String, _ turn: inout ServiceTurn
  ) throws(DeskError) -> ServiceMessage {
    let chat = try openChat()
    let author = try author(of: chat)
    setOperatorTyping(false, &turn)
    // A keyboard that was not answered gives way to the new one.
    cancelKeyboards(&turn)
    var message = operatorMessage(.keyboard, text, author, &turn)
    message.keyboard = Keyboard(rows: rows)
    return send(message, &turn)
  }

  @discardableResult
  mutating func sayAsSystem(
    _ kind: Message.Kind, _ text: String, _ turn: inout ServiceTurn
  ) -> ServiceMessage {
    send(operatorMessage(kind, text, nil, &turn), &turn)
  }

  private func operatorMessage(
    _ kind: Message.Kind, _ text: String, _ author: ServiceOperator?, _ turn: inout ServiceTurn
  ) -> ServiceMessage {
    var message = draft(kind, clientID: turn.ids.makeWord("c"), text: text, chatID: chat?.id ?? 0)
    message.name = author?.name ?? ""
    message.authorID = author?.id
    message.avatar = author?.avatar
    message.isRead = true
    return message
  }

  private mutating func send(_ message: ServiceMessage, _ turn: inout ServiceTurn) -> ServiceMessage {
    let position = append(message, &turn)
    if message.keyboard != nil { chat?.pendingKeyboards.append(position) }
    if message.isFromOperator { addUnread(at: position, &turn) }
    return messages[position]
  }
}

// MARK: - Messages that exist

extension ServiceVisitor {
  mutating func editAsDesk(
    _ messageID: String, _ text: String, _ turn: inout ServiceTurn
  ) throws(DeskError) -> ServiceMessage {
    let position = try own(messageID, turn)
    if messages[position].text != text {
      messages[position].text = text
      messages[position].isEdited = true
      announceChange(at: position, &turn)
    }
    return messages[position]
  }

  mutating func deleteAsDesk(_ messageID: String, _ turn: inout ServiceTurn) throws(DeskError) {
    let position = try own(messageID, turn)
    messages[position].isDeleted = true
    announceChange(at: position, &turn)
    if let first = chat?.firstUnread { countUnread(from: first, &turn) }
  }

  /// Marks the visitor's messages of the chat read, up to one of them or all.
  mutating func markRead(upTo messageID: String?, _ turn: inout ServiceTurn) throws(DeskError) {
    var last = messages.count - 1
    if let messageID { last = try existing(messageID, turn) }
    guard let first = chat?.firstUnreadByOperator else { return }
    let unread = messages.indices.dropFirst(first).filter {
      $0 <= last && !messages[$0].isRead && !messages[$0].isDeleted
    }
    guard !unread.isEmpty else { return }
    for position in unread {
      messages[position].isRead = true
      touch(position)
      turn.emit(.messageRead, id: messages[position].id) { $0.value(true) }
    }
    announceHistory(&turn)
    setUnreadByOperator(from: nextUnreadByOperator, &turn)
  }

  /// Changes a keyboard's look or state; `button`, if given, has to be one of its.
  mutating func changeKeyboard(
    _ messageID: String, _ button: String?, _ turn: inout ServiceTurn, _ change: (inout Keyboard) -> Void
  ) throws(DeskError) {
    let position = try keyboard(messageID, turn)
    let before = messages[position].keyboard
    if let button { _ = try find(button, in: before, messageID) }
    if var keyboard = before {
      change(&keyboard)
      messages[position].keyboard = keyboard
    }
    if messages[position].keyboard != before { announceChange(at: position, &turn) }
  }

  /// Answers a keyboard in the visitor's place.
  mutating func select(
    _ buttonID: String, _ messageID: String, _ turn: inout ServiceTurn
  ) throws(DeskError) {
    let position = try keyboard(messageID, turn)
    let message = messages[position]
    guard message.keyboard?.state == .pending else {
      throw DeskError(
        code: .wrongState, object: "keyboard \(messageID)", problem: "does not wait for an answer",
        mend: "offer a new one")
    }
    let button = try find(buttonID, in: message.keyboard, messageID)
    respond(to: position, with: button, in: message.chatID, &turn)
  }

  private func find(
    _ buttonID: String, in keyboard: Keyboard?, _ messageID: String
  ) throws(DeskError) -> Button {
    let buttons = keyboard?.buttons ?? []
    guard let button = buttons.first(where: { $0.id == buttonID }) else {
      throw DeskError(
        code: .invalidArgument, object: "keyboard \(messageID)", problem: "has no button \"\(buttonID)\"",
        mend: "its buttons are \(buttons.map(\.id).joined(separator: ", "))")
    }
    return button
  }

  private func existing(_ messageID: String, _ turn: ServiceTurn) throws(DeskError) -> Int {
    guard let position = position(messageID, turn), !messages[position].isDeleted else {
      throw DeskError(
        code: .unknownMessage, object: "message \(messageID)", problem: "is not one of visitor \(id)",
        mend: "give the id of a message that still stands in this conversation")
    }
    return position
  }

  private func own(_ messageID: String, _ turn: ServiceTurn) throws(DeskError) -> Int {
    let position = try existing(messageID, turn)
    switch messages[position].kind {
    case .visitorMessage, .keyboardResponse, .fileFromVisitor, .stickerVisitor, .contacts:
      throw DeskError(
        code: .wrongState, object: "message \(messageID)", problem: "is the visitor's",
        mend: "a desk changes only its own messages")
    default: return position
    }
  }

  private func keyboard(_ messageID: String, _ turn: ServiceTurn) throws(DeskError) -> Int {
    let position = try existing(messageID, turn)
    guard messages[position].keyboard != nil else {
      throw DeskError(
        code: .wrongState, object: "message \(messageID)", problem: "carries no keyboard",
        mend: "give the message that offered the keyboard")
    }
    return position
  }

  private func openChat() throws(DeskError) -> ServiceChat {
    guard let chat, !chat.state.isClosed else {
      throw DeskError(
        code: .wrongState, object: chat.map { "chat \($0.id)" } ?? "visitor \(id)",
        problem: chat.map { "is \($0.state.wire)" } ?? "has no chat",
        mend: "wait until the visitor opens it again, or invite")
    }
    return chat
  }

  private func author(of chat: ServiceChat) throws(DeskError) -> ServiceOperator {
    guard let author = chat.present else {
      throw DeskError(
        code: .wrongState, object: "chat \(chat.id)", problem: "has neither operator nor robot",
        mend: "accept it or give it a robot first")
    }
    return author
  }
}

// MARK: - Ratings and surveys

extension ServiceVisitor {
  /// Puts an operator among those to be rated and tells the visitor by a chat snapshot.
  mutating func requestRating(
    of wanted: ServiceOperator?, _ text: String?, _ turn: inout ServiceTurn
  ) throws(DeskError) {
    guard let chat, let rated = wanted ?? chat.present ?? chat.participants.last else {
      throw DeskError(
        code: .wrongState, object: chat.map { "chat \($0.id)" } ?? "visitor \(id)",
        problem: "has had no operator", mend: "accept it first")
    }
    guard chat.participants.contains(where: { $0.id == rated.id }) else {
      throw DeskError(
        code: .wrongState, object: "operator \"\(rated.handle)\"",
        problem: "has not been in chat \(chat.id)", mend: "name one who took part")
    }
    if !chat.ratings.contains(where: { $0.operatorID == rated.id }) {
      self.chat?.ratings.append(ServiceChat.Rateable(operatorID: rated.id))
    }
    if let text {
      if chat.state.isClosed || chat.present == nil {
        sayAsSystem(.info, text, &turn)
      } else {
        _ = try say(text, quoting: nil, &turn)
      }
    }
    announceChat(&turn)
  }

  mutating func cancelSurveyAsDesk(_ turn: inout ServiceTurn) throws(DeskError) {
    guard let survey else {
      throw DeskError(
        code: .wrongState, object: "visitor \(id)", problem: "has no survey running", mend: "start one first")
    }
    endSurvey(&turn)
    turn.events.append(.surveyCancelled(survey.chatID, surveyID: survey.id, by: .operator))
  }
}
