import Chat
import TestSupport

extension SeededGenerator {
  /// A message out of a small world: its ids and its time belong together, all else varies.
  private mutating func report() -> Message {
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

  mutating func update() -> Update {
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
    case 18: return .questionAnswered(surveyID: word(), position())
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
