import Chat
import Dialects
import Testing

/// What an action sends, and in which order (the protocol's sections 4.1 to 4.3).
@Suite struct ClientActionTests {
  typealias Form = [WireRequest.Parameter]

  static let forms: [(action: Action, form: Form)] = [
    (
      .startChat(
        clientID: "c",
        .init(department: "sales", firstQuestion: "Why?", customFields: #"{"a":1}"#, isForced: true)),
      [
        .init("action", "chat.start"), .init("client-side-id", "c"), .init("force-online", "1"),
        .init("first-question", "Why?"), .init("department-key", "sales"),
        .init("visitor-fields", #"{"a":1}"#), .init("force-start", "1"),
      ]
    ),
    (
      .startChat(clientID: "c", .init()),
      [.init("action", "chat.start"), .init("client-side-id", "c"), .init("force-online", "1")]
    ),
    (.closeChat, [.init("action", "chat.close")]),
    (
      .send(clientID: "a", text: "Hi & bye", hintQuestion: true, data: "{}"),
      [
        .init("action", "chat.message"), .init("client-side-id", "a"), .init("message", "Hi & bye"),
        .init("hint_question", "1"), .init("data", "{}"),
      ]
    ),
    (
      .reply(clientID: "a", text: "x", quoted: "m-1"),
      [
        .init("action", "chat.message"), .init("client-side-id", "a"), .init("message", "x"),
        .init("quote", #"{"ref":{"msgId":"m-1","msgChannelSideId":null,"chatId":null}}"#),
      ]
    ),
    (
      .edit("a", text: "x"),
      [
        .init("action", "chat.message"), .init("client-side-id", "a"), .init("message", "x"),
        .init("hint_question", "0"),
      ]
    ),
    (.delete("a"), [.init("action", "chat.delete_message"), .init("client-side-id", "a")]),
    (
      .pressButton(button: "b", message: "m-1"),
      [
        .init("action", "chat.keyboard_response"), .init("button-id", "b"),
        .init("request-message-id", "m-1"),
      ]
    ),
    (
      .rateOperator(.init(stars: 1, operatorID: "5", note: "n", threadID: 9)),
      [
        .init("action", "chat.operator_rate_select"), .init("rate", "-2"), .init("operator_id", "5"),
        .init("visitor_note", "n"), .init("thread_id", "9"),
      ]
    ),
    (
      .sendResolutionSurvey(operatorID: "5", answer: 0, threadID: nil),
      [.init("action", "chat.resolution_survey_select"), .init("operator_id", "5"), .init("answer", "0")]
    ),
    (
      .answerSurvey(surveyID: "s", .init(formID: 21, question: 1), value: "2"),
      [
        .init("action", "survey.answer"), .init("survey-id", "s"), .init("form-id", "21"),
        .init("question-id", "1"), .init("answer", "2"),
      ]
    ),
    (.closeSurvey(surveyID: "s"), [.init("action", "survey.cancel"), .init("survey-id", "s")]),
    (
      .setVisitorTyping(draft: "dr"),
      [
        .init("action", "chat.visitor_typing"), .init("typing", "1"), .init("del-message-draft", "0"),
        .init("message-draft", "dr"),
      ]
    ),
    (
      .setVisitorTyping(draft: ""),
      [
        .init("action", "chat.visitor_typing"), .init("typing", "0"), .init("del-message-draft", "1"),
        .init("message-draft", ""),
      ]
    ),
    (
      .setVisitorTyping(draft: nil),
      [.init("action", "chat.visitor_typing"), .init("typing", "0"), .init("del-message-draft", "1")]
    ),
    (.setChatRead(messageID: "m-1"), [.init("action", "chat.read_by_visitor"), .init("message_id", "m-1")]),
    (.setChatRead(messageID: nil), [.init("action", "chat.read_by_visitor")]),
  ]

  @Test(arguments: forms.indices)
  func `an action sends its parameters, then the credentials`(index: Int) {
    var driver = ClientDriver()
    driver.connect(ClientDriver.openChat)
    driver.perform(1, Self.forms[index].action)
    #expect(driver.action?.method == .post && driver.action?.query == [])
    #expect(
      driver.action?.form
        == Self.forms[index].form + [.init("page-id", "p-0001"), .init("auth-token", "tok-0001")])
    driver.answer("/action", #"{"result":"ok"}"#)
    #expect(driver.ends(of: 1) == [.answered(1, refusal: nil)])
  }

  static func text(_ id: Int) -> Action {
    .send(clientID: "a\(id)", text: "\(id)", hintQuestion: nil, data: nil)
  }

  @Test func `actions go one at a time and in order`() {
    var driver = ClientDriver()
    driver.connect(ClientDriver.openChat)
    for id in 1...5 { driver.perform(id, Self.text(id)) }
    for id in 1...5 {
      #expect(driver.open.filter { $0.request.path == "/l/v/m/action" }.count == 1)
      #expect(driver.action?["message"] == "\(id)")
      driver.answer("/action", "{}")
      #expect(driver.ends(of: id).count == 1)
    }
    #expect(driver.action == nil)
  }

  @Test func `an answered survey question is told before its action ends`() {
    var driver = ClientDriver()
    driver.connect(ClientDriver.openChat)
    driver.perform(1, .answerSurvey(surveyID: "s", .init(formID: 1, question: 0), value: "5"))
    driver.answer("/action", "{}")
    let answered = Update.questionAnswered(surveyID: "s", Survey.Position(formID: 1, question: 0))
    #expect(driver.log.suffix(2) == [.update(answered), .answered(1, refusal: nil)])
  }

  @Test func `actions wait for the session`() {
    var driver = ClientDriver()
    driver.perform(1, .closeChat)
    driver.start()
    driver.answer("/meta", "{}")
    driver.answer("/mobile", "{}")
    #expect(driver.action == nil)
    driver.answer("/init", #"{"revision":1,"fullUpdate":\#(ClientDriver.fullUpdate)}"#)
    #expect(driver.action?["action"] == "chat.close")
  }

  @Test func `what is withdrawn is not sent and not told`() {
    var driver = ClientDriver()
    driver.connect(ClientDriver.openChat)
    for id in 1...3 { driver.perform(id, Self.text(id)) }
    driver.session.withdraw(1)
    driver.session.withdraw(2)
    driver.fail("/action", delivered: true)
    driver.advance(31)
    #expect(driver.action?["message"] == "3")
    driver.answer("/action", "{}")
    #expect(driver.ends(of: 1) == [] && driver.ends(of: 2) == [] && driver.ends(of: 3).count == 1)
    #expect(driver.action == nil)
  }

  // MARK: The automatic start of a chat

  @Test func `texts sent quickly start one chat`() {
    var driver = ClientDriver()
    driver.connect()
    for id in 1...3 { driver.perform(id, Self.text(id)) }
    while driver.action != nil { driver.answer("/action", "{}") }
    #expect(driver.actions == ["chat.start", "chat.message", "chat.message", "chat.message"])
  }

  @Test(arguments: ChatState.allCases)
  func `a text starts a chat where the last one is closed`(state: ChatState) {
    var driver = ClientDriver()
    driver.connect(ClientDriver.openChat)
    driver.delta(ClientDeltaTests.item("CHAT_STATE", "upd", "\"\(state.rawValue)\""))
    driver.perform(1, Self.text(1))
    #expect(driver.actions == [state.isClosed ? "chat.start" : "chat.message"])
  }

  @Test func `a text starts a chat while the session is offline`() {
    var driver = ClientDriver()
    driver.connect(ClientDriver.openChat)
    driver.delta(ClientDeltaTests.item("VISIT_SESSION_STATE", "upd", #""offline-message""#))
    driver.perform(1, .reply(clientID: "a", text: "x", quoted: nil))
    #expect(driver.actions == ["chat.start"])
  }

  @Test(arguments: forms.indices.dropFirst(2))
  func `only texts start a chat`(index: Int) {
    var driver = ClientDriver()
    driver.connect()
    driver.perform(1, Self.forms[index].action)
    let isText =
      switch Self.forms[index].action {
      case .send, .reply: true
      default: false
      }
    #expect((driver.actions == ["chat.start"]) == isText)
  }

  @Test func `a start that was asked for is not asked for again`() {
    var driver = ClientDriver()
    driver.connect()
    driver.perform(1, .startChat(clientID: "c", .init()))
    driver.perform(2, Self.text(2))
    driver.answer("/action", "{}")
    #expect(driver.actions == ["chat.start", "chat.message"])
  }

  @Test func `a chat that closed again is started again`() {
    var driver = ClientDriver()
    driver.connect()
    driver.perform(1, Self.text(1))
    driver.answer("/action", "{}")
    driver.answer("/action", "{}")
    driver.delta(ClientDeltaTests.item("CHAT", "upd", #"{"id":9,"state":"closed"}"#))
    driver.perform(2, Self.text(2))
    #expect(driver.actions == ["chat.start", "chat.message", "chat.start"])
  }

  @Test func `a refused start leaves the verdict to the message`() {
    var driver = ClientDriver()
    driver.connect()
    driver.perform(1, Self.text(1))
    driver.answer("/action", #"{"error":"setting_disabled"}"#)
    driver.answer("/action", #"{"error":"no-chat"}"#)
    #expect(driver.actions == ["chat.start", "chat.message"])
    #expect(driver.refusal(of: 1)?.code == "no_chat")
  }

  @Test func `a repeated start carries the same id, also after a restart`() {
    var ids: Set<String> = []
    for _ in 0..<2 {
      var driver = ClientDriver()
      driver.connect()
      driver.perform(1, Self.text(1))
      for _ in 0..<3 {
        ids.insert(driver.action?["client-side-id"] ?? "none")
        driver.fail("/action", delivered: true)
        driver.advance(31)
      }
    }
    #expect(ids.count == 1 && ids.first?.count == 32)
  }
}
