import Chat
import Testing

@Suite struct ReconcileTests {
  typealias Given = SettlementTests

  static let cases: [(String, [Update], Action, String)] = [
    ("a text that was echoed", [.messageAdded(Given.echo)], Given.send, "done"),
    ("a text that was not", [.sending(Sample.sending("v", at: 1))], Given.send, "repeat"),
    ("an edit that shows", [.messageAdded(Given.edited)], Given.edit, "done"),
    ("an edit that does not", [.messageAdded(Given.echo)], Given.edit, "repeat"),
    ("a message that is gone", [], .delete("v"), "done"),
    ("a message that is there", [.messageAdded(Given.echo)], .delete("v"), "repeat"),
    ("a keyboard that waits", [Given.asked], Given.press, "repeat"),
    ("a keyboard answered so", [Given.asked, .messageChanged(Given.answered)], Given.press, "done"),
    ("a response that came", [Given.asked, .messageAdded(Given.response)], Given.press, "done"),
    (
      "a keyboard answered otherwise", [Given.asked, .messageChanged(Given.otherwise)], Given.press,
      "stale_keyboard"
    ),
    ("a keyboard that was cancelled", [Given.asked, .chat(nil)], Given.press, "stale_keyboard"),
    ("a rating that counts", [.rating(operatorID: "501", stars: 5)], Given.rate, "done"),
    ("a rating that does not", [.rating(operatorID: "501", stars: 4)], Given.rate, "repeat"),
    ("an answer that counts", [.resolution(operatorID: "501", answer: 1)], Given.resolve, "done"),
    ("an answer that does not", [], Given.resolve, "repeat"),
    ("a chat that is open", [], Given.start, "done"),
    ("a chat that was ours and is over", [.chat(Sample.chat(10)), .chat(nil)], Given.start, "done"),
    ("a chat that is not open", [.chat(nil)], Given.start, "repeat"),
    ("a chat that is not closed", [], .closeChat, "repeat"),
    ("a chat that is closed", [.chatState(.closedByVisitor)], .closeChat, "done"),
    ("a survey at the question", [.survey(Sample.survey())], Given.answer, "repeat"),
    ("a survey past the question", [.survey(Sample.survey(question: 1))], Given.answer, "done"),
    ("a survey that is over", [], Given.answer, "done"),
    (
      "a survey not listed, before its end", [.survey(Sample.survey()), Sample.snapshot(Sample.chat())],
      Given.answer, "repeat"
    ),
    (
      "a survey not listed, at its last question",
      [.survey(Sample.survey(form: 23)), Sample.snapshot(Sample.chat())],
      .answerSurvey(surveyID: "sv", Sample.position(23, 0), value: "a"), "done"
    ),
    ("a survey to be closed", [.survey(Sample.survey())], .closeSurvey(surveyID: "sv"), "repeat"),
    (
      "a survey that was closed", [.survey(Sample.survey()), Sample.snapshot(Sample.chat())],
      .closeSurvey(surveyID: "sv"), "done"
    ),
    ("typing", [], .setVisitorTyping(draft: nil), "repeat"),
  ]

  @Test(arguments: cases)
  func `an action that may have been delivered is compared with the service's state`(
    name: String, updates: [Update], action: Action, expected: String
  ) {
    let conversation = Conversation([Sample.snapshot(Sample.chat(operator: Sample.anna))] + updates)
    switch Settlement.reconcile(action, with: conversation) {
    case .done: #expect("done" == expected)
    case .repeat: #expect("repeat" == expected)
    case .refused(let error): #expect(error.code == expected)
    }
  }
}
