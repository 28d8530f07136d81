import Chat
import Testing

@Suite struct KeyboardFoldTests {
  static let asked = Sample.keyboard("k", at: 10)
  static let answered = with(Sample.keyboard("k", at: 10, .completed)) {
    $0.keyboard?.response = ("b-yes", "s-r")
  }

  static let cases = [
    FoldCase(
      "pending is told once",
      [.messageAdded(asked), .messageAdded(asked), .chat(Sample.chat(9, .chatting, [asked]))],
      ["message k after none", "keyboard k"]),
    FoldCase("answered ones are not told", [.messageAdded(answered)], ["message k after none"]),
    FoldCase(
      "pending again is told again", [.messageAdded(answered), .messageChanged(asked)],
      ["message k after none", "message_changed k", "keyboard k"]),
    FoldCase(
      "history, which may be behind, makes none pending again",
      [
        .messageAdded(answered), .chat(nil), .history(messages: [asked], removed: []),
      ], ["message k after none", "chat_state chatting to closed"]),
    FoldCase(
      "a change of state or operator leaves it to the service",
      [
        .messageAdded(asked), .chatState(.queue), .operatorChanged(Sample.anna),
        .chat(Sample.chat(9, .chatting, [asked], operator: Sample.anna)),
      ],
      [
        "message k after none", "keyboard k", "chat_state chatting to queue", "operator 501",
        "chat_state queue to chatting",
      ]),
    FoldCase(
      "a chat that goes cancels it", [.messageAdded(asked), .chat(nil)],
      ["message k after none", "keyboard k", "message_changed k", "chat_state chatting to closed"]),
    FoldCase(
      "another chat cancels it, unless it lists it as pending",
      [
        .messageAdded(asked), .chat(Sample.chat(10, .chatting, [asked])), .chat(Sample.chat(11)),
      ], ["message k after none", "keyboard k", "message_changed k"]),
  ]

  @Test(arguments: cases)
  func `keyboards are pending as the service says`(_ item: FoldCase) {
    var conversation = Conversation(item.before)
    #expect(conversation.apply(item.updates).map(\.brief) == item.events)
  }

  static let twins: Message = {
    var message = Sample.keyboard("k", at: 10)
    message.keyboard = Keyboard(rows: [
      [Button(id: "1", text: "Same"), Button(id: "2", text: "Same")],
      [Button(id: "3", text: "Other"), Button(id: "Other", text: "4")],
      [Button(id: "5", text: "5")],
    ])
    return message
  }()

  @Test(
    arguments: [
      (
        [Update.messageAdded(asked)], "k", "b-yes",
        "b-yes on s-k"
      ),
      ([.messageAdded(asked)], "s-k", "Yes", "b-yes on s-k"),
      ([.messageAdded(twins)], "k", "2", "2 on s-k"),
      ([.messageAdded(twins)], "k", "5", "5 on s-k"),
      (
        [.messageAdded(twins)], "k", "Same",
        #"ambiguous_button: "Same" may be "Same" (id "1") or "Same" (id "2"); press it by its id"#
      ),
      (
        [.messageAdded(twins)], "k", "Other",
        #"ambiguous_button: "Other" may be "Other" (id "3") or "4" (id "Other"); press it by its id"#
      ),
      (
        [.messageAdded(asked)], "k", "yess",
        #"unknown_button: there is no "yess"; did you mean "Yes"? The buttons are "Yes" (id "b-yes") and "No" (id "b-no")"#
      ),
      ([.messageAdded(asked)], "x", "Yes", #"message_not_found: no message has the id "x""#),
      (
        [.messageAdded(MessageFoldTests.a)], "a", "Yes",
        #"no_keyboard: the message "a" carries no buttons"#
      ),
      ([.messageAdded(answered)], "k", "Yes", #"stale_keyboard: it was answered with "Yes""#),
      ([.messageAdded(asked), .chat(nil)], "k", "Yes", "stale_keyboard: it was cancelled"),
      (
        [.messageAdded(asked), .messageAdded(Sample.keyboard("n", at: 20))], "k", "Yes",
        #"stale_keyboard: it was replaced by the keyboard of the message "n""#
      ),
    ] as [([Update], String, String, String)])
  func `a press is checked for what is certain to be a mistake`(
    updates: [Update], message: String, button: String, expected: String
  ) {
    let conversation = Conversation([Sample.snapshot(Sample.chat())] + updates)
    switch conversation.press(button, onMessage: message) {
    case .success(.pressButton(let id, let keyboard)): #expect("\(id) on \(keyboard)" == expected)
    case .success(let action): Issue.record("it became \(action.name)")
    case .failure(let error): #expect("\(error.code): \(error.detail ?? "")" == expected)
    }
  }
}
