internal import Chat
internal import JSON

/// The visitor's texts: new ones, repeats, edits, deletions.
extension ServiceVisitor {
  /// A text with a new client id is a message; with a known one it is a repeat if it is the same text, else
  /// an edit.
  mutating func messageReceived(
    _ arguments: ServiceArguments, _ turn: inout ServiceTurn
  ) throws(ServiceRefusal) {
    let clientID = try arguments.filled("client-side-id")
    if arguments["kind"] == "file_visitor" { throw .filesComeLater }
    let text = try arguments.required("message")
    _ = try arguments.flag("hint_question")
    if let number = numbers[clientID] { return try edit(at: number - 1, text, &turn) }

    let quoted = try quoted(in: arguments, turn)
    let data = try arguments.object("data")
    if text.allSatisfy(\.isWhitespace) { throw ServiceRefusal(.messageEmpty, argument: "message") }
    try openForMessage(text, &turn)
    var message = visitorText(text.cut(to: turn.settings.maxMessageLength), clientID, &turn)
    if let quoted { message.quote(messages[quoted], at: quoted) }
    message.data = data
    receive(message, &turn)
  }

  func visitorText(_ text: String, _ clientID: String, _ turn: inout ServiceTurn) -> ServiceMessage {
    var message = draft(.visitorMessage, clientID: clientID, text: text, chatID: chat?.id ?? 0)
    message.canBeEdited = turn.settings.account.allowsEditing
    message.canBeReplied = turn.settings.account.allowsQuoting
    return message
  }

  /// Takes a message of the visitor: operators have not read it yet.
  mutating func receive(_ message: ServiceMessage, _ turn: inout ServiceTurn) {
    let position = append(message, &turn)
    guard let chat else { return }
    self.chat?.isVisitorTyping = false
    if chat.firstUnreadByOperator == nil { setUnreadByOperator(from: position, &turn) }
    turn.events.append(.message(chat.id, messages[position]))
  }

  /// A message needs an open chat: it opens a closed one again and takes up an invitation.
  private mutating func openForMessage(_ text: String, _ turn: inout ServiceTurn) throws(ServiceRefusal) {
    switch chat?.state {
    case .queue, .routing, .chatting, .chattingWithRobot, .hold: return
    case .invitation: return change(to: .chatting, operator: chat?.present, &turn)
    case .closedByOperator, .closedByVisitor: break
    case nil, .closed, .deleted, .unknown:
      guard turn.settings.account.startsChatOnMessage || sessionState == .firstQuestion else {
        throw ServiceRefusal(.noChat)
      }
    }
    let isReopened = chat?.state == .closedByOperator || chat?.state == .closedByVisitor
    var start = Start(clientID: turn.ids.makeWord("c"))
    start.isForced = isReopened
    // The message itself is the first question.
    start.firstQuestion = text
    start.isOnlineForced = sessionState != .offlineMessage
    if let obstacle = obstacle(to: start, turn.settings) {
      enter(obstacle, &turn)
      throw ServiceRefusal(.noChat)
    }
    start.firstQuestion = nil
    start.isForced = false
    open(start, &turn)
  }

  private mutating func edit(
    at position: Int, _ text: String, _ turn: inout ServiceTurn
  ) throws(ServiceRefusal) {
    let message = messages[position]
    let limit = turn.settings.maxMessageLength
    if message.kind == .visitorMessage, message.text == text.cut(to: limit) {
      turn.counts.repeats += 1
      return
    }
    try checkMayChange(message, turn)
    if message.isDeleted { throw ServiceRefusal(.messageNotFound) }
    if text.allSatisfy(\.isWhitespace) { throw ServiceRefusal(.messageEmpty, argument: "message") }
    guard text.scalarCount <= limit else { throw ServiceRefusal(.messageTooLong, argument: "message") }
    messages[position].text = text
    messages[position].isEdited = true
    announceChange(at: position, &turn)
    turn.counts.edits += 1
    turn.events.append(.messageEdited(message.chatID, messages[position], previousText: message.text))
  }

  mutating func deletionReceived(
    _ arguments: ServiceArguments, _ turn: inout ServiceTurn
  ) throws(ServiceRefusal) {
    guard let number = numbers[try arguments.filled("client-side-id")] else {
      throw ServiceRefusal(.messageNotFound)
    }
    let message = messages[number - 1]
    try checkMayChange(message, turn)
    if message.isDeleted {
      turn.counts.repeats += 1
      return
    }
    messages[number - 1].isDeleted = true
    announceChange(at: number - 1, &turn)
    setUnreadByOperator(from: nextUnreadByOperator, &turn)
    turn.counts.deletions += 1
    turn.events.append(.messageDeleted(message.chatID, message))
  }

  /// Only the visitor's own texts may change, and only if the account and the message allow it.
  private func checkMayChange(_ message: ServiceMessage, _ turn: ServiceTurn) throws(ServiceRefusal) {
    switch message.kind {
    case .visitorMessage: break
    case .keyboardResponse, .contacts, .fileFromVisitor, .stickerVisitor:
      throw ServiceRefusal(.wrongMessageKind)
    default: throw ServiceRefusal(.messageNotOwned)
    }
    guard turn.settings.account.allowsEditing, message.canBeEdited else { throw ServiceRefusal(.notAllowed) }
  }
}

// MARK: - Contacts

extension ServiceVisitor {
  /// The answer to a request for contacts, kept as a message of its own.
  mutating func contactsReceived(
    _ arguments: ServiceArguments, _ turn: inout ServiceTurn
  ) throws(ServiceRefusal) {
    guard let fields = try arguments.object("visitor-fields") else {
      throw ServiceRefusal(.argumentMissing, argument: "visitor-fields")
    }
    guard let chat, !chat.state.isClosed else { throw ServiceRefusal(.noChat) }
    append(draft(.contacts, clientID: turn.ids.makeWord("c"), text: fields, chatID: chat.id), &turn)
    turn.events.append(.contacts(chat.id, fields: fields))
  }
}

// MARK: - Quotes and read marks

extension ServiceVisitor {
  /// The position of the message that a reply quotes (the Webim protocol, sections 4.3 and 4.5).
  private func quoted(
    in arguments: ServiceArguments, _ turn: ServiceTurn
  ) throws(ServiceRefusal) -> Int? {
    guard let quote = arguments["quote"] else { return nil }
    guard let node = try? JSONNode(parsing: quote), let ref = node["ref"], let member = ref["msgId"] else {
      throw ServiceRefusal(.quoteArgumentsMissing, argument: "quote")
    }
    guard let messageID = member.string else { throw ServiceRefusal(.corruptedQuotedID) }
    if messageID.isEmpty { throw ServiceRefusal(.quoteArgumentsMissing, argument: "quote") }
    if ref["msgChannelSideId"] != nil { throw ServiceRefusal(.multipleQuoted) }
    let position = try quotedPosition(messageID, turn)
    guard messages[position].canBeReplied, turn.settings.account.allowsQuoting else {
      throw ServiceRefusal(.cannotBeReplied)
    }
    return position
  }

  /// By server id, or by client id where the client knew no other.
  private func quotedPosition(_ messageID: String, _ turn: ServiceTurn) throws(ServiceRefusal) -> Int {
    if let number = numbers[messageID], !messages[number - 1].isDeleted { return number - 1 }
    if let (owner, _) = turn.ids.message(messageID), owner != index, owner < turn.visitorCount {
      throw ServiceRefusal(.quotedFromAnotherVisitor)
    }
    guard let position = position(messageID, turn), !messages[position].isDeleted else {
      let isID = ServiceIDs.isMessageForm(messageID) || messageID.utf8.allSatisfy(\.isHexDigit)
      throw ServiceRefusal(isID ? .quotedNotFound : .corruptedQuotedID)
    }
    return position
  }

  /// Where what no operator has read begins now.
  var nextUnreadByOperator: Int? {
    guard let first = chat?.firstUnreadByOperator else { return nil }
    return messages.indices.dropFirst(first).first { !messages[$0].isRead && !messages[$0].isDeleted }
  }

  mutating func setUnreadByOperator(from position: Int?, _ turn: inout ServiceTurn) {
    guard let chat, chat.firstUnreadByOperator != position else { return }
    self.chat?.firstUnreadByOperator = position
    turn.emit(.unreadByOperator, id: chat.wireID) { writer in
      guard let position else { return writer.null() }
      writer.value(seconds(at: position))
    }
  }
}

extension UInt8 {
  fileprivate var isHexDigit: Bool { Unicode.Scalar(self).properties.isASCIIHexDigit }
}
