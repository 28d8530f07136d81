import Chat
import Dialects
import TestSupport
import Testing

/// Both ends of the wire against each other, in memory.
@Suite struct ClientServiceTests {
  static func text(_ id: Int) -> Action {
    .send(clientID: "visitor-text-\(id)", text: "text \(id)", hintQuestion: nil, data: nil)
  }

  func chatID(_ link: ClientServiceLink) -> Int? {
    for case .chatStarted(let chat) in link.desk { return chat.id }
    return nil
  }

  /// Texts of the visitor as the desk got them.
  func heard(_ link: ClientServiceLink) -> [String] {
    link.desk.compactMap {
      if case .message(_, let message) = $0, message.kind == .visitorMessage { message.text } else { nil }
    }
  }

  @Test func `a chat over a sound link goes its whole way`() throws {
    var link = ClientServiceLink(seed: 1)
    link.pass(1)
    #expect(link.conversation.sessionState == .idle && link.driver.session.isConnected)
    let chat = try begin(&link)
    try talk(&link, chat)
    try fillSurvey(&link, chat)
    end(&link)
    for id in 1...10 { #expect(link.driver.ends(of: id) == [.answered(id, refusal: nil)], "action \(id)") }
    #expect(link.driver.outages.isEmpty && link.driver.connections == [true])
  }

  private func begin(_ link: inout ClientServiceLink) throws -> Int {
    link.perform(1, Self.text(1))
    link.pass(1)
    let chat = try #require(chatID(link))
    #expect(link.conversation.chatState == .queue && heard(link) == ["text 1"])
    link.command(.defineOperator(handle: "anna", name: "Anna", title: nil, avatar: nil, robotType: nil))
    link.command(.accept(chat, operator: "anna"))
    link.command(.typing(chat, true))
    link.pass(1)
    #expect(link.conversation.operator?.name == "Anna" && link.conversation.isOperatorTyping)
    return chat
  }

  private func talk(_ link: inout ClientServiceLink, _ chat: Int) throws {
    link.command(.say(chat, text: "Hello", quoting: nil))
    link.pass(1)
    let hello = try #require(link.conversation.messages.last)
    #expect(hello.text == "Hello" && hello.kind == .operatorMessage)
    link.perform(2, .reply(clientID: "reply", text: "Hi!", quoted: hello.serverID))
    link.command(
      .keyboard(chat, text: "Choose", rows: [[Button(id: "yes", text: "Yes"), Button(id: "no", text: "No")]]))
    link.pass(1)
    #expect(link.conversation.message("reply")?.quote?.text == "Hello")
    let keyboard = try #require(link.conversation.messages.last { $0.kind == .keyboard })
    #expect(keyboard.keyboard?.state == .pending)
    link.perform(3, .pressButton(button: "yes", message: keyboard.serverID ?? ""))
    link.perform(4, .edit("visitor-text-1", text: "edited"))
    link.perform(5, .delete("reply"))
    link.pass(1)
    #expect(link.conversation.message(keyboard.id)?.keyboard?.state == .completed)
    #expect(link.conversation.message("visitor-text-1")?.text == "edited")
    #expect(link.conversation.message("reply") == nil)
  }

  private func fillSurvey(_ link: inout ClientServiceLink, _ chat: Int) throws {
    let questions = [Survey.Question(kind: .stars, text: "How?"), .init(kind: .comment, text: "Why?")]
    link.command(.survey(chat, forms: [.init(handle: "quality", questions: questions)]))
    link.pass(1)
    let survey = try #require(link.conversation.survey)
    for (id, value) in [(6, "5"), (7, "Good")] {
      let question = try #require(link.conversation.currentQuestion)
      link.perform(id, .answerSurvey(surveyID: survey.id, question.position, value: value))
      link.pass(1)
    }
    #expect(link.conversation.survey == nil && link.bench.service.statistics.surveysFinished == 1)
  }

  private func end(_ link: inout ClientServiceLink) {
    link.perform(8, .rateOperator(.init(stars: 5, threadID: link.conversation.threadID)))
    link.perform(9, .setChatRead(messageID: nil))
    link.pass(1)
    #expect(link.conversation.lastRating(ofOperator: link.conversation.operator?.id ?? "") == 5)
    link.perform(10, .closeChat)
    link.pass(1)
    #expect(link.conversation.chatState.isClosed)
  }

  @Test func `what the service refuses is raised by its name`() throws {
    var link = ClientServiceLink(seed: 1)
    link.pass(1)
    link.perform(1, .rateOperator(.init(stars: 5)))
    link.perform(2, Self.text(2))
    link.perform(3, .rateOperator(.init(stars: 9, operatorID: "77")))
    link.perform(4, .answerSurvey(surveyID: "x", .init(formID: 1, question: 0), value: "5"))
    link.perform(5, .delete("nothing"))
    link.perform(6, .reply(clientID: "r", text: "x", quoted: "nothing"))
    link.pass(2)
    #expect(link.driver.refusal(of: 1)?.code == "no_chat")
    #expect(link.driver.ends(of: 2) == [.answered(2, refusal: nil)])
    for id in 3...6 { #expect(link.driver.refusal(of: id)?.serverCode != nil, "action \(id)") }
    #expect(link.driver.refusal(of: 5)?.code == "message_not_found")
    #expect(link.driver.refusal(of: 6)?.code == "quoted_message_wrong_id")
  }

  /// Faults of all kinds, an outage, lost pages and full updates in the middle of a conversation.
  @Test(arguments: 0..<40 as Range<UInt64>)
  func `over any link each message arrives once and in order, and both ends agree`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed ^ 0xFEED)
    var link = ClientServiceLink(seed: seed) { $0.deltasKept = 8 }
    link.faults = [0, 0.1, 0.3, 0.5][Int(seed % 4)]
    link.command(.defineOperator(handle: "anna", name: "Anna", title: nil, avatar: nil, robotType: nil))
    var said: [String] = []
    for id in 1...12 {
      link.perform(id, Self.text(id))
      link.pass(Double.random(in: 0...4, using: &random))
      disturb(&link, &random)
      if let chat = chatID(link) {
        if said.isEmpty { link.command(.accept(chat, operator: "anna")) }
        said.append("answer \(id)")
        link.command(.say(chat, text: "answer \(id)", quoting: nil))
      }
    }
    link.pass(120)
    link.faults = 0
    link.pass(60)
    let chat = try #require(chatID(link))
    if said.isEmpty { link.command(.accept(chat, operator: "anna")) }
    link.pass(1)
    link.faults = [0, 0.2, 0.4][Int(seed % 3)]
    link.perform(20, .rateOperator(.init(stars: 4)))
    link.perform(21, .closeChat)
    link.pass(300)
    link.faults = 0
    link.pass(120)
    check(link, said)
  }

  private func check(_ link: ClientServiceLink, _ said: [String]) {
    #expect(heard(link) == (1...12).map { "text \($0)" })
    let statistics = link.bench.service.statistics
    #expect((1...12).allSatisfy { statistics.messages["visitor-text-\($0)"] == 1 })
    #expect(statistics.ratings == 1 && statistics.chatsClosed == 1 && statistics.chatsStarted == 1)
    #expect(link.conversation.chatState.isClosed && link.driver.session.isConnected)
    let texts = link.conversation.messages.map(\.text)
    #expect(texts.filter { $0.hasPrefix("text") } == (1...12).map { "text \($0)" })
    #expect(texts.filter { $0.hasPrefix("answer") } == said)
    for id in 1...12 { #expect(link.driver.ends(of: id) == [.answered(id, refusal: nil)]) }
  }

  private func disturb(_ link: inout ClientServiceLink, _ random: inout SeededGenerator) {
    guard case .visitorArrived(let visitor)? = link.desk.first else { return }
    switch Int.random(in: 0..<8, using: &random) {
    case 0: link.outageUntil = link.driver.now + 30
    case 1: link.command(.requireReinit(visitorID: visitor.id))
    case 2: link.command(.fullUpdate(visitorID: visitor.id))
    case 3: link.driver.take(link.driver.session.deliveryDoubted([], now: link.driver.now))
    default: break
    }
  }
}
