import Bot
import Chat
import JSON
import Script
import Testing

private func call(_ word: String, _ values: JSONValue...) throws -> BotCall {
  try #require(Vocabulary.bot.spec(word)).call(said: word, values)
}

private func conversation() -> Conversation {
  var conversation = Conversation()
  var chat = ChatSnapshot(id: 17, state: .chatting)
  chat.operator = Operator(id: "7", name: "Anna")
  var menu = message("Menu", from: .robot, id: "c-menu", buttons: [Button(id: "b1", text: "Track order")])
  menu.serverID = "s-menu"
  var mine = message("Hi", from: .visitor, id: "c-mine")
  mine.serverID = "s-mine"
  chat.messages = [menu, mine]
  chat.ratings = ["7": 4]
  var snapshot = Snapshot(sessionState: .chat)
  snapshot.chat = chat
  let radio = Survey.Question(kind: .radio, text: "Solved?", options: ["yes", "no"])
  snapshot.survey = Survey(
    id: "sv", configID: 1, version: "", forms: [Survey.Form(id: 21, questions: [radio])],
    current: Survey.Position(formID: 21, question: 0))
  _ = conversation.apply(.snapshot(snapshot))
  return conversation
}

@Test(
  arguments: [
    (
      ["start_chat", ["department": "sales", "custom_fields": ["a": 1]]],
      .startChat(clientID: "new", .init(department: "sales", customFields: #"{"a":1}"#))
    ),
    (["force_start_chat", "sales"], .startChat(clientID: "new", .init(department: "sales", isForced: true))),
    (["close_chat"], .closeChat),
    (
      ["say", "Hi", ["data": ["x": true]]],
      .send(clientID: "new", text: "Hi", hintQuestion: nil, data: #"{"x":true}"#)
    ),
    (["reply", ["id": "c-menu"], "Great"], .reply(clientID: "new", text: "Great", quoted: "s-menu")),
    (["reply", "elsewhere", "Great"], .reply(clientID: "new", text: "Great", quoted: "elsewhere")),
    (["edit", "s-mine", "Hello"], .edit("c-mine", text: "Hello")),
    (["delete", ["id": "c-mine"]], .delete("c-mine")),
    (["press", ["id": "c-menu"], "Track order"], .pressButton(button: "b1", message: "s-menu")),
    (["press", "s-menu", ["id": "b1", "text": "?"]], .pressButton(button: "b1", message: "s-menu")),
    (["set_visitor_typing", "I wo"], .setVisitorTyping(draft: "I wo")),
    (["set_visitor_typing", .null], .setVisitorTyping(draft: nil)),
    (["set_chat_read", ["id": "c-menu"]], .setChatRead(messageID: "s-menu")),
    (["set_chat_read"], .setChatRead(messageID: nil)),
    (["rate_operator", 5], .rateOperator(.init(stars: 5, threadID: 17))),
    (
      ["rate_operator", 9, ["operator": "Anna", "note": "x"]],
      .rateOperator(.init(stars: 9, operatorID: "7", note: "x", threadID: 17))
    ),
    (["send_resolution_survey", 1], .sendResolutionSurvey(operatorID: "7", answer: 1, threadID: 17)),
    (
      ["send_resolution_survey", 0, ["operator": ["id": "8"]]],
      .sendResolutionSurvey(operatorID: "8", answer: 0, threadID: 17)
    ),
    (["answer_survey", "no"], .answerSurvey(surveyID: "sv", .init(formID: 21, question: 0), value: "2")),
    (["answer_survey", 2], .answerSurvey(surveyID: "sv", .init(formID: 21, question: 0), value: "2")),
    (
      ["answer_survey", "perhaps"],
      .answerSurvey(surveyID: "sv", .init(formID: 21, question: 0), value: "perhaps")
    ),
    (["close_survey"], .closeSurvey(surveyID: "sv")),
  ] as [([JSONValue], Action)])
func `a word becomes the action of its conversation`(said: [JSONValue], action: Action) throws {
  let word = try #require(said.first?.string)
  let spec = try #require(Vocabulary.bot.spec(word))
  let call = try spec.call(said: word, Array(said.dropFirst()))
  #expect(call.resolve(in: conversation(), newClientID: { "new" }) == .success(action))
  #expect(action.name == spec.name || word == "force_start_chat")
}

@Test func `what cannot be said at all is refused here`() throws {
  let press = try call("press", "c-menu", "Trak order").resolve(in: conversation(), newClientID: { "" })
  guard case .failure(let wrong) = press else {
    Issue.record("the press went through")
    return
  }
  #expect(wrong.code == "unknown_button")
  let survey = try call("answer_survey", 5).resolve(in: Conversation(), newClientID: { "" })
  #expect(
    survey
      == .failure(
        ActionError(code: "no_current_survey", action: "answer_survey", detail: "no survey is open")))
}

@Test(arguments: ["pause", "resume", "destroy", "messages", "all_messages"])
func `words that are no actions of the service stay with the host`(word: String) throws {
  #expect(try call(word).resolve(in: conversation(), newClientID: { "" }) == nil)
}

@Test func `the conversation answers what it knows`() throws {
  let conversation = conversation()
  let messages = try #require(try call("messages").answer(in: conversation))
  #expect(try JSONNode(parsing: messages).elements.map { $0["text"]?.string } == ["Menu", "Hi"])
  #expect(try call("last_rating_of_operator", "Anna").answer(in: conversation) == Array("4".utf8))
  #expect(try call("last_rating_of_operator", "Boris").answer(in: conversation) == Array("null".utf8))
  #expect(try call("raw", "c-menu").answer(in: conversation) == Array("null".utf8))
  #expect(try call("read", "x").answer(in: conversation) == nil)
}

@Test func `fields are told whole at first, then where they have changed`() throws {
  var conversation = conversation()
  var identity = VisitorFields.Identity()
  identity.index = 3
  let first = VisitorFields(conversation, identity: identity, isConnected: true)
  let all = try JSONNode(parsing: try #require(first.changes(from: nil)))
  #expect(all["chat_state"]?.string == "chatting")
  #expect(all["operator"]?["name"]?.string == "Anna")
  #expect(all["index"]?.integer == 3)
  #expect(all["connected"]?.bool == true)
  #expect(all["survey"]?["id"]?.string == "sv")
  let known = Set(Vocabulary.bot.fields).subtracting(["messages", "state", "resumed"])
  #expect(Set(all.members.map(\.key)) == known)

  _ = conversation.apply(.operatorChanged(nil))
  let second = VisitorFields(conversation, identity: identity, isConnected: true)
  #expect(second.changes(from: first).map { String(decoding: $0, as: UTF8.self) } == #"{"operator":null}"#)
  #expect(second.changes(from: second) == nil)
}

/// The handbook's table of listeners, the events' JSON and what handlers get are one and the same.
@Test(arguments: [ChatEvent].samples)
func `a listener's arguments are the event's, by name and in order`(event: ChatEvent) throws {
  let listener = try #require(Vocabulary.bot.listener(event.name))
  #expect(event.arguments.count == listener.arguments.count)
  let json = try JSONNode(parsing: event.json(.script))
  for (name, value) in zip(listener.arguments, event.arguments) where name != "keyboard" {
    #expect(try JSONNode(parsing: value).value == json[name]?.value ?? .null)
  }
  let told = Set(json.members.map(\.key)).subtracting(["name"])
  #expect(told.isSubset(of: listener.arguments))
  #expect(!event.occurrence(at: 0).summary.isEmpty)
}

extension [ChatEvent] {
  fileprivate static let samples: [ChatEvent] = {
    let message = message("x", buttons: [Button(id: "1", text: "A")])
    let question = Survey.Question(kind: .stars, text: "How?")
    let position = Survey.Position(formID: 1, question: 0)
    let survey = Survey(
      id: "s", configID: 1, version: "1", forms: [Survey.Form(id: 1, questions: [question])],
      current: position)
    let error = SessionError(code: .visitorBanned, serverCode: "visitor_banned")
    let anna = Operator(id: "1", name: "Anna")
    return [
      .messageAdded(message, previous: message), .messageChanged(from: message, to: message),
      .messageRemoved(message), .keyboard(message),
      .chatState(from: .queue, to: .chatting), .sessionState(from: .idle, to: .chat),
      .operatorChanged(from: nil, to: anna), .operatorChanged(from: anna, to: nil), .operatorTyping(true),
      .departments([Department(key: "a", name: "A", onlineStatus: .online, order: 1)]),
      .locationSettings(from: nil, to: #"{"a":1}"#), .onlineStatus(from: .unknown, to: .online),
      .unreadByOperator(since: 5), .unreadByVisitor(since: nil), .unreadCount(3), .survey(survey),
      .surveyQuestion(question, position), .surveyCancelled(survey), .surveyCancelled(nil),
      .rated(operatorID: "1", stars: 5), .resolved(operatorID: "1", answer: 1), .language("en"),
      .language(nil), .greeting("Hi"), .connection(true), .notFatalError(error), .fatalError(error),
    ]
  }()
}

@Test func `every event has a listener and every action its word`() {
  let fed = Set([ChatEvent].samples.map(\.name)).union(["start", "stop", "any"])
  #expect(fed == Set(Vocabulary.bot.listeners.map(\.name)))
  let names = Vocabulary.bot.methods + Vocabulary.bot.fields
  #expect(Set(names).count == names.count)
}

@Test func `a resting visitor weighs little`() throws {
  var bare = 0
  var resting = 0
  let state = try LuaStateWeight.measure()
  for source in ["return function(visitor) visitor:wait_message{ within = 1000 } end"] {
    let runner = try BotRunner(source: Array(source.utf8), name: "bots/idle.lua")
    runner.collectGarbage()
    bare = runner.memoryInUse
    _ = runner.receive(.start, now: 0)
    runner.collectGarbage()
    resting = runner.memoryInUse
  }
  print(
    "KiB of a visitor's Lua: sandbox \(state / 1024), with preludes \(bare / 1024), waiting \(resting / 1024)"
  )
  #expect(resting < 64 * 1024)
}
