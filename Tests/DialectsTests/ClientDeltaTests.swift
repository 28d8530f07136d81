import Chat
import Dialects
import Testing

/// Items of a poll's answer (the protocol's sections 3.3 and 3.4).
@Suite struct ClientDeltaTests {
  struct Row: Sendable, CustomTestStringConvertible {
    let item: String
    let updates: [Update]
    var testDescription: String { item }

    init(_ item: String, _ updates: [Update]) {
      self.item = item
      self.updates = updates
    }
  }

  static func item(_ type: String, _ event: String, _ data: String, id: String = "9") -> String {
    #"{"objectType":"\#(type)","event":"\#(event)","id":"\#(id)","data":\#(data)}"#
  }

  static let anna: Operator = {
    var anna = Operator(id: "501", name: "Anna")
    anna.avatar = "/a.png"
    anna.title = "Support"
    anna.info = "Kind"
    return anna
  }()

  static let annaText =
    #"{"id":501,"fullname":"Anna","avatar":"/a.png","title":"Support","additionalInfo":"Kind"}"#

  static let survey = Survey(
    id: "sv-5", configID: 3, version: "2",
    forms: [
      Survey.Form(
        id: 21,
        questions: [
          .init(kind: .stars, text: "Rate us"),
          .init(kind: .radio, text: "Solved?", options: ["Yes", "No"]),
        ]),
      Survey.Form(id: 22, questions: [.init(kind: .comment, text: "Anything else?")]),
    ],
    current: .init(formID: 21, question: 0))

  static let surveyText = #"""
    {"id":"sv-5","config":{"id":3,"version":"2","descriptor":{"forms":[
    {"id":21,"questions":[{"type":"stars","text":"Rate us"},{"type":"radio","text":"Solved?","options":["Yes","No"]},{"type":"stars"}]},
    {"questions":[]},{"id":22,"questions":[{"type":"essay","text":"Anything else?"}]}]}},
    "current_question":{"form_id":21,"question_id":0}}
    """#

  static let chat: [Row] = [
    Row(item("CHAT", "add", "{}"), [.chat(nil)]),
    Row(item("CHAT", "upd", "null"), [.chat(nil)]),
    Row(item("CHAT", "del", "7"), [.chat(nil)]),
    Row(item("CHAT_MESSAGE", "del", "null", id: "m-1"), [.messageRemoved(serverID: "m-1")]),
    Row(item("CHAT_MESSAGE", "add", "null"), []),
    Row(item("CHAT_MESSAGE", "upd", #"{"id":"m-1"}"#), []),
    Row(item("CHAT_OPERATOR", "upd", annaText), [.operatorChanged(anna)]),
    Row(item("CHAT_OPERATOR", "upd", #"{"id":"501","fullname":"Anna"}"#), []),
    Row(item("CHAT_OPERATOR", "upd", "null"), [.operatorChanged(nil)]),
    Row(item("CHAT_OPERATOR", "del", annaText), [.operatorChanged(nil)]),
    Row(item("CHAT_OPERATOR_TYPING", "upd", "true"), [.operatorTyping(true)]),
    Row(item("CHAT_OPERATOR_TYPING", "upd", "0"), [.operatorTyping(false)]),
    Row(item("CHAT_OPERATOR_TYPING", "add", "true"), []),
    Row(item("CHAT_READ_BY_VISITOR", "upd", "true"), [.readByVisitor(true)]),
    Row(item("CHAT_STATE", "upd", #""closed_by_visitor""#), [.chatState(.closedByVisitor)]),
    Row(item("CHAT_STATE", "upd", #""on_the_moon""#), [.chatState(.unknown)]),
    Row(item("CHAT_STATE", "upd", "5"), []),
    Row(item("CHAT_ID", "upd", "10"), [.chatID(10)]),
    Row(item("CHAT_ID", "upd", #""10""#), []),
    Row(item("CHAT_UNREAD_BY_OPERATOR_SINCE_TS", "upd", "12.5"), [.unreadByOperator(since: 12.5)]),
    Row(item("CHAT_UNREAD_BY_OPERATOR_SINCE_TS", "upd", "null"), [.unreadByOperator(since: nil)]),
    Row(item("CHAT_UNREAD_BY_OPERATOR_SINCE_TS", "upd", #""x""#), []),
    Row(
      item("UNREAD_BY_VISITOR", "upd", #"{"msgCnt":2,"sinceTs":7}"#), [.unreadByVisitor(count: 2, since: 7)]),
    Row(item("UNREAD_BY_VISITOR", "upd", #"{"msgCnt":0}"#), [.unreadByVisitor(count: 0, since: nil)]),
    Row(item("UNREAD_BY_VISITOR", "upd", #"{"sinceTs":7}"#), []),
    Row(item("MESSAGE_READ", "upd", "true", id: "m-1"), [.messageRead(serverID: "m-1", true)]),
    Row(
      item("OPERATOR_RATE", "upd", #"{"operatorId":501,"rating":-2}"#), [.rating(operatorID: "501", stars: 1)]
    ),
    Row(
      item("OPERATOR_RATE", "upd", #"{"operatorId":501,"answer":1}"#),
      [.resolution(operatorID: "501", answer: 1)]),
    Row(item("OPERATOR_RATE", "upd", #"{"rating":2}"#), []),
    Row(item("OPERATOR_RATE", "upd", #"{"operatorId":501}"#), []),
  ]

  static let others: [Row] = [
    Row(
      item(
        "DEPARTMENT_LIST", "add",
        #"[{"key":"a","name":"A","online":"offline","order":1},{"key":"b"},{"key":"c","name":"C","online":"odd","order":2}]"#
      ),
      [
        .departments([
          Department(key: "a", name: "A", onlineStatus: .offline, order: 1),
          Department(key: "c", name: "C", onlineStatus: .unknown, order: 2),
        ])
      ]),
    Row(item("DEPARTMENT_LIST", "upd", "null"), []),
    Row(item("SURVEY", "add", surveyText), [.survey(survey)]),
    Row(item("SURVEY", "upd", "null"), [.survey(nil)]),
    Row(item("SURVEY", "del", "[]"), [.survey(nil)]),
    Row(item("SURVEY", "upd", #"{"id":"sv-5"}"#), []),
    Row(item("VISIT_SESSION_STATE", "upd", #""idle-after-chat""#), [.sessionState(.idleAfterChat)]),
    Row(item("VISIT_SESSION_STATE", "upd", #""showing-auto""#), [.sessionState(.unknown)]),
    Row(item("VISIT_SESSION_STATE", "add", #""chat""#), []),
    Row(
      item("VISITOR_FULL", "upd", #"{"id":"v-77","fields":{"name":"Kim","age":7}}"#),
      [.visitor(VisitorProfile(id: "v-77", fields: ["name": "Kim"]))]),
    Row(item("VISITOR_FULL", "upd", #"{"fields":{}}"#), []),
    Row(item("VISIT_SESSION_LANG", "add", #""de""#), [.language("de")]),
    Row(item("OFFLINE_CHAT_MESSAGE", "add", "{}"), []),
    Row(item("VISIT_SESSION", "upd", "{}"), []),
    Row(item("WEATHER", "upd", #""rain""#), []),
    Row(#"{"objectType":"CHAT_STATE","event":"upd","id":9,"data":"chatting"}"#, []),
    Row(#"{"objectType":"CHAT_STATE","event":"upd","data":"chatting"}"#, []),
    Row(#"{"objectType":"CHAT_STATE","event":"new","id":"9","data":"chatting"}"#, []),
    Row(#"{"event":"upd","id":"9","data":"chatting"}"#, []),
    Row("17", []), Row("null", []), Row("[]", []),
  ]

  @Test(arguments: chat + others)
  func `an item tells what the table says and never ends the visit`(row: Row) {
    var driver = ClientDriver()
    driver.connect(ClientDriver.openChat)
    let before = driver.updates.count
    driver.delta(row.item)
    #expect(Array(driver.updates[before...]) == row.updates)
    #expect(driver.fatal == nil && driver.session.isConnected)
    driver.advance(1)
    #expect(driver.pending("/delta")?.request["since"] == "42")
  }

  @Test func `items are told in their order and a bad one costs only itself`() {
    var driver = ClientDriver()
    driver.connect(ClientDriver.openChat)
    let before = driver.updates.count
    driver.delta(
      [
        Self.item("CHAT_STATE", "upd", #""hold""#), "{}", Self.item("CHAT_OPERATOR_TYPING", "upd", "1"),
        Self.item("CHAT_ID", "upd", "12"),
      ].joined(separator: ","))
    #expect(Array(driver.updates[before...]) == [.chatState(.hold), .operatorTyping(true), .chatID(12)])
  }

  @Test func `a chat comes with its messages, ratings and marks`() throws {
    var driver = ClientDriver()
    driver.connect()
    driver.delta(
      Self.item(
        "CHAT", "upd",
        #"""
        {"id":9,"clientSideId":"c1","state":"chatting_with_robot","operator":{"id":7,"fullname":"Rob","robotType":"std"},
         "operatorTyping":true,"readByVisitor":false,"unreadByOperatorSinceTs":1.5,"unreadByVisitorMsgCnt":3,
         "unreadByVisitorSinceTs":2.5,"translationOptions":{"enabled":true,"language":"fr"},
         "operatorIdToRate":{"7":{"operatorId":7,"rating":1},"x":{"rating":2},"8":{"operatorId":8}},
         "operatorIdToResolutionSurvey":{"7":{"operatorId":7,"answer":0}},
         "messages":[{"id":"m-1","kind":"operator","authorId":7,"name":"Rob","text":"Hi","ts":1},{"id":"m-2"}]}
        """#))
    guard case .chat(let chat?) = driver.updates.last else {
      Issue.record("no chat")
      return
    }
    #expect(chat.state == .chattingWithRobot && chat.isOperatorTyping && !chat.isReadByVisitor)
    #expect(chat.operator?.robotType == "std" && chat.language == "fr")
    #expect(chat.unreadByOperatorSince == 1.5)
    #expect(chat.unreadByVisitorCount == 3 && chat.unreadByVisitorSince == 2.5)
    #expect(chat.ratings == ["7": 4] && chat.resolutions == ["7": 0])
    #expect(chat.messages.map(\.id) == ["m-1"])
    #expect(chat.messages.first?.senderID == "7")
  }

  @Test func `a chat without an id has its negated creation time`() {
    var driver = ClientDriver()
    driver.connect()
    driver.delta(Self.item("CHAT", "upd", #"{"creationTs":1700000300.25}"#))
    guard case .chat(let chat?) = driver.updates.last else {
      Issue.record("no chat")
      return
    }
    #expect(chat.id == -1_700_000_300 && chat.state == .unknown)
  }

  @Test(arguments: [
    (#""showHelloMessage":true,"chatStartAfterMessage":true,"helloMessageDescr":"Hey""#, "Hey" as String?),
    (#""showHelloMessage":true,"chatStartAfterMessage":false,"helloMessageDescr":"Hey""#, nil),
    (#""showHelloMessage":true,"chatStartAfterMessage":true"#, nil),
  ])
  func `a greeting needs both wishes and a text`(members: String, greeting: String?) {
    var driver = ClientDriver()
    driver.connect(#"{"pageId":"p","authToken":"t","visitSessionId":"s","visitor":{},\#(members)}"#)
    guard case .snapshot(let snapshot) = driver.updates.first else {
      Issue.record("no snapshot")
      return
    }
    #expect(snapshot.greeting == greeting)
  }

  @Test func `a snapshot carries what the full update says and leaves out what it does not`() throws {
    var driver = ClientDriver()
    driver.connect()
    guard case .snapshot(let snapshot) = driver.updates.first else {
      Issue.record("no snapshot")
      return
    }
    #expect(snapshot.sessionState == .idle && snapshot.onlineStatus == .online)
    #expect(
      snapshot.departments == [Department(key: "sales", name: "Sales", onlineStatus: .online, order: 10)])
    #expect(snapshot.chat == nil && snapshot.survey == nil && snapshot.visitor == nil)
    var bare = ClientDriver()
    bare.connect(#"{"pageId":"p","onlineStatus":"odd","survey":{"id":1},"visitorFull":{"fields":{}}}"#)
    var unknown = Snapshot(sessionState: .unknown)
    unknown.hintsEnabled = false
    #expect(bare.updates.first == .snapshot(unknown))
  }
}
