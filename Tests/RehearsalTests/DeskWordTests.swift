import JSON
import Rehearsal
import Script
import Testing
import Transport

/// One word of a desk after another: what it does on the wire, and what it gives back.
struct DeskWordTests {
  private static let people = """
    desk:operator{ id = "anna", name = "Anna" }
    desk:operator{ id = "ruth", name = "Ruth" }
    """

  /// Plays a chat that Anna has accepted, and waits until its script has logged `done`.
  private func play(
    _ code: String, hello: String = "Hello",
    _ look: @Sendable (isolated Theatre, WireVisitor) async throws -> Void = { _, _ in }
  ) async throws {
    let desk = """
      \(Self.people)
      desk:on_chat(function(chat)
        chat:accept("anna")
        local message = chat:wait_message()
        \(code)
        desk:log("done")
      end)
      """
    try await rehearse(desk: desk) { theatre in
      let visitor = try theatre.visitor()
      try await theatre.until { visitor.isOpen }
      visitor.say(hello)
      try await theatre.until { theatre.logged.contains("done") || !theatre.failures.isEmpty }
      try await theatre.rest(1)
      #expect(theatre.failures.map(\.description) == [])
      try await look(theatre, visitor)
    }
  }

  @Test(arguments: [
    ("chat:say('Hi')", "CHAT_MESSAGE"), ("chat:hold()", "CHAT_STATE"), ("chat:route()", "CHAT_OPERATOR"),
    ("chat:queue()", "CHAT_STATE"), ("chat:hand_over('ruth')", "CHAT_OPERATOR"),
    ("chat:typing()", "CHAT_OPERATOR_TYPING"), ("chat:mark_read(message)", "MESSAGE_READ"),
    ("chat:survey{ { type = 'stars', text = 'How?' } }", "SURVEY"),
    ("desk:departments{ { key = 'sales', name = 'Sales' } }", "DEPARTMENT_LIST"),
    ("desk:session_state(chat.visitor, 'offline_message')", "VISIT_SESSION_STATE"),
    ("desk:language(chat.visitor, 'pt')", "VISIT_SESSION_LANG"),
    ("desk:visitor_fields(chat.visitor, { phone = '1' })", "VISITOR_FULL"),
    ("chat:close()", "CHAT_STATE"),
  ])
  func `a word reaches the visitor as the delta that the protocol names`(
    code: String, delta: String
  ) async throws {
    try await play("desk:log('now')\n\(code)") { _, visitor in
      #expect(visitor.deltas.contains(delta))
    }
  }

  @Test(arguments: [
    ("chat:info('System')", "info", "System"), ("chat:busy('All busy')", "operator_busy", "All busy"),
    ("chat:request_contacts()", "cont_req", "How can we reach you?"),
    ("chat:request_rating('Stars?')", "operator", "Stars?"),
    ("chat:quote(message, 'Indeed')", "operator", "Indeed"),
    ("chat:reply(message.id, 'Indeed')", "operator", "Indeed"),
    ("chat:edit(chat:say('Helo'), 'Hello')", "operator", "Hello"),
    ("chat:keyboard({ 'Yes', 'No' }, { text = 'Sure?' })", "keyboard", "Sure?"),
    ("chat:keyboard{ text = 'Sure?', { { 'Yes' }, { 'No' } }, { 'Maybe', 'Never' } }", "keyboard", "Sure?"),
  ])
  func `what is said comes with its kind`(code: String, kind: String, text: String) async throws {
    try await play(code) { _, visitor in
      #expect(visitor.messages.last?.kind == kind)
      #expect(visitor.messages.last?.text == text)
    }
  }

  @Test(arguments: [
    ("chat.state", "chatting"), ("chat.operator.name", "Anna"), ("chat.visitor.name", "Visitor"),
    ("#chat.messages", "1"), ("chat.messages[1].text", "Hello"), ("message.from", "visitor"),
    ("message.type", "visitor_message"), ("#desk.chats", "1"), ("desk.chats[1] == chat", "true"),
    ("#desk.visitors", "1"), ("tostring(chat):sub(1, 5)", "chat "), ("chat:say('x').text", "x"),
    ("chat:say('x').from", "operator"), ("chat:quote(message, 'x').quote.text", "Hello"),
    ("#chat:keyboard{ 'a', 'b' }.keyboard.rows", "2"), ("#chat:keyboard{ { 'a', 'b' } }.keyboard.rows", "1"),
    ("chat:keyboard{ 'a', 'b' }.keyboard.buttons[2].id", "b"), ("(chat:hold() or chat.state)", "hold"),
    ("(chat:robot('Robby') and chat.state)", "chatting_with_robot"),
    ("chat:robot('Robby').robot_type", "robot"),
    ("desk:operator{ id = 'x', name = 'Xenia' }.name", "Xenia"), ("desk:random() < 1", "true"),
    ("math.type(desk:now())", "float"), ("chat.data == chat.data", "true"), ("chat.closed_by", "nil"),
    ("(function() chat:close() return chat.closed_by end)()", "operator"),
    ("select(2, pcall(chat.accept, chat, 'nobody')).code", "unknown_operator"),
    ("select(2, pcall(chat.edit, chat, message, 'x')).code", "wrong_state"),
    (
      "select(2, pcall(function() chat.name = 1 end))",
      "desk.lua:7: chat.name cannot be set; chat.data is the script's own"
    ),
  ])
  func `a script reads what it has done`(expression: String, value: String) async throws {
    try await play("desk:log(tostring(\(expression)))") { theatre, _ in
      #expect(theatre.logged.first == value)
    }
  }

  @Test func `keyboards are hidden, answered and cancelled by the desk`() async throws {
    let code = """
      local first = chat:keyboard{ { "Yes", id = "y" }, { "No", id = "n" } }
      chat:select_button(first, "Yes")
      desk:log(chat.messages[2].keyboard.state)
      local second = chat:keyboard{ "One", "Two" }
      chat:hide_keyboard(second, "One")
      chat:cancel_keyboard(second)
      """
    try await play(code) { theatre, visitor in
      #expect(theatre.logged.first == "completed")
      #expect(visitor.keyboardState == "cancelled")
      #expect(visitor.texts(of: "keyboard_response") == ["Yes"])
    }
  }

  @Test func `a wait for one of several tells which came`() async throws {
    let code = """
      local value, index = chat:wait_any_of{ { event = "press" }, { contains = "x" }, within = 5 }
      desk:log("%s %s", value and value.text, index)
      value, index = chat:wait_any_of{ { event = "press" }, within = 5 }
      desk:log("%s %s", value, index)
      local typing = chat:wait_for("typing", { within = 9 })
      desk:log("%s", typing and typing.draft)
      """
    try await rehearse(
      desk: "\(Self.people)\ndesk:on_chat(function(chat) chat:accept('anna')\n\(code)\nend)"
    ) { theatre in
      let visitor = try theatre.visitor()
      try await theatre.until { visitor.isOpen }
      visitor.say("a x")
      try await theatre.until { theatre.logged.count == 2 }
      visitor.act("chat.visitor_typing", [("typing", "1"), ("message-draft", "dra")])
      try await theatre.until { theatre.logged.count == 3 }
      #expect(theatre.logged == ["a x 2", "nil timeout", "dra"])
    }
  }

  @Test func `filters take functions, and their criteria`() async throws {
    let code = """
      local a = chat:wait_message(function(m) return #m.text == 3 end, { within = 20 })
      local b = chat:wait_message{ from = "visitor", like = "*d?f" }
      local c = chat:wait_message{ matches = "^%d+$" }
      desk:log("%s %s %s", a.text, b.text, c.text)
      """
    try await rehearse(
      desk: "\(Self.people)\ndesk:on_chat(function(chat) chat:accept('anna')\n\(code)\nend)"
    ) { theatre in
      let visitor = try theatre.visitor()
      try await theatre.until { visitor.isOpen }
      for text in ["four", "abc", "no", "abcdef", "x1", "42"] { visitor.say(text) }
      try await theatre.until { !theatre.logged.isEmpty }
      #expect(theatre.logged == ["abc abcdef 42"])
    }
  }

  @Test func `timers go off, repeat and can be stopped; coroutines run beside one another`() async throws {
    let desk = """
      local ticks, stop = 0, nil
      stop = desk:every(2, function()
        ticks = ticks + 1
        if ticks == 3 then stop() end
        desk:log("tick %d", ticks)
      end)
      desk:after(5, function() desk:log("five") end)
      local cancel = desk:after(1, function() desk:log("never") end)
      cancel()
      desk:spawn(function() desk:sleep(0.5) desk:log("spawned") end)
      desk:log("begun")
      """
    try await rehearse(desk: desk) { theatre in
      try await theatre.rest(60)
      #expect(theatre.logged == ["begun", "spawned", "tick 1", "tick 2", "five", "tick 3"])
    }
  }

  @Test func `an operator may begin the chat`() async throws {
    let desk = """
      \(Self.people)
      desk:on_visitor(function(visitor)
        local chat = desk:invite(visitor, "anna", "Can I help?")
        desk:log(chat.state)
        chat:on_message(function(_, message) chat:say("You said " .. message.text) end)
        chat:wait_message()
        desk:log(chat.state)
      end)
      """
    try await rehearse(desk: desk) { theatre in
      let visitor = try theatre.visitor()
      try await theatre.until { visitor.texts(of: "operator") == ["Can I help?"] }
      #expect(visitor.chatState == "invitation")
      visitor.say("yes")
      try await theatre.until { visitor.texts(of: "operator").last == "You said yes" }
      #expect(theatre.logged == ["invitation", "chatting"])
    }
  }

  @Test func `an account that forbids editing refuses the visitor's edits`() async throws {
    try await play("desk:account{ visitor_message_editing = false }") { theatre, visitor in
      let id = try #require(visitor.messages.first { $0.kind == "visitor" }?.clientID)
      visitor.act("chat.message", [("client-side-id", id), ("message", "changed")])
      try await theatre.until { visitor.answers.last == "not_allowed" }
    }
  }

  @Test func `every handler hears everything, in the order of the service`() async throws {
    let desk = """
      \(Self.people)
      desk:on_any(function(first, event) desk:log((event or first).name) end)
      desk:on_chat(function(chat) chat:accept("anna") end)
      """
    try await rehearse(desk: desk) { theatre in
      let visitor = try theatre.visitor()
      try await theatre.until { visitor.isOpen }
      visitor.say("Hello")
      try await theatre.until { visitor.operatorName == "Anna" }
      visitor.act("chat.operator_rate_select", [("rate", "0")])
      visitor.act("chat.close")
      try await theatre.until { theatre.logged.last == "close" }
      #expect(theatre.logged == ["visitor", "chat", "message", "rating", "close"])
    }
  }
}
