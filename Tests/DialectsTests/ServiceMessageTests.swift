import Chat
import Dialects
import JSON
import Testing

@Suite struct ServiceMessageTests {
  @Test func `a repeat with the same text is no second message and no change`() {
    var bench = ServiceBench()
    var page = bench.enter()
    _ = page.chat(in: &bench)
    for _ in 0..<3 {
      let answer = page.action("chat.message", [("client-side-id", "a"), ("message", "Hi")], in: &bench)
      #expect(answer["result"]?.string == "ok")
    }
    #expect(page.changes(in: &bench).messages.count == 1)
    #expect(bench.service.statistics.messages == ["a": 1])
    #expect(bench.service.statistics.repeats == 2)
    #expect(bench.takeEvents().count == 1)
    // Nor does it open a chat again.
    bench.desk(.close(1, isFinal: false))
    _ = page.action("chat.message", [("client-side-id", "a"), ("message", "Hi")], in: &bench)
    #expect(bench.enter().full["chat"]?["state"]?.string == "closed_by_operator")
  }

  @Test func `messages of one moment have times of their own`() {
    var bench = ServiceBench()
    var page = bench.enter()
    _ = page.chat(in: &bench)
    for id in 0..<5 {
      _ = page.action("chat.message", [("client-side-id", "\(id)"), ("message", "x")], in: &bench)
    }
    let times = page.changes(in: &bench).messages.compactMap { $0["ts_m"]?.integer }
    #expect(times == (0..<5).map { 1_700_000_000_000_000 + $0 })
  }

  @Test func `a new text that is too long is cut, and its repeat is still a repeat`() {
    var bench = ServiceBench { $0.maxMessageLength = 4 }
    var page = bench.enter()
    _ = page.chat(in: &bench)
    for _ in 0..<2 {
      _ = page.action("chat.message", [("client-side-id", "a"), ("message", "abcdef")], in: &bench)
    }
    #expect(page.changes(in: &bench).messages.map { $0["text"]?.string } == ["abcd"])
    #expect(bench.service.statistics.repeats == 1)
  }

  /// A family of four and a letter whose accent stands apart: two characters to a reader, nine to a service.
  @Test(arguments: [1, 4, 7, 8, 9, 10])
  func `lengths count what a character is made of`(limit: Int) {
    let text = "👨‍👩‍👧‍👦e\u{301}"
    var bench = ServiceBench {
      $0.maxMessageLength = limit
      $0.maxNoteLength = limit
    }
    var page = bench.enter()
    _ = page.chat(in: &bench)
    _ = page.action("chat.message", [("client-side-id", "a"), ("message", text)], in: &bench)
    let told = page.changes(in: &bench).messages.first?["text"]?.string
    #expect(told.map { Array($0.unicodeScalars) } == Array(text.unicodeScalars.prefix(limit)))
    let edit = page.action(
      "chat.message", [("client-side-id", "a"), ("message", "!" + text), ("hint_question", "0")], in: &bench)
    #expect((edit["error"]?.string == "max-message-length-exceeded") == (limit < 10))
  }

  @Test(
    arguments: [
      ([("message", "x")], "argument-missing", "client-side-id"),
      ([("client-side-id", "n")], "argument-missing", "message"),
      ([("client-side-id", "n"), ("message", " \n")], "message_empty", "message"),
      ([("client-side-id", "n"), ("message", "x"), ("data", "7")], "wrong-argument-value", "data"),
      (
        [("client-side-id", "n"), ("message", "x"), ("hint_question", "?")], "wrong-argument-value",
        "hint_question"
      ),
      ([("client-side-id", "n"), ("message", "[]"), ("kind", "file_visitor")], "setting_disabled", nil),
    ] as [([(String, String)], String, String?)])
  func `a wrong message is refused by name`(parameters: [(String, String)], code: String, argument: String?) {
    var bench = ServiceBench()
    var page = bench.enter()
    _ = page.chat(in: &bench)
    let answer = page.action("chat.message", parameters, in: &bench)
    #expect(answer["error"]?.string == code)
    #expect(answer["argumentName"]?.string == argument)
    #expect(page.changes(in: &bench).isEmpty)
  }

  @Test func `rich data comes back as it was`() {
    var bench = ServiceBench()
    var page = bench.enter()
    _ = page.chat(in: &bench)
    let parameters = [("client-side-id", "a"), ("message", "x"), ("data", #"{"k":[1,{"v":null}]}"#)]
    _ = page.action("chat.message", parameters, in: &bench)
    #expect(page.changes(in: &bench).messages.first?["data"]?.text == #"{"k":[1,{"v":null}]}"#)
  }

  // MARK: - Editing and deleting

  /// A chat with the visitor's text `mine`, an operator's message and a press; returns client ids by name.
  private func conversation(
    _ page: inout ServiceBenchPage, in bench: inout ServiceBench
  ) -> [String: String] {
    let chat = page.chat(with: "anna", in: &bench)
    var ids = ["mine": "mine", "unknown": "unknown"]
    _ = page.action("chat.message", [("client-side-id", "mine"), ("message", "Hi")], in: &bench)
    if case .success(.message(let message)) = bench.desk(.say(chat, text: "Hello", quoting: nil)) {
      ids["theirs"] = message.clientID
    }
    let rows = [[Button(id: "b", text: "B")]]
    if case .success(.message(let message)) = bench.desk(.keyboard(chat, text: "?", rows: rows)) {
      let press = [("button-id", "b"), ("request-message-id", message.id)]
      _ = page.action("chat.keyboard_response", press, in: &bench)
    }
    ids["press"] =
      page.changes(in: &bench).messages.last { $0["kind"]?.string == "keyboard_response" }?["clientSideId"]?
      .string
    _ = bench.takeEvents()
    return ids
  }

  @Test(
    arguments: [
      ("mine", "Hi there", true, nil), ("mine", "", true, "message_empty"),
      ("mine", "far too long a text", true, "max-message-length-exceeded"),
      ("mine", "x", false, "not_allowed"),
      ("theirs", "x", true, "message_not_owned"), ("press", "x", true, "wrong_message_kind"),
    ] as [(String, String, Bool, String?)])
  func `only the visitor's own texts can be edited`(
    message: String, text: String, isAllowed: Bool, code: String?
  ) {
    var bench = ServiceBench { $0.maxMessageLength = 10 }
    var page = bench.enter()
    let ids = conversation(&page, in: &bench)
    bench.desk(.accountConfig(key: "visitor_message_editing", value: .bool(isAllowed)))
    let answer = page.action(
      "chat.message", [("client-side-id", ids[message] ?? ""), ("message", text), ("hint_question", "0")],
      in: &bench)
    #expect(answer["error"]?.string == code)
    let changes = page.changes(in: &bench)
    guard code == nil else {
      #expect(changes.isEmpty)
      return #expect(bench.takeEvents().isEmpty)
    }
    #expect(changes.types == ["CHAT_MESSAGE", "HISTORY_REVISION"])
    #expect(changes.first?["event"]?.string == "upd")
    #expect(changes.first?["data"]?["text"]?.string == text)
    #expect(changes.first?["data"]?["edited"]?.bool == true)
    guard case .messageEdited(_, let edited, previousText: "Hi")? = bench.takeEvents().first else {
      Issue.record("the desk was not told")
      return
    }
    #expect(edited.text == text)
  }

  @Test(
    arguments: [
      ("mine", true, nil), ("mine", false, "not_allowed"), ("theirs", true, "message_not_owned"),
      ("press", true, "wrong_message_kind"), ("unknown", true, "message_not_found"),
    ] as [(String, Bool, String?)])
  func `only the visitor's own texts can be deleted`(message: String, isAllowed: Bool, code: String?) {
    var bench = ServiceBench()
    var page = bench.enter()
    let ids = conversation(&page, in: &bench)
    let serverID = page.history(in: &bench)["messages"]?.elements.first?["id"]
    bench.desk(.accountConfig(key: "visitor_message_editing", value: .bool(isAllowed)))
    let parameters = [("client-side-id", ids[message] ?? "")]
    #expect(page.action("chat.delete_message", parameters, in: &bench)["error"]?.string == code)
    guard code == nil else { return }
    let changes = page.changes(in: &bench)
    #expect(changes.first?["event"]?.string == "del")
    #expect(changes.first?["id"] == serverID)
    // A repeat of the deletion changes nothing; a new text for what is gone is refused.
    #expect(page.action("chat.delete_message", parameters, in: &bench)["result"]?.string == "ok")
    #expect(page.changes(in: &bench).types == [])
    let edit = [("client-side-id", "mine"), ("message", "again")]
    #expect(page.action("chat.message", edit, in: &bench)["error"]?.string == "message_not_found")
    #expect(bench.service.statistics.deletions == 1)
  }

  @Test func `what was sent while editing was off cannot be edited later`() {
    var bench = ServiceBench { $0.account["visitor_message_editing"] = false }
    var page = bench.enter()
    _ = page.chat(in: &bench)
    _ = page.action("chat.message", [("client-side-id", "a"), ("message", "x")], in: &bench)
    #expect(page.changes(in: &bench).messages.first?["canBeEdited"]?.bool == false)
    bench.desk(.accountConfig(key: "visitor_message_editing", value: true))
    let answer = page.action("chat.message", [("client-side-id", "a"), ("message", "y")], in: &bench)
    #expect(answer["error"]?.string == "not_allowed")
  }

  // MARK: - Quotes

  @Test(
    arguments: [
      (#"{"ref":{"msgId":"SAID","msgChannelSideId":null,"chatId":null}}"#, nil),
      (#"{"ref":{"msgId":"mine"}}"#, nil),
      (#"{"ref":{"msgId":"INFO"}}"#, "quoting-message-that-cannot-be-replied"),
      (#"{"ref":{"msgId":"OTHER"}}"#, "quoting-message-from-another-visitor"),
      (#"{"ref":{"msgId":"DELETED"}}"#, "quoted-message-not-found"),
      (#"{"ref":{"msgId":"m1-999-ffffff"}}"#, "quoted-message-not-found"),
      (#"{"ref":{"msgId":"0f1e2d3c4b5a69788796a5b4c3d2e1f0"}}"#, "quoted-message-not-found"),
      (#"{"ref":{"msgId":"?!"}}"#, "corrupted-quoted-message-id"),
      (#"{"ref":{"msgId":7}}"#, "corrupted-quoted-message-id"),
      (#"{"ref":{"msgId":"SAID","msgChannelSideId":"x"}}"#, "multiple-quoted-messages-found"),
      (#"{"ref":{"msgId":""}}"#, "required-quote-args-missing"),
      (#"{"ref":{"msgId":null}}"#, "required-quote-args-missing"),
      (#"{"ref":{}}"#, "required-quote-args-missing"), ("{}", "required-quote-args-missing"),
      ("no json", "required-quote-args-missing"),
    ] as [(String, String?)])
  func `a quote is filled from the history or refused by name`(template: String, code: String?) {
    var bench = ServiceBench()
    var other = bench.enter(device: "D2")
    _ = other.chat(in: &bench)
    _ = other.action("chat.message", [("client-side-id", "o"), ("message", "Other")], in: &bench)
    let otherID = other.changes(in: &bench).messages.first?["id"]?.string ?? ""
    var page = bench.enter()
    let chat = page.chat(with: "anna", in: &bench)
    _ = page.action("chat.message", [("client-side-id", "mine"), ("message", "Hi")], in: &bench)
    bench.desk(.say(chat, text: "Hello", quoting: nil))
    bench.desk(.info(chat, text: "Info"))
    bench.desk(.say(chat, text: "Gone", quoting: nil))
    let ids = page.changes(in: &bench).messages.map { $0["id"]?.string ?? "" }
    bench.desk(.delete(messageID: ids[3]))
    _ = page.fetch(in: &bench)
    let quote =
      template.replacing("SAID", with: ids[1]).replacing("INFO", with: ids[2])
      .replacing("DELETED", with: ids[3]).replacing("OTHER", with: otherID)
    let answer = page.action(
      "chat.message", [("client-side-id", "r"), ("message", "Reply"), ("quote", quote)], in: &bench)
    // The envelope of a quote's error is well.
    #expect(answer["result"]?.string == "ok")
    #expect(answer["data"]?["error"]?.string == code)
    let message = page.changes(in: &bench).messages.first
    #expect((message == nil) == (code != nil))
    guard code == nil else { return }
    let isMine = template.contains("mine")
    #expect(message?["quote"]?["state"]?.string == "filled")
    #expect(message?["quote"]?["ref"]?["msgId"]?.string == ids[isMine ? 0 : 1])
    let quoted = message?["quote"]?["message"]
    #expect(quoted?["text"]?.string == (isMine ? "Hi" : "Hello"))
    #expect(quoted?["kind"]?.string == (isMine ? "visitor" : "operator"))
    #expect(quoted?["authorId"]?.integer == (isMine ? nil : 501))
    #expect(quoted?["ts"]?.integer == 1_700_000_000)
  }

  @Test func `nothing can be quoted where the account does not quote`() {
    var bench = ServiceBench()
    var page = bench.enter()
    let chat = page.chat(with: "anna", in: &bench)
    bench.desk(.say(chat, text: "Hello", quoting: nil))
    let id = page.changes(in: &bench).messages.first?["id"]?.string ?? ""
    bench.desk(.accountConfig(key: "web_and_mobile_quoting", value: false))
    let quote = #"{"ref":{"msgId":"ID"}}"#.replacing("ID", with: id)
    let answer = page.action(
      "chat.message", [("client-side-id", "r"), ("message", "Reply"), ("quote", quote)], in: &bench)
    #expect(answer["data"]?["error"]?.string == "quoting-message-that-cannot-be-replied")
  }

  @Test func `a quote of a message that is gone later says so`() throws {
    var bench = ServiceBench()
    var page = bench.enter()
    let chat = page.chat(with: "anna", in: &bench)
    let said = try #require(bench.desk(.say(chat, text: "Hello", quoting: nil)).message)
    bench.desk(.say(chat, text: "again", quoting: said.id))
    #expect(page.changes(in: &bench).messages.last?["quote"]?["state"]?.string == "filled")
    bench.desk(.delete(messageID: said.id))
    let quote = page.history(in: &bench)["messages"]?.elements.first?["quote"]
    #expect(quote?["state"]?.string == "not-found")
    #expect(quote?["message"] == nil)
  }

  @Test func `contacts that were asked for come back as a message`() {
    var bench = ServiceBench()
    var page = bench.enter()
    let chat = page.chat(with: "anna", in: &bench)
    bench.desk(.requestContacts(chat, text: "Your mail?"))
    #expect(page.changes(in: &bench).messages.first?["kind"]?.string == "cont_req")
    _ = bench.takeEvents()
    _ = page.action("chat.cont_resp", [("visitor-fields", #"{"email":"a@b.c"}"#)], in: &bench)
    #expect(bench.takeEvents() == [.contacts(chat, fields: #"{"email":"a@b.c"}"#)])
    #expect(page.changes(in: &bench).messages.first?["kind"]?.string == "contacts")
  }
}
