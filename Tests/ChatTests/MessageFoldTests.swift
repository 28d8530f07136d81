import Chat
import Testing

@Suite struct MessageFoldTests {
  static let opened = [Sample.snapshot(Sample.chat())]
  static let a = Sample.message("a", at: 10)
  static let b = Sample.message("b", at: 20)
  static let c = Sample.message("c", at: 30)
  static let edited = with(a) {
    $0.text = "better"
    $0.isEdited = true
  }
  static let echo = Sample.message("v", .visitorMessage, at: 15)

  static let deltas = [
    FoldCase(
      "added once", [.messageAdded(a), .messageAdded(b), .messageAdded(a)],
      ["message a after none", "message b after a"]),
    FoldCase(
      "by time, whatever the order of arrival", [.messageAdded(c), .messageAdded(a), .messageAdded(b)],
      ["message c after none", "message a after none", "message b after a"]),
    FoldCase(
      "an edited message is changed, never added again",
      [.messageAdded(a), .messageAdded(edited), .messageChanged(edited)],
      ["message a after none", "message_changed a"]),
    FoldCase(
      "a late first version does not undo an edit", [.messageChanged(edited), .messageAdded(a)],
      ["message a after none"]),
    FoldCase(
      "the echo changes what was sent, wherever it comes from",
      [
        .sending(Sample.sending("v", at: 5)), .sending(Sample.sending("v", at: 5)), .messageAdded(echo),
        .messageAdded(echo),
        .sending(Sample.sending("v", at: 5)),
      ], ["message v after none", "message_changed v"]),
    FoldCase(
      "the echo through history",
      [.sending(Sample.sending("v", at: 5)), .history(messages: [echo], removed: [])],
      ["message v after none", "message_changed v"]),
    FoldCase(
      "the echo through a full update",
      [.sending(Sample.sending("v", at: 5)), Sample.snapshot(Sample.chat(9, .chatting, [echo]))],
      ["message v after none", "message_changed v"]),
    FoldCase(
      "what will not be sent is removed, what was sent stays",
      [
        .sending(Sample.sending("v", at: 5)), .sending(Sample.sending("w", at: 6)), .messageAdded(echo),
        .sendingFailed("v"),
        .sendingFailed("w"),
      ], ["message v after none", "message w after v", "message_changed v", "message_removed w"]),
    FoldCase(
      "new messages stand before what is still being sent",
      [.sending(Sample.sending("v", at: 5)), .messageAdded(b)],
      ["message v after none", "message b after none"]),
    FoldCase(
      "removed by server id, and a late report does not bring it back",
      [
        .messageAdded(a), .messageRemoved(serverID: "s-a"), .messageAdded(a),
        .history(messages: [a], removed: []),
        Sample.snapshot(Sample.chat(9, .chatting, [a])), .messageRemoved(serverID: "s-a"),
      ],
      ["message a after none", "message_removed a"]),
    FoldCase(
      "removed by client id", [.messageAdded(a), .messageRemoved(serverID: "a")],
      ["message a after none", "message_removed a"]),
    FoldCase(
      "removed through history, by either id",
      [.messageAdded(a), .messageAdded(b), .history(messages: [], removed: ["s-a", "b"])],
      ["message a after none", "message b after a", "message_removed a", "message_removed b"]),
    FoldCase(
      "a removal that overtakes the message", [.messageRemoved(serverID: "s-a"), .messageAdded(a)], []),
    FoldCase(
      "a removal that overtakes the echo",
      [
        .sending(Sample.sending("v", at: 5)), .messageRemoved(serverID: "s-v"), .messageAdded(echo),
      ], ["message v after none", "message_removed v"]),
    FoldCase(
      "the read mark is a change, once",
      [.messageAdded(a), .messageRead(serverID: "s-a", true), .messageRead(serverID: "s-a", true)],
      ["message a after none", "message_changed a"]),
    FoldCase(
      "without a client id the server id is the name, and the two fold",
      [
        .messageAdded(Sample.message("s-a", server: "s-a", at: 10)), .messageAdded(a),
        .messageAdded(Sample.message("s-a", server: "s-a", at: 10)),
      ], ["message s-a after none", "message_changed s-a to a"]),
    FoldCase(
      "two reports of one message fold when their ids meet",
      [
        .sending(Sample.sending("a", at: 5)), .messageAdded(Sample.message("s-a", server: "s-a", at: 10)),
        .messageAdded(a),
      ], ["message a after none", "message s-a after none", "message_removed s-a", "message_changed a"]),
    FoldCase(
      "a change of an unknown old message shows nothing", [.messageAdded(b), .messageChanged(a)],
      ["message b after none"]),
    FoldCase(
      "another spelling of the wire object is no change",
      [
        .messageAdded(a),
        .messageAdded(
          with(a) {
            $0.raw = "{}"
            $0.data = "{}"
          }),
      ],
      ["message a after none"]),
  ]

  @Test(arguments: deltas)
  func `messages are told in order and once`(_ item: FoldCase) {
    var conversation = Conversation(item.before)
    #expect(conversation.apply(item.updates).map(\.brief) == item.events)
  }

  static let snapshots = [
    FoldCase(
      "new, changed and removed ones, wherever they stand",
      [
        .messageAdded(a), .messageAdded(b), .messageAdded(c),
        Sample.snapshot(Sample.chat(9, .chatting, [edited, b, Sample.message("d", at: 40)])),
      ],
      [
        "message a after none", "message b after a", "message c after b", "message_removed c",
        "message_changed a", "message d after b",
      ]),
    FoldCase(
      "one inserted in front moves nothing",
      [.messageAdded(b), .messageAdded(c), .chat(Sample.chat(9, .chatting, [a, b, c]))],
      ["message b after none", "message c after b", "message a after none"]),
    FoldCase(
      "another chat removes nothing of the old one",
      [
        .messageAdded(a), .chat(Sample.chat(10, .chatting, [b])), .chat(Sample.chat(10, .chatting, [b])),
      ], ["message a after none", "message b after a"]),
    FoldCase(
      "a chat that went and came back keeps its messages",
      [.messageAdded(a), .chat(nil), .chat(Sample.chat(9, .chatting, []))],
      ["message a after none", "chat_state chatting to closed", "chat_state closed to chatting"]),
    FoldCase(
      "no list says nothing",
      [
        .messageAdded(a),
        .chat(
          with(Sample.chat()) { $0.listsMessages = false }),
      ],
      ["message a after none"]),
    FoldCase(
      "what is being sent is not removed", [.sending(Sample.sending("v", at: 5)), .chat(Sample.chat())],
      ["message v after none"]),
    FoldCase(
      "what history told first is not removed by a list that is older",
      [
        .history(messages: [Sample.message("a", at: 10, chat: "9")], removed: []), .chat(Sample.chat()),
        .messageAdded(Sample.message("a", at: 10, chat: "9")), .chat(Sample.chat()),
      ], ["message a after none", "message_removed a"]),
  ]

  @Test(arguments: snapshots)
  func `a snapshot of the chat is folded in by its differences`(_ item: FoldCase) {
    var conversation = Conversation(item.before)
    #expect(conversation.apply(item.updates).map(\.brief) == item.events)
  }

  @Test func `the feed is ordered by time, with what is being sent at its end`() {
    let conversation = Conversation(
      Self.opened + [
        .sending(Sample.sending("v", at: 1)), .sending(Sample.sending("w", at: 2)), .messageAdded(Self.c),
        .messageAdded(Sample.message("w", .visitorMessage, at: 25)), .messageAdded(Self.a),
      ])
    #expect(conversation.messages.map(\.id) == ["a", "w", "c", "v"])
    #expect(conversation.message("s-w")?.id == "w")
    #expect(conversation.message("v")?.sendStatus == .sending)
  }

  @Test(
    arguments: [
      (Sample.robot, ChatState.chatting, Message.Kind.operatorMessage, true),
      (nil, .chattingWithRobot, .keyboard, true), (nil, .chattingWithRobot, .info, false),
      (Sample.anna, .chatting, .operatorMessage, false), (Sample.anna, .chatting, .keyboard, false),
    ] as [(Operator?, ChatState, Message.Kind, Bool)])
  func `a message is the robot's by its author or by the state it came in`(
    author: Operator?, state: ChatState, kind: Message.Kind, isRobot: Bool
  ) {
    var message = Sample.message("a", kind, at: 10)
    message.senderID = author?.id
    var conversation = Conversation([
      Sample.snapshot(Sample.chat(9, state, operator: author)), .messageAdded(message),
    ])
    #expect(conversation.message("a")?.isFromRobot == isRobot)
    conversation.apply([.chatState(.chatting), .operatorChanged(nil)])
    #expect(conversation.apply(.messageChanged(message)).isEmpty, "it stays so when the wire repeats it")
  }

  @Test(
    arguments: [
      ("9", nil, true), ("8", nil, false), ("8", "7", true), ("9", "501", true), (nil, "501", false),
    ] as [(String?, String?, Bool)])
  func `what history tells was said in the state of its own chat, by page and by revision alike`(
    chat: String?, author: String?, isRobot: Bool
  ) {
    var message = Sample.message("a", at: 10, chat: chat)
    message.senderID = author
    for told in [
      Update.historyPage(messages: [message], isLast: true), .history(messages: [message], removed: []),
    ] {
      let conversation = Conversation([
        Sample.snapshot(Sample.chat(9, .chattingWithRobot, operator: Sample.robot)),
        .operatorChanged(Sample.anna), told,
      ])
      #expect(conversation.message("a")?.isFromRobot == isRobot)
    }
  }

  @Test func `an operator's message that comes before the news of the operator is no robot's`() {
    var message = Sample.message("a", at: 10, chat: "9")
    message.senderID = Sample.anna.id
    for told in [Update.history(messages: [message], removed: []), .messageAdded(message)] {
      let conversation = Conversation([
        Sample.snapshot(Sample.chat(9, .chattingWithRobot, operator: Sample.robot)), told,
      ])
      #expect(conversation.message("a")?.isFromRobot == false)
    }
  }

  enum Order: CaseIterable {
    case ascending, descending, same, scattered

    func time(_ number: Int64) -> Int64 {
      switch self {
      case .ascending: number
      case .descending: -number
      case .same: 0
      case .scattered: (number &* 0x9E37_79B9) & 0xFFFF_FFFF
      }
    }
  }

  /// Were a report to look through the feed, this would take minutes.
  @Test(arguments: Order.allCases)
  func `a long feed is folded in as fast as it is told`(order: Order) {
    let count: Int64 = 20_000
    let messages = (0..<count).map { Sample.message("m\($0)", at: order.time($0)) }
    let keyboard = with(Sample.keyboard("k", at: 1)) { $0.serverID = "k" }
    var conversation = Conversation([Sample.snapshot(Sample.chat(9, .chatting, messages + [keyboard]))])
    #expect(conversation.messages.count == messages.count + 1)
    var settlement = Settlement()
    settlement.begin(id: 1, .pressButton(button: "b-yes", message: "k"), in: conversation, now: 0)
    // Each of these would look through the whole feed, were it not for an index.
    for number in 0..<count / 4 {
      conversation.apply([
        .messageRead(serverID: "s-m\(number)", false), .messageAdded(messages[Int(number)]),
        .operatorTyping(number % 2 == 0),
      ])
      _ = settlement.apply([], in: conversation)
    }
    conversation.apply([.historyPage(messages: messages, isLast: true), .chat(Sample.chat(10))])
    for _ in 0..<count / 4 { conversation.apply([.chat(Sample.chat(10)), .chat(nil)]) }
    #expect(conversation.messages.count == messages.count + 1)
    let timestamps = conversation.messages.map(\.timestamp)
    #expect(zip(timestamps, timestamps.dropFirst()).allSatisfy { $0 <= $1 })
  }
}
