import Chat
package import Script

extension Vocabulary {
  /// What a desk's script may say of a chat.
  package static let deskChat = Vocabulary(
    object: "chat", words: chatPeople + chatTalk + chatQuestions,
    hostWords: [],
    preludeWords: chatPrelude + chatWaits,
    fields: [
      "id", "state", "visitor", "operator", "closed_by", "department", "first_question", "messages", "data",
    ],
    listeners: chatListeners, hasHandlerMethods: true)

  private static let chatPeople: [WordSpec] = [
    WordSpec("accept", [.init("operator", .reference)], summary: "An operator takes the chat."),
    WordSpec(
      "hand_over", [.init("operator", .reference)], summary: "Another operator takes the chat over."),
    WordSpec("robot", [.init("name", .text)], summary: "A robot of this name takes the chat."),
    WordSpec("hold", summary: "Puts the chat on hold."),
    WordSpec("route", summary: "Sends the chat to be routed to somebody else."),
    WordSpec("queue", summary: "Sends the chat back to the queue, without an operator."),
    WordSpec(
      "close", options: [.init("final", .boolean)],
      summary: "Closes as the operator; with `final` the chat is plainly closed at once."),
  ]

  private static let chatTalk: [WordSpec] = [
    WordSpec(
      "say", [.init("text", .text)], summary: "Says something as whoever has the chat; returns the message."),
    WordSpec(
      "quote", alias: "reply", [.init("message", .reference), .init("text", .text)],
      summary: "Answers a message by quoting it."),
    WordSpec("info", [.init("text", .text)], summary: "Shows a system text."),
    WordSpec("busy", [.init("text", .text)], summary: "Shows the text that says that operators are busy."),
    WordSpec(
      "edit", [.init("message", .reference), .init("text", .text)], summary: "Edits a message of the desk."),
    WordSpec("delete", [.init("message", .reference)], summary: "Deletes a message of the desk."),
    WordSpec(
      "mark_read", [.init("message", .reference, isRequired: false)],
      summary: "Marks the visitor's messages read, up to this one or all."),
  ]

  private static let chatQuestions: [WordSpec] = [
    WordSpec(
      "hide_keyboard", [.init("message", .reference), .init("button", .reference, isRequired: false)],
      summary: "Hides all buttons of a keyboard, or one."),
    WordSpec(
      "select_button", [.init("message", .reference), .init("button", .reference)],
      summary: "Answers a keyboard in the visitor's place."),
    WordSpec("cancel_keyboard", [.init("message", .reference)], summary: "Cancels a keyboard."),
    WordSpec(
      "request_rating", [.init("text", .text, isRequired: false)], options: [.init("operator", .reference)],
      summary: "Asks for a rating of the operator."),
    WordSpec(
      "request_contacts", [.init("text", .text, isRequired: false)], summary: "Asks for contact data."),
    WordSpec(
      "survey", [.init("forms", .table, shape: .list([DeskTables.form, DeskTables.question]))],
      summary: "Starts a survey of forms, or of questions that make one form."),
    WordSpec("cancel_survey", summary: "Ends the visitor's survey."),
  ]

  private static let messages = Message.Kind.allCases.map(\.rawValue)

  private static let chatListeners: [Listener] = [
    Listener("message", ["message"], types: messages, summary: "The visitor wrote."),
    Listener("message_changed", ["message"], types: messages, summary: "The visitor edited a message."),
    Listener("message_removed", ["message"], types: messages, summary: "The visitor deleted a message."),
    Listener("press", ["press"], summary: "The visitor pressed a button."),
    Listener("rating", ["rating"], summary: "The visitor rated an operator."),
    Listener("resolution", ["resolution"], summary: "The visitor said whether the question was solved."),
    Listener("question_answer", ["answer"], summary: "The visitor answered a question of the survey."),
    Listener("survey", ["result"], summary: "The survey has ended."),
    Listener("typing", ["typing"], summary: "The visitor began or ceased to type."),
    Listener("read", ["read"], summary: "The visitor has read the chat."),
    Listener("close", ["closing"], summary: "The chat was closed."),
    Listener("contacts", ["contacts"], summary: "The visitor gave contact data."),
    Listener("any", ["event"], summary: "Every event of the chat as one table."),
  ]
}
