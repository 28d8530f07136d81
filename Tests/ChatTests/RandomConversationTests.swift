import Chat
import JSON
import TestSupport
import Testing

/// Whatever a service says, in whatever order: events and state stay in step.
@Suite struct RandomConversationTests {
  @Test(arguments: 0..<40 as Range<UInt64>)
  func `events told to a list make the same feed, each message added at most once`(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    var conversation = Conversation()
    var mirror = Mirror()
    for _ in 0..<250 {
      let update = generator.update()
      let events = conversation.apply(update)
      mirror.told(events, of: update)
      mirror.addSilent(conversation)
      #expect(mirror.messages.map(\.id) == conversation.messages.map(\.id), "after \(update)")
      #expect(zip(mirror.messages, conversation.messages).allSatisfy { $0.looksLike($1) }, "after \(update)")
      #expect(isOrdered(conversation.messages), "after \(update)")
      if update.isRepeatable { #expect(conversation.apply(update).isEmpty, "\(update) again") }
    }
    #expect(mirror.faults.isEmpty)
  }

  @Test(arguments: 0..<20 as Range<UInt64>)
  func `a conversation comes back from the store equal, whole or in parts`(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    var conversation = Conversation()
    for _ in 0..<60 {
      conversation.apply([generator.update()])
      let node = try JSONNode(parsing: conversation.json())
      #expect(Conversation(json: node) == conversation)
    }
    let header = try JSONNode(parsing: conversation.headerJSON())
    #expect(Conversation(header: header, messages: conversation.messages) == conversation)
  }

  private func isOrdered(_ messages: [Message]) -> Bool {
    let sent = messages.prefix { $0.sendStatus == .sent }
    let inOrder = zip(sent, sent.dropFirst()).allSatisfy { $0.timestamp <= $1.timestamp }
    return inOrder && messages.dropFirst(sent.count).allSatisfy { $0.sendStatus == .sending }
      && Set(messages.map(\.id)).count == messages.count
  }
}

/// A list that knows only what listeners are told, and what the feed was filled with silently.
private struct Mirror {
  private(set) var messages: [Message] = []
  private(set) var faults: [String] = []
  private var silent: Set<String> = []

  mutating func told(_ events: [ChatEvent], of update: Update) {
    for event in events {
      switch event {
      case .messageAdded(let message, _):
        for known in messages where known.id == message.id || known.serverID == message.serverID {
          if silent.remove(known.id) != nil { messages.removeAll { $0.id == known.id } }
        }
        if messages.contains(where: { $0.id == message.id }) {
          faults.append("\(message.id) again by \(update)")
        }
        insert(message)
      case .messageChanged(let old, let new): change(old, new, update)
      case .messageRemoved(let message):
        if !messages.contains(where: { $0.id == message.id }) {
          faults.append("no \(message.id) by \(update)")
        }
        messages.removeAll { $0.id == message.id }
        silent.remove(message.id)
      case .keyboard(let message):
        if !messages.contains(message) || !message.hasPendingKeyboard {
          faults.append("keyboard of \(message.id) by \(update)")
        }
      default: break
      }
    }
  }

  private mutating func change(_ old: Message, _ new: Message, _ update: Update) {
    guard let index = messages.firstIndex(where: { $0.id == old.id }), !old.looksLike(new) else {
      faults.append("no change of \(old.id) by \(update)")
      return
    }
    messages[index] = new
    if silent.remove(old.id) != nil { silent.insert(new.id) }
    guard old.timestamp != new.timestamp || old.sendStatus != new.sendStatus else { return }
    messages.remove(at: index)
    insert(new)
  }

  mutating func addSilent(_ conversation: Conversation) {
    for entry in conversation.feed.entries where !entry.isAnnounced {
      guard !messages.contains(where: { $0.id == entry.message.id }) else { continue }
      silent.insert(entry.message.id)
      insert(entry.message)
    }
  }

  private mutating func insert(_ message: Message) {
    guard message.sendStatus == .sent else { return messages.append(message) }
    let place = messages.firstIndex { $0.sendStatus == .sending || $0.timestamp > message.timestamp }
    messages.insert(message, at: place ?? messages.count)
  }
}

extension Update {
  /// Whether saying it again says nothing new.
  fileprivate var isRepeatable: Bool {
    switch self {
    case .surveyAnswered: false
    default: true
    }
  }
}

extension SeededGenerator {
  /// A message out of a small world: its ids and its time belong together, all else varies.
  fileprivate mutating func report() -> Message {
    let number = integer(1...12)
    let server = "s-\(number)"
    var message = Message(
      id: oneIn(5) ? server : "\(number)", serverID: server,
      kind: pick([.visitorMessage, .operatorMessage, .keyboard, .info], or: .info),
      text: pick(["one", "two"], or: ""), timestamp: Int64(number) * 1000)
    message.isRead = oneIn(2)
    message.isEdited = oneIn(4)
    message.chatID = pick(["1", "2"], or: "1")
    message.senderID = pick(["501", "7"], or: "7")
    if message.kind == .keyboard {
      message.keyboard = Keyboard(
        rows: [[Button(id: "b", text: "B")]], state: pick([.pending, .completed, .canceled], or: .pending))
    }
    return message
  }

  private mutating func reports() -> [Message] {
    var seen: Set<String?> = []
    return (0..<integer(0...6)).map { _ in report() }.filter { seen.insert($0.serverID).inserted }
  }

  private mutating func chatSnapshot() -> ChatSnapshot {
    var chat = ChatSnapshot(id: integer(1...2), state: pick(ChatState.allCases, or: .queue))
    chat.clientID = maybe { $0.pick(["x", "y"], or: "x") }
    chat.messages = reports()
    chat.listsMessages = !oneIn(5)
    chat.operator = maybe { $0.person() }
    chat.isOperatorTyping = oneIn(2)
    chat.isReadByVisitor = oneIn(2)
    chat.unreadByVisitorCount = integer(0...3)
    chat.unreadByVisitorSince = maybe { Double($0.integer(1...12)) / 1000 }
    chat.unreadByOperatorSince = since()
    chat.ratings = oneIn(2) ? [:] : ["501": integer(1...5)]
    chat.resolutions = oneIn(2) ? [:] : ["501": integer(0...1)]
    chat.language = maybe { $0.word() }
    return chat
  }

  private mutating func snapshot() -> Snapshot {
    var snapshot = Snapshot(sessionState: pick(SessionState.allCases, or: .chat))
    snapshot.departments = maybe { [$0.department()] }
    snapshot.survey = maybe { $0.survey() }
    snapshot.visitor = maybe { VisitorProfile(id: $0.word(), fields: ["name": $0.text()]) }
    snapshot.chat = maybe { $0.chatSnapshot() }
    snapshot.greeting = maybe { $0.word() }
    snapshot.onlineStatus = maybe { $0.pick(OnlineStatus.allCases, or: .online) }
    return snapshot
  }

  fileprivate mutating func update() -> Update {
    let number = integer(1...12)
    switch integer(0...25) {
    case 0: return .snapshot(snapshot())
    case 1: return .chat(maybe { $0.chatSnapshot() })
    case 2: return .chatID(integer(1...2))
    case 3: return .chatState(pick(ChatState.allCases, or: .queue))
    case 4...7: return .messageAdded(report())
    case 8, 9: return .messageChanged(report())
    case 10: return .messageRemoved(serverID: pick(["s-\(number)", "\(number)"], or: ""))
    case 11: return .messageRead(serverID: "s-\(number)", oneIn(2))
    case 12, 13:
      return .sending(
        Message(id: "\(number)", kind: .visitorMessage, text: "one", timestamp: 5, sendStatus: .sending))
    case 14: return .sendingFailed("\(number)")
    case 15: return .history(messages: reports(), removed: oneIn(3) ? ["s-\(number)"] : [])
    case 16: return .historyPage(messages: reports(), isLast: oneIn(5))
    case 17: return .survey(maybe { $0.survey() })
    case 18:
      return pick([.surveyAnswered, .questionAnswered(surveyID: word(), position())], or: .surveyAnswered)
    default: return stateUpdate()
    }
  }

  private mutating func stateUpdate() -> Update {
    switch integer(0...11) {
    case 0: .operatorChanged(maybe { $0.person() })
    case 1: .operatorTyping(oneIn(2))
    case 2: .readByVisitor(oneIn(2))
    case 3: .unreadByOperator(since: since())
    case 4: .unreadByVisitor(count: integer(0...3), since: since())
    case 5: .departments([department()])
    case 6: .rating(operatorID: "501", stars: integer(1...5))
    case 7: .resolution(operatorID: "501", answer: integer(0...1))
    case 8: .sessionState(pick(SessionState.allCases, or: .chat))
    case 9: .language(maybe { $0.word() })
    case 10: .locationSettings(pick(["{}", "[1]"], or: "{}"))
    default: .onlineStatus(pick(OnlineStatus.allCases, or: .online))
    }
  }
}
