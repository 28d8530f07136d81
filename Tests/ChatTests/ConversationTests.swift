import Chat
import Testing

@Suite struct ConversationTests {
  static let visits = [
    FoldCase(
      "the first full update tells everything in order", before: [],
      [
        .snapshot(
          {
            var snapshot = Snapshot(sessionState: .chat)
            snapshot.departments = [Department(key: "d", name: "D", onlineStatus: .online, order: 1)]
            snapshot.survey = Sample.survey()
            snapshot.chat = Sample.chat(9, .chatting, operator: Sample.anna)
            snapshot.onlineStatus = .online
            return snapshot
          }())
      ],
      [
        "session_state", "departments", "survey", "survey_question 21.0", "chat_state unknown to chatting",
        "operator 501", "unread_count 0", "online_status",
      ]),
    FoldCase(
      "a full update without a chat means closed", before: [], [Sample.snapshot()],
      ["session_state", "chat_state unknown to closed", "unread_count 0"]),
    FoldCase(
      "a full update in mid-flight gives only differences",
      [Sample.snapshot(Sample.chat()), Sample.snapshot(Sample.chat(9, .queue))],
      ["chat_state chatting to queue"]),
    FoldCase(
      "a state without any chat is the state closed", before: [Sample.snapshot()],
      [.chatState(.queue), .operatorChanged(Sample.anna), .operatorTyping(true)], []),
    FoldCase(
      "closed takes operator and typing away, closed by operator leaves them",
      [
        .operatorChanged(Sample.anna), .operatorTyping(true), .chatState(.closedByOperator),
        .chatState(.closed),
      ],
      [
        "operator 501", "operator_typing", "chat_state chatting to closed_by_operator",
        "chat_state closed_by_operator to closed", "operator none", "operator_typing",
      ]),
    FoldCase(
      "a chat that goes takes operator and typing away and leaves the counters",
      [.operatorChanged(Sample.anna), .unreadByVisitor(count: 2, since: 5), .chat(nil), .chat(nil)],
      [
        "operator 501", "unread_count 2", "unread_by_visitor", "chat_state chatting to closed",
        "operator none",
      ]),
    FoldCase(
      "a change of title alone is not announced",
      [
        .operatorChanged(Sample.anna),
        .operatorChanged(
          with(Sample.anna) { $0.title = "Desk" }),
      ], ["operator 501"]),
    FoldCase(
      "reading clears count and time",
      before: [Sample.snapshot(Sample.chat()), .unreadByVisitor(count: 2, since: 5)],
      [.readByVisitor(false), .readByVisitor(true), .readByVisitor(true)],
      ["unread_count 0", "unread_by_visitor"]),
    FoldCase(
      "an unsupported online status leaves the old one",
      [.onlineStatus(.online), .onlineStatus(.unknown), .onlineStatus(.online)], ["online_status"]),
    FoldCase(
      "an offline session is an offline service too",
      [.onlineStatus(.online), .sessionState(.offlineMessage)],
      ["online_status", "session_state", "online_status"]),
    FoldCase(
      "a chat without a language leaves the session's",
      [.language("en"), .chat(Sample.chat()), .language("de")],
      ["language", "language"]),
    FoldCase(
      "ratings are told when they change",
      [
        .rating(operatorID: "501", stars: 5), .rating(operatorID: "501", stars: 5),
        .resolution(operatorID: "501", answer: 1), .rating(operatorID: "501", stars: 4),
      ], ["rated", "resolved", "rated"]),
    FoldCase(
      "settings and greeting are told when they change",
      [
        .locationSettings("{}"), .locationSettings("{}"), .greeting("Hi"), .greeting("Hi"),
        .hintsEnabled(true),
      ], ["location_settings", "greeting"]),
  ]

  @Test(arguments: visits)
  func `updates become events, in order and once`(_ item: FoldCase) {
    var conversation = Conversation(item.before)
    #expect(conversation.apply(item.updates).map(\.brief) == item.events)
  }

  @Test func `an old chat's id, ratings and answers stay readable, a new chat's start anew`() {
    var conversation = Conversation([
      Sample.snapshot(Sample.chat()), .rating(operatorID: "501", stars: 5),
      .resolution(operatorID: "501", answer: 0),
      .chat(nil),
    ])
    #expect(conversation.threadID == 9)
    #expect(conversation.lastRating(ofOperator: "501") == 5)
    #expect(conversation.lastResolution(ofOperator: "501") == 0)
    #expect(!conversation.hasChat)
    conversation.apply([.chat(Sample.chat(10)), .chatID(11)])
    #expect(conversation.threadID == 11)
    #expect(conversation.lastRating(ofOperator: "501") == nil)
  }

  @Test func `a rating given while the visitor was away is told, one from before its first visit is not`() {
    var chat = Sample.chat()
    chat.ratings = ["501": 4]
    var conversation = Conversation()
    #expect(!conversation.apply(Sample.snapshot(chat)).map(\.name).contains("rated"))
    chat.ratings = ["501": 5]
    #expect(conversation.apply(Sample.snapshot(chat)) == [.rated(operatorID: "501", stars: 5)])
  }

  @Test(
    arguments: [("501", "501"), ("Anna", "501"), ("Robby", "7"), ("anna", "501"), ("7", "7"), ("Berta", nil)]
      as [(String, String?)])
  func `an operator is found by id or name, gone ones too`(name: String, id: String?) {
    let conversation = Conversation([
      Sample.snapshot(Sample.chat()), .operatorChanged(Sample.robot), .operatorChanged(Sample.anna),
    ])
    #expect(conversation.operatorID(named: name) == id)
  }

  @Test func `the greeting of a full update needs an empty conversation`() {
    var snapshot = Snapshot(sessionState: .idle)
    snapshot.greeting = "Hello"
    var fresh = Conversation()
    #expect(fresh.apply(.snapshot(snapshot)).contains(.greeting("Hello")))
    #expect(fresh.apply(.snapshot(snapshot)).isEmpty)
    var known = Conversation([Sample.snapshot(), .sending(Sample.sending("a", at: 1))])
    #expect(known.apply(.snapshot(snapshot)).isEmpty)
  }
}
