package import Chat

/// How things stand at the service now, for its desk.
extension WebimService {
  /// How many visitors have ever been here.
  package var visitorCount: Int { visitors.count }

  /// How many chats there were so far.
  package var chatCount: Int { chats.count }

  /// The chats that are open, in the order of their beginning.
  package var openChats: [DeskChatStanding] {
    let open = visitors.compactMap { visitor in
      visitor.chat.flatMap { $0.state.isClosed ? nil : DeskChatStanding($0, visitorID: visitor.id) }
    }
    return open.sorted { $0.id < $1.id }
  }

  package func chat(_ id: ChatID) -> DeskChatStanding? {
    guard let visitor = chats[id].map({ visitors[$0] }) else { return nil }
    let chat = visitor.chat?.id == id ? visitor.chat : visitor.formerChats.last { $0.id == id }
    return chat.map { DeskChatStanding($0, visitorID: visitor.id) }
  }

  /// Whether a chat is the last one of a visitor who is here, so that more may come of it.
  package func isCurrent(_ id: ChatID) -> Bool {
    guard let visitor = chats[id].map({ visitors[$0] }) else { return false }
    return visitor.isPresent && visitor.chat?.id == id
  }

  /// What stands in a chat, whoever wrote it, in the order of its coming.
  package func messages(of chat: ChatID) -> [ServiceMessage] {
    guard let visitor = chats[chat].map({ visitors[$0] }) else { return [] }
    return visitor.messages.filter { $0.chatID == chat && !$0.isDeleted }
  }

  /// A message by its server id, one that was deleted too.
  package func message(_ id: String) -> ServiceMessage? {
    guard let (index, number) = ids.message(id), visitors.indices.contains(index),
      visitors[index].messages.indices.contains(number - 1)
    else { return nil }
    return visitors[index].messages[number - 1]
  }

  /// Everybody who has ever been here, in the order of their coming.
  package var deskVisitors: [DeskVisitor] { visitors.map(DeskVisitor.init) }

  package func visitor(_ id: String) -> DeskVisitor? {
    guard let index = ids.visitorIndex(id), visitors.indices.contains(index) else { return nil }
    return DeskVisitor(visitors[index])
  }

  /// The handles of the operators and robots that the desk has made known.
  package var operatorHandles: [String] { operatorIDs.keys.sorted() }

  /// An operator by the desk's handle, the name or the wire's number.
  package func `operator`(_ word: String) -> ServiceOperator? {
    operatorIDs[word].flatMap { operators[$0] }
      ?? operators.values.filter { $0.name == word }.min { $0.id < $1.id }
      ?? Int(word).flatMap { operators[$0] }
  }

  /// Who speaks in a message: a robot's words are those of an author that was made known as a robot.
  package func origin(of message: ServiceMessage) -> Message.Origin {
    let author = message.authorID.flatMap { operators[$0] }
    return message.kind.origin(isFromRobot: author?.robotType != nil)
  }
}
