import Chat
import Dialects
import JSON
import Testing

@Suite struct ServiceKeyboardTests {
  private static let rows: [[Button]] = {
    var gone = Button(id: "gone", text: "Gone")
    gone.state = .hidden
    var dead = Button(id: "dead", text: "Dead")
    dead.isActive = false
    var shy = Button(id: "shy", text: "Shy")
    shy.hidesAfterResponse = true
    return [
      [Button(id: "yes", text: "Yes"), shy], [gone, dead],
      [
        Button(id: "site", text: "Site", kind: .url("https://example.org")),
        Button(id: "ins", text: "I", kind: .insert("Hi")),
      ],
    ]
  }()

  /// A chat in which a robot has offered a keyboard; the keyboard's server id comes first.
  private func offer(
    _ page: inout ServiceBenchPage, in bench: inout ServiceBench
  ) -> (keyboard: String, chat: Int) {
    let chat = page.chat(in: &bench)
    bench.desk(.robot(chat, name: "Robby"))
    guard
      case .success(.message(let message)) = bench.desk(.keyboard(chat, text: "Choose", rows: Self.rows))
    else { return ("", chat) }
    _ = bench.takeEvents()
    return (message.id, chat)
  }

  private func press(
    _ button: String, _ keyboard: String, _ page: ServiceBenchPage, in bench: inout ServiceBench
  ) -> JSONValue {
    page.action(
      "chat.keyboard_response", [("button-id", button), ("request-message-id", keyboard)], in: &bench)
  }

  @Test func `a keyboard looks as the protocol says`() {
    var bench = ServiceBench()
    var page = bench.enter()
    _ = offer(&page, in: &bench)
    let changes = page.changes(in: &bench)
    #expect(changes.data("CHAT_STATE")?.string == "chatting_with_robot")
    #expect(changes.data("CHAT_OPERATOR")?["robotType"]?.string == "robot")
    let message = changes.messages.first
    #expect(message?["kind"]?.string == "keyboard")
    #expect(message?["name"]?.string == "Robby")
    let data = message?["data"]
    #expect(data?["state"]?.string == "pending")
    #expect(data?["response"] == nil)
    let rows = data?["buttons"]?.elements ?? []
    #expect(rows.map(\.elements.count) == [2, 2, 2])
    #expect(
      rows.first?.elements.first == [
        "id": "yes", "text": "Yes", "config": ["active": true, "state": "showing"],
      ])
    #expect(rows.last?.elements.first?["config"]?["link"]?.string == "https://example.org")
    #expect(rows.last?.elements.last?["config"]?["text_to_insert"]?.string == "Hi")
    #expect(rows[1].elements.first?["config"]?["state"]?.string == "hidden")
  }

  @Test func `a press completes the keyboard, adds the response and tells the desk`() {
    var bench = ServiceBench()
    var page = bench.enter()
    let (keyboard, chat) = offer(&page, in: &bench)
    _ = page.fetch(in: &bench)
    #expect(press("yes", keyboard, page, in: &bench)["result"]?.string == "ok")
    let changes = page.changes(in: &bench)
    #expect(
      changes.types.prefix(4) == ["CHAT_MESSAGE", "HISTORY_REVISION", "CHAT_MESSAGE", "HISTORY_REVISION"])
    let completed = changes.first
    #expect(completed?["event"]?.string == "upd")
    #expect(completed?["id"]?.string == keyboard)
    let data = completed?["data"]?["data"]
    #expect(data?["state"]?.string == "completed")
    let response = changes.messages.first
    #expect(data?["response"] == ["buttonId": "yes", "messageId": response?["id"] ?? .null])
    let row = data?["buttons"]?.elements.first?.elements
    #expect(row?.map { $0["config"]?["state"]?.string } == ["showing_selected", "hidden"])
    #expect(response?["kind"]?.string == "keyboard_response")
    #expect(response?["text"]?.string == "Yes")
    #expect(response?["data"]?["button"]?["id"]?.string == "yes")
    #expect(response?["data"]?["request"]?["messageId"]?.string == keyboard)
    guard case .pressed(chat, let told)? = bench.takeEvents().first else {
      Issue.record("the desk was not told")
      return
    }
    #expect(told.keyboardID == keyboard)
    #expect(told.buttonID == "yes")
    #expect(told.text == "Yes")
    #expect(told.responseID == response?["id"]?.string)
    // The second answer to the same keyboard is refused.
    #expect(press("yes", keyboard, page, in: &bench)["error"]?.string == "cannot-create-response")
    #expect(bench.service.statistics.presses == 1)
  }

  @Test(arguments: [
    ("", "KEYBOARD", "button-id-not-set"), ("yes", "", "request-message-id-not-set"),
    ("no", "KEYBOARD", "cannot-create-response"), ("gone", "KEYBOARD", "cannot-create-response"),
    ("dead", "KEYBOARD", "cannot-create-response"), ("yes", "unknown", "cannot-create-response"),
    ("yes", "TEXT", "cannot-create-response"),
  ])
  func `a wrong press is refused by name`(button: String, message: String, code: String) {
    var bench = ServiceBench()
    var page = bench.enter()
    let (keyboard, chat) = offer(&page, in: &bench)
    bench.desk(.say(chat, text: "text", quoting: nil))
    let text = page.changes(in: &bench).messages.last?["id"]?.string ?? ""
    let id = message == "KEYBOARD" ? keyboard : message == "TEXT" ? text : message
    #expect(press(button, id, page, in: &bench)["error"]?.string == code)
    #expect(page.changes(in: &bench).isEmpty)
    #expect(bench.takeEvents().isEmpty)
  }

  /// What ends a keyboard before it is answered, and what a press then gets.
  @Test(arguments: [
    ("a new keyboard", "cannot-create-response"), ("an operator", "cannot-create-response"),
    ("hold", "cannot-create-response"), ("cancel", "cannot-create-response"),
    ("close", "no-chat"), ("delete", "cannot-create-response"), ("hide", "cannot-create-response"),
  ])
  func `a keyboard that is over takes no press`(cause: String, code: String) {
    var bench = ServiceBench()
    var page = bench.enter()
    let (keyboard, chat) = offer(&page, in: &bench)
    _ = page.fetch(in: &bench)
    switch cause {
    case "a new keyboard": bench.desk(.keyboard(chat, text: "Again", rows: Self.rows))
    case "an operator":
      bench.desk(.defineOperator(handle: "anna", name: "Anna", title: nil, avatar: nil, robotType: nil))
      bench.desk(.accept(chat, operator: "anna"))
    case "hold": bench.desk(.hold(chat))
    case "cancel": bench.desk(.cancelKeyboard(messageID: keyboard))
    case "close": bench.desk(.close(chat, isFinal: false))
    case "delete": bench.desk(.delete(messageID: keyboard))
    default: bench.desk(.hideKeyboard(messageID: keyboard, button: nil))
    }
    let change = page.changes(in: &bench).first { $0["id"]?.string == keyboard }
    let state = change?["data"]?["data"]?["state"]?.string
    #expect(state == (cause == "delete" ? nil : cause == "hide" ? "pending" : "cancelled"))
    #expect(press("yes", keyboard, page, in: &bench)["error"]?.string == code)
  }

  @Test func `one button can be hidden and one chosen in the visitor's place`() {
    var bench = ServiceBench()
    var page = bench.enter()
    let (keyboard, _) = offer(&page, in: &bench)
    bench.desk(.hideKeyboard(messageID: keyboard, button: "site"))
    #expect(press("site", keyboard, page, in: &bench)["error"]?.string == "cannot-create-response")
    #expect(bench.desk(.selectButton(messageID: keyboard, button: "yes")).isSuccess)
    let messages = page.changes(in: &bench).messages
    #expect(messages.last?["kind"]?.string == "keyboard_response")
    #expect(bench.desk(.selectButton(messageID: keyboard, button: "yes")).failure?.code == .wrongState)
  }
}

extension Result {
  var failure: Failure? {
    guard case .failure(let failure) = self else { return nil }
    return failure
  }
}
