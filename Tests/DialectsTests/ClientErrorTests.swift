import Chat
import Dialects
import Testing

/// Refusals by the one table (the protocol's sections 3.6 and 4.5), wherever they arrive.
@Suite struct ClientErrorTests {
  typealias Context = ErrorCode.Context

  /// An action for each context that this dialect has.
  static let actions: [(context: Context, action: Action)] = [
    (.chat, .startChat(clientID: "c", .init())), (.chat, .closeChat),
    (.message, .send(clientID: "a", text: "x", hintQuestion: nil, data: nil)),
    (.message, .reply(clientID: "a", text: "x", quoted: "m")), (.edit, .edit("a", text: "x")),
    (.delete, .delete("a")), (.keyboard, .pressButton(button: "b", message: "m")),
    (.rating, .rateOperator(.init(stars: 5))),
    (.resolution, .sendResolutionSurvey(operatorID: "1", answer: 1, threadID: nil)),
    (.survey, .answerSurvey(surveyID: "s", .init(formID: 1, question: 0), value: "5")),
    (.surveyClose, .closeSurvey(surveyID: "s")), (.typing, .setVisitorTyping(draft: "x")),
    (.read, .setChatRead(messageID: nil)),
  ]

  static let raised = ErrorCode.all.filter { $0.reaction(at: .action) == .raise }
  static let fatal = ErrorCode.all.filter {
    if case .fatal = $0.reaction(at: .action) { true } else { false }
  }

  @Test func `no word stands in the table twice`() {
    #expect(Set(ErrorCode.all.map(\.word)).count == ErrorCode.all.count)
    #expect(ErrorCode.all.count > 60)
  }

  @Test(arguments: raised + [ErrorCode("made-up")])
  func `a refusal of an action is raised with its word, and the next one goes`(code: ErrorCode) {
    for (context, action) in Self.actions {
      var driver = ClientDriver()
      driver.connect(ClientDriver.openChat)
      driver.perform(1, action)
      driver.perform(2, .closeChat)
      driver.answer("/action", #"{"error":"\#(code.word)","argumentName":"rate"}"#)
      #expect(
        driver.ends(of: 1) == [
          .answered(
            1,
            refusal: ActionError(
              code: code.name(in: context), serverCode: code.word, action: action.name, detail: "rate"))
        ])
      #expect(driver.action?["action"] == "chat.close")
      #expect(driver.fatal == nil)
    }
  }

  @Test(arguments: fatal)
  func `a fatal word on an action is raised, ends the session and refuses what waits`(code: ErrorCode) {
    var driver = ClientDriver()
    driver.connect(ClientDriver.openChat)
    driver.perform(1, .closeChat)
    driver.perform(2, .delete("a"))
    driver.answer("/action", #"{"error":"\#(code.word)"}"#)
    #expect(driver.refusal(of: 1)?.serverCode == code.word)
    #expect(driver.refusal(of: 2) == ActionError(code: "session_destroyed", action: "delete"))
    #expect(driver.fatal?.serverCode == code.word && driver.fatal?.code.rawValue == code.name(in: .chat))
    #expect(driver.open.isEmpty && driver.timers.isEmpty)
    driver.perform(3, .closeChat)
    #expect(driver.refusal(of: 3)?.code == "session_destroyed")
  }

  @Test(arguments: ErrorCode.all + [ErrorCode("made-up")], ["/init", "/delta"])
  func `a refusal on the poll lane has the table's reaction`(code: ErrorCode, path: String) {
    var driver = ClientDriver()
    if path == "/init" {
      driver.start()
      driver.answer("/meta", "{}")
      driver.answer("/mobile", "{}")
    } else {
      driver.connect()
    }
    driver.answer(path, #"{"error":"\#(code.word)"}"#, status: 403)
    switch code.reaction(at: path == "/init" ? .initialization : .poll) {
    case .fatal(let expected):
      #expect(driver.fatal == SessionError(code: expected, serverCode: code.word))
      #expect(driver.open.isEmpty)
    case .reinitialize:
      #expect(driver.fatal == nil && driver.pending("/init") != nil)
    case .retry:
      #expect(driver.fatal == nil && driver.outages == [.serverIsNotAvailable])
      driver.advance(1)
      #expect(driver.pending(path) != nil)
    case .awaitToken:
      #expect(driver.timers[.token] == driver.now + 1)
      driver.advance(1)
      #expect(driver.pending("/init") != nil)
    case .raise: Issue.record("nothing to raise for")
    }
  }

  static let quoting = ErrorCode.all.filter { $0.contexts == [.message] }

  @Test(arguments: quoting)
  func `a text is refused by the inner error too`(code: ErrorCode) {
    for action in [
      Action.send(clientID: "a", text: "x", hintQuestion: nil, data: "{}"),
      .reply(clientID: "a", text: "x", quoted: "m"),
    ] {
      var driver = ClientDriver()
      driver.connect(ClientDriver.openChat)
      driver.perform(1, action)
      driver.answer("/action", #"{"result":"ok","data":{"error":"\#(code.word)"}}"#)
      #expect(driver.refusal(of: 1)?.code == code.name(in: .message))
      #expect(driver.refusal(of: 1)?.serverCode == code.word)
    }
  }

  @Test func `an inner error of anything but a text means nothing`() {
    var driver = ClientDriver()
    driver.connect(ClientDriver.openChat)
    driver.perform(1, .delete("a"))
    driver.answer("/action", #"{"result":"ok","data":{"error":"not_allowed"}}"#)
    #expect(driver.ends(of: 1) == [.answered(1, refusal: nil)])
  }

  @Test(arguments: ["{\"error\":7}", "{\"error\":null}", "{}"])
  func `an answer is a refusal only with a word`(body: String) {
    var driver = ClientDriver()
    driver.connect(ClientDriver.openChat)
    driver.perform(1, .delete("a"))
    driver.answer("/action", body)
    #expect(driver.ends(of: 1) == [.answered(1, refusal: nil)])
  }

  @Test(arguments: [200, 502, 503]) func `a service that is not ready is asked again`(status: Int) {
    var driver = ClientDriver()
    driver.connect(ClientDriver.openChat)
    driver.perform(1, .rateOperator(.init(stars: 5)))
    for _ in 0..<20 {
      driver.answer("/action", #"{"error":"server-not-ready"}"#, status: status)
      #expect(driver.action == nil)
      driver.advance(31)
    }
    #expect(driver.ends(of: 1).isEmpty && driver.outages == [.serverIsNotAvailable])
    driver.answer("/action", #"{"result":"ok"}"#)
    #expect(driver.ends(of: 1) == [.answered(1, refusal: nil)])
  }

  @Test(arguments: [
    ("message_not_found", Context.edit, "unknown"), ("message_not_found", .delete, "message_not_found"),
    ("max-message-length-exceeded", .edit, "max_length_exceeded"),
    ("max-message-length-exceeded", .offlineMessage, "max_message_length_exceeded"),
    ("operator-not-in-chat", .rating, "operator_not_in_chat"), ("no-chat", .rating, "no_chat"),
    ("question-not-found", .survey, "question_not_found"), ("question-not-found", .surveyClose, "unknown"),
    ("cannot-create-response", .keyboard, "can_not_create_response"),
    ("can-not-create-response", .keyboard, "unknown"), ("unathorized", .upload, "unauthorized"),
    ("made-up", .rating, "unknown"),
  ])
  func `a word is called by the handbook's case of its action`(word: String, context: Context, name: String) {
    #expect(ErrorCode(word).name(in: context) == name)
  }
}
