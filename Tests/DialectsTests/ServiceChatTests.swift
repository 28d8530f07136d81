import Chat
import Dialects
import JSON
import Testing

@Suite struct ServiceChatTests {
  @Test func `a start of an open chat is harmless and a repeat of a start is none`() {
    var bench = ServiceBench()
    var page = bench.enter()
    for id in ["c1", "c1", "c2"] {
      #expect(page.action("chat.start", [("client-side-id", id)], in: &bench)["result"]?.string == "ok")
    }
    #expect(page.changes(in: &bench).types == ["CHAT", "VISIT_SESSION_STATE"])
    #expect(bench.service.statistics.chatsStarted == 1)
    bench.desk(.close(1, isFinal: true))
    _ = page.fetch(in: &bench)
    // The latest start comes once more, late: the chat stays closed.
    _ = page.action("chat.start", [("client-side-id", "c1")], in: &bench)
    #expect(page.changes(in: &bench).isEmpty)
    _ = page.action("chat.start", [("client-side-id", "c3")], in: &bench)
    #expect(page.changes(in: &bench).data("CHAT")?["id"]?.integer == 2)
  }

  @Test func `a start tells the desk everything that came with it`() {
    var bench = ServiceBench {
      $0.departments = [Department(key: "sales", name: "Sales", onlineStatus: .online, order: 1)]
      $0.welcome = ["Welcome!"]
    }
    var page = bench.enter()
    _ = bench.takeEvents()
    _ = page.action(
      "chat.start",
      [
        ("client-side-id", "c"), ("first-question", "Where?"), ("department-key", "sales"),
        ("custom_fields", #"{"order": 7}"#), ("force-start", "true"),
      ], in: &bench)
    let events = bench.takeEvents()
    guard case .chatStarted(let chat) = events.first, case .message(_, let question) = events.last else {
      Issue.record("the desk was not told")
      return
    }
    #expect(chat.visitorID == page.full["visitor"]?["id"]?.string)
    #expect(chat.firstQuestion == "Where?")
    #expect(chat.department == "sales")
    #expect(chat.customFields == #"{"order":7}"#)
    #expect(chat.isForced)
    #expect(question.text == "Where?")
    let changes = page.changes(in: &bench)
    #expect(changes.messages.map { $0["text"]?.string } == ["Where?", "Welcome!"])
    #expect(changes.messages.map { $0["kind"]?.string } == ["visitor", "info"])
  }

  @Test(
    arguments: [
      ([], "argument-missing", "client-side-id"),
      ([("client-side-id", "")], "argument-missing", "client-side-id"),
      ([("client-side-id", "c"), ("department-key", "moon")], "wrong-argument-value", "department-key"),
      ([("client-side-id", "c"), ("visitor-fields", "[1]")], "wrong-argument-value", "visitor-fields"),
      ([("client-side-id", "c"), ("custom_fields", "{")], "wrong-argument-value", "custom_fields"),
      ([("client-side-id", "c"), ("force-online", "yes")], "wrong-argument-value", "force-online"),
      ([("client-side-id", "c"), ("force-start", "2")], "wrong-argument-value", "force-start"),
    ] as [([(String, String)], String, String)])
  func `a wrong start is refused by name`(parameters: [(String, String)], code: String, argument: String) {
    var bench = ServiceBench()
    let page = bench.enter()
    let answer = page.action("chat.start", parameters, in: &bench)
    #expect(answer["error"]?.string == code)
    #expect(answer["argumentName"]?.string == argument)
  }

  @Test func `a start without a department waits for one where the service needs it`() {
    var bench = ServiceBench {
      $0.departments = [Department(key: "sales", name: "Sales", onlineStatus: .online, order: 1)]
      $0.requiresDepartment = true
    }
    var page = bench.enter()
    #expect(page.full["departments"]?.elements.first?["online"]?.string == "online")
    _ = page.action("chat.start", [("client-side-id", "c1")], in: &bench)
    let waiting = page.changes(in: &bench)
    #expect(waiting.types == ["VISIT_SESSION_STATE"])
    #expect(waiting.data("VISIT_SESSION_STATE")?.string == "department-selection")
    let refused = page.action("chat.message", [("client-side-id", "a"), ("message", "Hi")], in: &bench)
    #expect(refused["error"]?.string == "no-chat")
    _ = page.action("chat.start", [("client-side-id", "c2"), ("department-key", "sales")], in: &bench)
    #expect(page.changes(in: &bench).data("VISIT_SESSION_STATE")?.string == "chat")
  }

  @Test(arguments: [true, false])
  func `a chat that needs a first question starts with the answer to it`(isMessage: Bool) {
    var bench = ServiceBench { $0.requiresFirstQuestion = true }
    var page = bench.enter()
    _ = page.action("chat.start", [("client-side-id", "c1")], in: &bench)
    #expect(page.changes(in: &bench).data("VISIT_SESSION_STATE")?.string == "first-question")
    _ =
      isMessage
      ? page.action("chat.message", [("client-side-id", "a"), ("message", "Why?")], in: &bench)
      : page.action("chat.start", [("client-side-id", "c2"), ("first-question", "Why?")], in: &bench)
    let started = page.changes(in: &bench)
    #expect(started.data("VISIT_SESSION_STATE")?.string == "chat")
    #expect(started.messages.map { $0["text"]?.string } == ["Why?"])
  }

  @Test func `an offline service takes only a start that is forced online`() {
    var bench = ServiceBench { $0.onlineStatus = .offline }
    var page = bench.enter()
    #expect(page.full["onlineStatus"]?.string == "offline")
    _ = page.action("chat.start", [("client-side-id", "c1"), ("force-online", "0")], in: &bench)
    #expect(page.changes(in: &bench).data("VISIT_SESSION_STATE")?.string == "offline-message")
    let refused = page.action("chat.message", [("client-side-id", "a"), ("message", "Hi")], in: &bench)
    #expect(refused["error"]?.string == "no-chat")
    _ = page.action("chat.start", [("client-side-id", "c2"), ("force-online", "1")], in: &bench)
    #expect(page.changes(in: &bench).data("CHAT")?["state"]?.string == "queue")
  }

  @Test(arguments: [(true, nil), (false, "no-chat")] as [(Bool, String?)])
  func `a message without a chat starts one if the account says so`(isAllowed: Bool, error: String?) {
    var bench = ServiceBench { $0.account["force_start_chat_on_visitor_message"] = .bool(isAllowed) }
    let page = bench.enter()
    let answer = page.action("chat.message", [("client-side-id", "a"), ("message", "Hi")], in: &bench)
    #expect(answer["error"]?.string == error)
    #expect(bench.service.statistics.chatsStarted == (isAllowed ? 1 : 0))
  }

  // MARK: - Closing

  /// The state before, who closes, the state after (the protocol's section 6.3).
  @Test(arguments: [
    ("queue", "visitor", "closed"), ("queue", "operator", "closed_by_operator"),
    ("chatting", "visitor", "closed_by_visitor"), ("chatting", "operator", "closed_by_operator"),
    ("chatting", "final", "closed"), ("robot", "visitor", "closed_by_visitor"),
    ("hold", "visitor", "closed_by_visitor"), ("routing", "operator", "closed_by_operator"),
    ("invitation", "visitor", "closed"), ("invitation", "operator", "closed"),
    ("closed_by_operator", "visitor", "closed"), ("closed_by_visitor", "operator", "closed"),
    ("closed_by_visitor", "visitor", "closed_by_visitor"), ("closed", "visitor", "closed"),
    ("closed", "operator", "closed"),
  ])
  func `each party's close leads where the protocol says`(before: String, party: String, after: String) {
    var bench = ServiceBench()
    var page = bench.enter()
    let chat = bring(&page, to: before, in: &bench)
    _ = page.fetch(in: &bench)
    switch party {
    case "visitor": _ = page.action("chat.close", [], in: &bench)
    default: bench.desk(.close(chat, isFinal: party == "final"))
    }
    let changes = page.changes(in: &bench)
    #expect(bench.enter().full["chat"]?["state"]?.string == after)
    guard before != after else { return #expect(changes.isEmpty) }
    #expect(changes.data("CHAT_STATE")?.string == after)
    #expect(bench.enter().full["state"]?.string == "idle-after-chat")
  }

  /// Brings a chat into a state and returns its id.
  private func bring(_ page: inout ServiceBenchPage, to state: String, in bench: inout ServiceBench) -> Int {
    if state == "invitation" {
      bench.desk(.defineOperator(handle: "anna", name: "Anna", title: nil, avatar: nil, robotType: nil))
      let visitor = page.full["visitor"]?["id"]?.string ?? ""
      guard
        case .success(.chat(let chat)) = bench.desk(
          .invite(visitorID: visitor, operator: "anna", text: "Need help?"))
      else { return 0 }
      return chat
    }
    let chat = page.chat(with: state == "queue" ? nil : "anna", in: &bench)
    switch state {
    case "robot": bench.desk(.robot(chat, name: "Robby"))
    case "hold": bench.desk(.hold(chat))
    case "routing": bench.desk(.route(chat))
    case "closed": bench.desk(.close(chat, isFinal: true))
    case "closed_by_operator": bench.desk(.close(chat, isFinal: false))
    case "closed_by_visitor": _ = page.action("chat.close", [], in: &bench)
    default: break
    }
    return chat
  }

  @Test func `a close without any chat is refused`() {
    var bench = ServiceBench()
    #expect(bench.enter().action("chat.close", [], in: &bench)["error"]?.string == "chat-required")
  }

  @Test(arguments: ["closed_by_operator", "closed_by_visitor"])
  func `a message opens a chat again that one party has closed`(state: String) {
    var bench = ServiceBench()
    var page = bench.enter()
    let chat = bring(&page, to: state, in: &bench)
    _ = page.fetch(in: &bench)
    _ = bench.takeEvents()
    _ = page.action("chat.message", [("client-side-id", "a"), ("message", "One more")], in: &bench)
    let changes = page.changes(in: &bench)
    #expect(changes.data("CHAT")?["id"]?.integer == chat)
    #expect(changes.data("CHAT")?["state"]?.string == "queue")
    #expect(changes.data("CHAT")?["operator"] == .null)
    #expect(changes.data("VISIT_SESSION_STATE")?.string == "chat")
    guard case .chatStarted(let started)? = bench.takeEvents().first else {
      Issue.record("the desk was not told")
      return
    }
    #expect(started.id == chat)
    #expect(started.isReopened)
  }

  @Test func `an invitation becomes a chat with the visitor's first message`() {
    var bench = ServiceBench()
    var page = bench.enter()
    let chat = bring(&page, to: "invitation", in: &bench)
    let invited = page.changes(in: &bench)
    #expect(invited.types.prefix(3) == ["CHAT", "VISIT_SESSION_STATE", "CHAT_MESSAGE"])
    #expect(invited.data("CHAT")?["state"]?.string == "invitation")
    #expect(invited.data("CHAT")?["operator"]?["fullname"]?.string == "Anna")
    _ = page.action("chat.message", [("client-side-id", "a"), ("message", "Yes")], in: &bench)
    #expect(page.changes(in: &bench).data("CHAT_STATE")?.string == "chatting")
    #expect(bench.desk(.say(chat, text: "Good", quoting: nil)).isSuccess)
  }

  @Test func `the operator stays until the chat is plainly closed`() {
    var bench = ServiceBench()
    var page = bench.enter()
    let chat = bring(&page, to: "closed_by_operator", in: &bench)
    #expect(bench.enter().full["chat"]?["operator"]?["fullname"]?.string == "Anna")
    bench.desk(.close(chat, isFinal: true))
    #expect(bench.enter().full["chat"]?["operator"] == .null)
  }

  // MARK: - Typing and reading

  @Test(
    arguments: [
      ([("typing", "1"), ("message-draft", "Hel")], true, "Hel"), ([("typing", "false")], false, nil),
      ([("typing", "true"), ("del-message-draft", "1")], true, ""),
    ] as [([(String, String)], Bool, String?)])
  func `typing and its draft reach the desk`(parameters: [(String, String)], isTyping: Bool, draft: String?) {
    var bench = ServiceBench()
    var page = bench.enter()
    #expect(page.action("chat.visitor_typing", parameters, in: &bench)["result"]?.string == "ok")
    let chat = page.chat(in: &bench)
    _ = page.action("chat.visitor_typing", parameters, in: &bench)
    #expect(bench.takeEvents() == [.typing(chat, isTyping: isTyping, draft: draft)])
  }

  @Test func `an operator's typing ends with what it says`() {
    var bench = ServiceBench()
    var page = bench.enter()
    let chat = page.chat(with: "anna", in: &bench)
    bench.desk(.typing(chat, true))
    bench.desk(.typing(chat, true))
    bench.desk(.say(chat, text: "Hi", quoting: nil))
    let typing = page.changes(in: &bench).filter { $0["objectType"]?.string == "CHAT_OPERATOR_TYPING" }
    #expect(typing.map { $0["data"]?.bool } == [true, false])
  }

  @Test func `unread messages are counted, read up to one of them and read all`() throws {
    var bench = ServiceBench()
    var page = bench.enter()
    let chat = page.chat(with: "anna", in: &bench)
    var ids: [String] = []
    for text in ["1", "2", "3"] {
      bench.now += 1
      let message = try #require(bench.desk(.say(chat, text: text, quoting: nil)).message)
      ids.append(message.id)
    }
    bench.desk(.info(chat, text: "does not count"))
    let counts = page.changes(in: &bench).filter { $0["objectType"]?.string == "UNREAD_BY_VISITOR" }
    #expect(counts.map { $0["data"]?["msgCnt"]?.integer } == [1, 2, 3])
    #expect(counts.map { $0["data"]?["sinceTs"]?.number } == [1_700_000_001, 1_700_000_001, 1_700_000_001])

    _ = page.action("chat.read_by_visitor", [("message_id", ids[1])], in: &bench)
    let partly = page.changes(in: &bench)
    #expect(partly.types == ["UNREAD_BY_VISITOR"])
    #expect(partly.data("UNREAD_BY_VISITOR") == ["msgCnt": 1, "sinceTs": 1_700_000_003.0])
    #expect(bench.enter().full["chat"]?["unreadByVisitorMsgCnt"]?.integer == 1)
    // What was read already changes nothing.
    _ = page.action("chat.read_by_visitor", [("message_id", ids[0])], in: &bench)
    #expect(page.changes(in: &bench).isEmpty)

    bench.desk(.delete(messageID: ids[2]))
    #expect(
      page.changes(in: &bench).types == [
        "CHAT_MESSAGE", "HISTORY_REVISION", "UNREAD_BY_VISITOR", "CHAT_READ_BY_VISITOR",
      ])
    _ = page.action("chat.read_by_visitor", [], in: &bench)
    #expect(bench.takeEvents().suffix(1) == [.read(chat, upTo: nil)])
    let unknown = page.action("chat.read_by_visitor", [("message_id", "m9-9-x")], in: &bench)
    #expect(unknown["error"]?.string == "message_not_found")
  }

  @Test func `the desk's read marks go up to the message that it names`() {
    var bench = ServiceBench()
    var page = bench.enter()
    let chat = page.chat(with: "anna", in: &bench)
    for id in ["a", "b", "c"] {
      bench.now += 1
      _ = page.action("chat.message", [("client-side-id", id), ("message", id)], in: &bench)
    }
    let sent = page.changes(in: &bench)
    #expect(sent.data("CHAT_UNREAD_BY_OPERATOR_SINCE_TS")?.number == 1_700_000_001)
    let ids = sent.messages.compactMap { $0["id"]?.string }
    bench.desk(.markRead(chat, upTo: ids[1]))
    let partly = page.changes(in: &bench)
    #expect(
      partly.filter { $0["objectType"]?.string == "MESSAGE_READ" }.compactMap { $0["id"]?.string }
        == Array(ids.prefix(2)))
    #expect(partly.data("CHAT_UNREAD_BY_OPERATOR_SINCE_TS")?.number == 1_700_000_003)
    bench.desk(.markRead(chat, upTo: nil))
    let all = page.changes(in: &bench)
    #expect(all.filter { $0["objectType"]?.string == "MESSAGE_READ" }.count == 1)
    #expect(all.data("CHAT_UNREAD_BY_OPERATOR_SINCE_TS") == .null)
    #expect(page.history(in: &bench)["messages"]?.elements.allSatisfy { $0["read"]?.bool == true } == true)
  }
}

extension Result {
  var isSuccess: Bool {
    guard case .success = self else { return false }
    return true
  }
}
