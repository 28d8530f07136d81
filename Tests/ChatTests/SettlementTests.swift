import Chat
import Testing

@Suite struct SettlementTests {
  /// What happens to an action in flight, told to a settlement as its host would.
  enum Step: Sendable {
    case accepted
    case refused(String)
    case update(Update)
  }

  struct Case: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let before: [Update]
    let action: Action
    let steps: [Step]
    /// After which step it is settled, and how; nil while it is not.
    let settledAfter: Int?
    let outcome: String?

    init(
      _ name: String, before: [Update] = [], _ action: Action, _ steps: [Step],
      settled: (after: Int, as: String)?
    ) {
      testDescription = name
      self.before = [Sample.snapshot(Sample.chat(operator: Sample.anna))] + before
      self.action = action
      self.steps = steps
      settledAfter = settled?.after
      outcome = settled?.as
    }
  }

  static let send = Action.send(clientID: "v", text: "Hi", hintQuestion: nil, data: nil)
  static let echo = Sample.message("v", .visitorMessage, at: 10, text: "Hi")
  static let edit = Action.edit("v", text: "Ho")
  static let edited = with(echo) {
    $0.text = "Ho"
    $0.isEdited = true
  }
  static let press = Action.pressButton(button: "b-yes", message: "s-k")
  static let asked = Update.messageAdded(Sample.keyboard("k", at: 20))
  static let answered = with(Sample.keyboard("k", at: 20, .completed)) {
    $0.keyboard?.response = ("b-yes", "s-r")
  }
  static let otherwise = with(answered) { $0.keyboard?.response = ("b-no", "s-r") }
  static let response = with(Sample.message("r", .keyboardResponse, at: 30)) {
    $0.keyboardResponse = KeyboardResponse(button: Button(id: "b-yes", text: "Yes"), requestMessageID: "s-k")
  }
  static let rate = Action.rateOperator(Action.Rating(stars: 5))
  static let resolve = Action.sendResolutionSurvey(operatorID: "501", answer: 1, threadID: nil)
  static let start = Action.startChat(clientID: "c-10", Action.StartChat())
  static let answer = Action.answerSurvey(surveyID: "sv", Sample.position(21, 0), value: "5")

  static let messages = [
    Case(
      "a text at its echo", send, [.accepted, .update(.messageAdded(echo))], settled: (1, "message v Hi")),
    Case(
      "a text at its echo though the answer is lost", before: [.sending(Sample.sending("v", at: 1))], send,
      [.update(.messageAdded(echo)), .accepted], settled: (0, "message v Hi")),
    Case(
      "a text not by its own sending", send, [.update(.sending(Sample.sending("v", at: 1))), .accepted],
      settled: nil),
    Case(
      "a refused text at once", send, [.refused("no_chat"), .update(.messageAdded(echo))],
      settled: (0, "no_chat")),
    Case(
      "a reply by a full update", .reply(clientID: "v", text: "Hi", quoted: nil),
      [.update(Sample.snapshot(Sample.chat(9, .chatting, [echo])))], settled: (0, "message v Hi")),
    Case(
      "an edit at its change", before: [.messageAdded(echo)], edit,
      [.accepted, .update(.messageRead(serverID: "s-v", true)), .update(.messageChanged(edited))],
      settled: (2, "message v Ho")),
    Case(
      "an edit that the service trims", before: [.messageAdded(echo)], .edit("v", text: "Ho "),
      [.accepted, .update(.messageChanged(edited))], settled: (1, "message v Ho")),
    Case(
      "an edit to the same text at the answer", before: [.messageAdded(edited)], edit, [.accepted],
      settled: (0, "message v Ho")),
    Case("an edit of an unknown message at the answer", edit, [.accepted], settled: (0, "nothing")),
    Case(
      "a deletion at the removal", before: [.messageAdded(echo)], .delete("v"),
      [.accepted, .update(.messageRemoved(serverID: "s-v"))], settled: (1, "nothing")),
    Case(
      "a deletion of an unknown message at the answer", .delete("v"),
      [.update(.chatState(.queue)), .accepted], settled: (1, "nothing")),
  ]

  static let answers = [
    Case(
      "a press when the keyboard changes", before: [asked], press,
      [.accepted, .update(.messageChanged(answered))], settled: (1, "message k text")),
    Case(
      "a press when the response comes", before: [asked], press, [.update(.messageAdded(response))],
      settled: (0, "message k text")),
    Case(
      "a press not by another's answer, but by the service's word", before: [asked], press,
      [.update(.messageChanged(otherwise)), .refused("can_not_create_response")],
      settled: (1, "can_not_create_response")),
    Case(
      "a press on a keyboard that was cancelled meanwhile", before: [asked], press,
      [.update(.chat(nil)), .accepted], settled: (1, "message k text")),
    Case(
      "a press on nothing that is known", .pressButton(button: "b", message: ""), [.accepted],
      settled: (0, "nothing")),
    Case(
      "a rating at its confirmation", rate,
      [
        .accepted, .update(.rating(operatorID: "501", stars: 4)),
        .update(.rating(operatorID: "501", stars: 5)),
      ],
      settled: (2, "stars 5")),
    Case(
      "a rating in a full update", rate,
      [.update(Sample.snapshot(with(Sample.chat(operator: Sample.anna)) { $0.ratings = ["501": 5] }))],
      settled: (0, "stars 5")),
    Case(
      "the same rating again at the answer", before: [.rating(operatorID: "501", stars: 5)], rate,
      [.update(.chatState(.queue)), .accepted], settled: (1, "stars 5")),
    Case(
      "a rating of whomever the service takes", before: [.operatorChanged(nil)], rate,
      [.accepted, .update(.rating(operatorID: "7", stars: 5))], settled: (1, "stars 5")),
    Case(
      "an answer at its confirmation", resolve,
      [.accepted, .update(.resolution(operatorID: "501", answer: 1))], settled: (1, "answer 1")),
    Case(
      "the same answer again at the service's word", before: [.resolution(operatorID: "501", answer: 1)],
      resolve, [.accepted], settled: (0, "answer 1")),
  ]

  static let states = [
    Case(
      "a start when the chat opens", before: [.chat(nil)], start,
      [.accepted, .update(.chat(Sample.chat(10, .queue)))], settled: (1, "nothing")),
    Case(
      "a start though the answer is lost", before: [.chat(nil)], start,
      [.update(.chat(Sample.chat(10, .queue)))], settled: (0, "nothing")),
    Case(
      "a start of an open chat at the answer", start, [.update(.operatorTyping(true)), .accepted],
      settled: (1, "nothing")),
    Case(
      "a start for which the service wants a department", before: [.chat(nil)], start,
      [.accepted, .update(.sessionState(.departmentSelection))], settled: (1, "department_required")),
    Case(
      "a start for which the service wants a first question", before: [.chat(nil)], start,
      [.update(.sessionState(.firstQuestion)), .accepted], settled: (1, "first_question_required")),
    Case(
      "a start that brings what is wanted, when the chat opens",
      before: [.chat(nil), .sessionState(.firstQuestion)],
      .startChat(clientID: "c-10", Action.StartChat(firstQuestion: "Why?")),
      [.accepted, .update(.chat(Sample.chat(10, .queue)))], settled: (1, "nothing")),
    Case(
      "a forced start, when the chat opens", before: [.chat(nil), .sessionState(.departmentSelection)],
      .startChat(clientID: "c-10", Action.StartChat(isForced: true)),
      [.accepted, .update(.chat(Sample.chat(10, .queue)))], settled: (1, "nothing")),
    Case(
      "a start that finds nobody there", before: [.chat(nil)], start,
      [.accepted, .update(.sessionState(.offlineMessage))], settled: (1, "operators_offline")),
    Case(
      "a start of who was offline, when the chat opens",
      before: [.chat(nil), .sessionState(.offlineMessage)],
      start, [.accepted, .update(.chat(Sample.chat(10, .queue)))], settled: (1, "nothing")),
    Case(
      "a close when the chat is closed", .closeChat, [.accepted, .update(.chatState(.closedByVisitor))],
      settled: (1, "nothing")),
    Case("a close when the chat is gone", .closeChat, [.update(.chat(nil))], settled: (0, "nothing")),
    Case(
      "a close of a closed chat at the answer", before: [.chat(nil)], .closeChat,
      [.update(.operatorTyping(false)), .accepted], settled: (1, "nothing")),
    Case(
      "a survey's answer at the service's", before: [.survey(Sample.survey())], answer,
      [.update(.operatorTyping(true)), .accepted], settled: (1, "nothing")),
    Case("a survey's close", .closeSurvey(surveyID: "sv"), [.accepted], settled: (0, "nothing")),
    Case("typing", .setVisitorTyping(draft: "a"), [.accepted], settled: (0, "nothing")),
    Case("reading", .setChatRead(messageID: nil), [.refused("no_chat")], settled: (0, "no_chat")),
  ]

  @Test(arguments: messages + answers + states)
  func `an action is settled once, by its effect`(_ item: Case) {
    var conversation = Conversation(item.before)
    var settlement = Settlement()
    settlement.begin(id: 1, item.action, in: conversation, now: 0)
    var settled: [(after: Int, outcome: String)] = []
    for (index, step) in item.steps.enumerated() {
      for end in take(step, &settlement, &conversation) { settled.append((index, describe(end.result))) }
    }
    #expect(settled.map(\.after) == [item.settledAfter].compactMap { $0 })
    #expect(settled.map(\.outcome) == [item.outcome].compactMap { $0 })
    #expect(settlement.isEmpty == (item.settledAfter != nil))
  }

  private func take(
    _ step: Step, _ settlement: inout Settlement, _ conversation: inout Conversation
  ) -> [Settlement.Settled] {
    switch step {
    case .accepted: settlement.answered(id: 1, .success(()), in: conversation)
    case .refused(let code):
      settlement.answered(id: 1, .failure(ActionError(code: code, action: "any")), in: conversation)
    case .update(let update): settlement.apply(conversation.apply(update), in: conversation)
    }
  }

  private func describe(_ result: Result<Settlement.Value, ActionError>) -> String {
    switch result {
    case .success(.nothing): "nothing"
    case .success(.message(let message)): "message \(message.id) \(message.text)"
    case .success(.stars(let stars)): "stars \(stars)"
    case .success(.answer(let answer)): "answer \(answer)"
    case .failure(let error): error.code
    }
  }

  @Test func `a time limit stands still while disconnected`() {
    let conversation = Conversation()
    var settlement = Settlement(limit: 30)
    settlement.begin(id: 1, Self.send, in: conversation, now: 1_700_000_000.1)
    settlement.begin(id: 2, Self.send, in: conversation, now: 1_700_000_000.1, limit: 100)
    #expect(settlement.deadline(now: 1_700_000_010.1) == 1_700_000_030.1)
    settlement.connectionChanged(isConnected: false, now: 1_700_000_020.1)
    settlement.connectionChanged(isConnected: false, now: 1_700_000_030.1)
    #expect(settlement.deadline(now: 1_700_000_050.1) == nil)
    #expect(settlement.expire(now: 1_700_000_099).isEmpty)
    settlement.connectionChanged(isConnected: true, now: 1_700_000_100.1)
    #expect(settlement.expire(now: 1_700_000_110).isEmpty)
    let late = settlement.expire(now: settlement.deadline(now: 1_700_000_110) ?? 0)
    #expect(late.map(\.id) == [1])
    #expect(late.map { describe($0.result) } == ["timeout"])
    #expect(settlement.ids == [2])
    settlement.forget(id: 2)
    #expect(settlement.isEmpty)
  }

  @Test func `an action that begins while disconnected has its whole time`() {
    var settlement = Settlement(limit: 30, isConnected: false)
    settlement.begin(id: 1, Self.send, in: Conversation(), now: 1000)
    settlement.connectionChanged(isConnected: true, now: 2000)
    #expect(settlement.deadline(now: 2000) == 2030)
  }
}
