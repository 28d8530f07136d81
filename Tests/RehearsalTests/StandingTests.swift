import Rehearsal
import Script
import Testing
import Transport

/// What a desk's script sees of a chat is how it stands at the service, whoever changed it.
struct StandingTests {
  private static let people = """
    desk:operator{ id = "anna", name = "Anna" }
    desk:operator{ id = "ruth", name = "Ruth" }
    """

  @Test(arguments: [
    ("chat:mark_read() return chat.messages[1].read", "true"),
    ("chat:keyboard{ 'A' } chat:keyboard{ 'B' } return chat.messages[2].keyboard.state", "canceled"),
    ("chat:keyboard{ 'A' } chat:hand_over('ruth') return chat.messages[2].keyboard.state", "canceled"),
    ("chat:keyboard{ 'A' } chat:close() return chat.messages[2].keyboard.state", "canceled"),
    (
      "chat:hide_keyboard(chat:keyboard{ 'A' }) return chat.messages[2].keyboard.buttons[1].state", "hidden"
    ),
    (
      "chat:select_button(chat:keyboard{ 'A' }, 'A') return chat.messages[3].keyboard_response.button.text",
      "A"
    ),
    ("chat:delete(chat:say('x')) return #chat.messages", "1"),
    (
      "chat:edit(chat:say('x'), 'y') return chat.messages[2].text .. tostring(chat.messages[2].edited)",
      "ytrue"
    ),
    ("desk:visitor_fields(chat.visitor, { name = 'Nora' }) return chat.visitor.name", "Nora"),
    ("desk:visitor_fields(chat.visitor, { name = 'Nora' }) return desk.visitors[1].name", "Nora"),
    ("chat:hand_over('ruth') return chat.operator.name", "Ruth"),
    ("chat:queue() return tostring(chat.operator)", "nil"),
    ("chat:close{ final = true } return chat.state .. ' ' .. chat.operator.name", "closed Anna"),
    ("chat:robot('Robby') return chat:say('x').from .. ' ' .. chat.messages[2].from", "robot robot"),
    ("chat:robot('Robby') return chat:keyboard{ 'A' }.from", "robot"),
    ("return chat:keyboard{ 'A' }.from .. ' ' .. chat.messages[2].from", "operator operator"),
    ("chat:robot('Robby') chat:say('x') chat:accept('anna') return chat.messages[2].from", "robot"),
  ])
  func `a chat and its messages are as they are now`(code: String, value: String) async throws {
    let desk = """
      \(Self.people)
      desk:on_chat(function(chat)
        chat:accept("anna")
        chat:wait_message()
        desk:log(tostring((function() \(code) end)()))
      end)
      """
    try await rehearse(desk: desk) { theatre in
      let visitor = try theatre.visitor()
      try await theatre.until { visitor.isOpen }
      visitor.say("Hello")
      try await theatre.until { !theatre.logged.isEmpty || !theatre.failures.isEmpty }
      #expect(theatre.failures.map(\.description) == [])
      #expect(theatre.logged == [value])
    }
  }

  @Test func `what a visitor gives and does stands in the chat, too`() async throws {
    let desk = """
      \(Self.people)
      desk:on_visitor(function(visitor)
        local chat = desk:invite(visitor, "anna", "May I help?")
        chat:request_contacts()
        chat:wait_contacts()
        chat:keyboard{ "Yes" }
        chat:wait_press()
        for _, message in ipairs(chat.messages) do desk:log("%s %s", message.type, message.from) end
        desk:log(chat.messages[4].keyboard.state)
      end)
      """
    try await rehearse(desk: desk) { theatre in
      let visitor = try theatre.visitor()
      try await theatre.until { !visitor.messages.isEmpty }
      visitor.act("chat.cont_resp", [("visitor-fields", #"{"phone":"1"}"#)])
      try await theatre.until { visitor.keyboard != nil || !theatre.failures.isEmpty }
      visitor.press("Yes")
      try await theatre.until { theatre.logged.count == 6 || !theatre.failures.isEmpty }
      #expect(theatre.failures.map(\.description) == [])
      #expect(
        theatre.logged == [
          "operator_message operator", "contact_information_request system", "contacts visitor",
          "keyboard operator", "keyboard_response visitor", "completed",
        ])
      let texts = theatre.reports.compactMap {
        if case .message(_, _, let text, _) = $0.event { text } else { nil }
      }
      #expect(texts.first == "May I help?")
    }
  }

  @Test func `a chat that another one has followed is still told`() async throws {
    let desk = """
      \(Self.people)
      local first
      desk:on_chat(function(chat)
        chat:accept("anna")
        if first then return desk:log("%s %s %d", first.state, first.closed_by, #first.messages) end
        first = chat
        chat:wait_message()
        chat:close{ final = true }
        chat:sleep(60)
      end)
      """
    try await rehearse(desk: desk) { theatre in
      let visitor = try theatre.visitor()
      try await theatre.until { visitor.isOpen }
      visitor.say("one")
      try await theatre.until { visitor.chatState == "closed" }
      visitor.say("two")
      try await theatre.until { !theatre.logged.isEmpty || !theatre.failures.isEmpty }
      #expect(theatre.failures.map(\.description) == [])
      #expect(theatre.logged == ["closed operator 1"])
    }
  }

  @Test func `a chat that closes after its play has ended is forgotten`() async throws {
    let desk = """
      \(Self.people)
      desk:on_chat(function(chat)
        desk:log("data %s", chat.data.seen)
        chat.data.seen = true
        chat:accept("anna")
        chat:on_message(function(_, message) desk:log("heard %s", message.text) end)
      end)
      """
    try await rehearse(desk: desk) { theatre in
      let visitor = try theatre.visitor()
      let other = try theatre.visitor("other")
      try await theatre.until { visitor.isOpen && other.isOpen }
      visitor.say("one")
      try await theatre.until { theatre.logged == ["data nil", "heard one"] }
      visitor.act("chat.close")
      try await theatre.until { visitor.chatState == "closed_by_visitor" }
      other.start()
      try await theatre.until { theatre.logged.count == 3 }
      visitor.start()
      try await theatre.until { visitor.chatState == "chatting" }
      visitor.say("two")
      try await theatre.rest(1)
      #expect(theatre.logged == ["data nil", "heard one", "data nil", "data nil", "heard two"])
    }
  }

  @Test func `a chat that is opened again begins anew, whoever still listened to it`() async throws {
    let desk = """
      \(Self.people)
      desk:on_chat(function(chat)
        desk:log("data %s", chat.data.seen)
        chat.data.seen = true
        chat:accept("anna")
        chat:on_close(function() desk:log("closed") end)
      end)
      """
    try await rehearse(desk: desk) { theatre in
      let visitor = try theatre.visitor()
      try await theatre.until { visitor.isOpen }
      for _ in 1...2 {
        visitor.start()
        try await theatre.until { visitor.chatState == "chatting" }
        visitor.act("chat.close")
        try await theatre.until { visitor.chatState == "closed_by_visitor" }
      }
      try await theatre.rest(1)
      #expect(theatre.failures.map(\.description) == [])
      #expect(theatre.logged == ["data nil", "closed", "data nil", "closed"])
    }
  }

  @Test(arguments: [
    """
    desk:on_chat(function(chat)
      chat:accept("anna")
      chat:on_rating(function(_, rating) desk:log("%d stars", rating.stars) end)
    end)
    """,
    """
    desk:on_visitor(function(visitor)
      local chat = desk:invite(visitor, "anna", "Hi")
      chat:wait_close()
      desk:log("%d stars", chat:wait_rating{ within = 6 }.stars)
    end)
    """,
    """
    desk:on_visitor(function(visitor)
      local chat = desk:invite(visitor, "anna", "Hi")
      chat:wait_close()
      desk:sleep(0.5)
      desk:log("%d stars", chat:wait_rating{ within = 6 }.stars)
    end)
    """,
  ])
  func `a rating after the visitor's goodbye is heard by who listens to it`(desk: String) async throws {
    try await rehearse(desk: "\(Self.people)\n\(desk)") { theatre in
      let visitor = try theatre.visitor()
      try await theatre.until { visitor.isOpen }
      visitor.say("Hello")
      try await theatre.until { visitor.chatState == "chatting" }
      visitor.act("chat.close")
      try await theatre.until { visitor.chatState == "closed_by_visitor" }
      try await theatre.rest(1)
      visitor.act("chat.operator_rate_select", [("rate", "1")])
      try await theatre.rest(1)
      #expect(theatre.failures.map(\.description) == [])
      #expect(theatre.logged == ["4 stars"])
    }
  }

  @Test(arguments: [
    ("chat:close() chat:quote(message, 'x')", "quote: chat "), ("chat:busy('')", "busy: the message"),
    ("desk:limits{ message_length = 0 }", "limits: "), ("chat:close() chat:typing()", "typing: chat "),
    ("chat:keyboard{ { 'A', id = 'x' }, { 'B', id = 'x' } }", "keyboard: the keyboard"),
    ("chat:close() chat:hand_over('anna')", "hand_over: chat "),
    ("desk:account{ visitor_message_editing = 'maybe' }", "account: "),
  ])
  func `an error names the word that was said`(code: String, begin: String) async throws {
    let desk = """
      \(Self.people)
      desk:on_chat(function(chat)
        chat:accept("anna")
        local message = chat:wait_message()
        \(code)
      end)
      """
    try await rehearse(desk: desk) { theatre in
      let visitor = try theatre.visitor()
      try await theatre.until { visitor.isOpen }
      visitor.say("Hello")
      try await theatre.until { !theatre.failures.isEmpty }
      let message = try #require(theatre.failures.first?.message)
      #expect(message.hasPrefix(begin), "\(message)")
    }
  }

  @Test func `chats are counted once, whoever begins, opens again or ends them`() async throws {
    let desk = """
      \(Self.people)
      desk:on_visitor(function(visitor)
        if #desk.visitors == 1 then desk:invite(visitor, "anna", "Hi") end
      end)
      """
    try await rehearse(desk: desk) { theatre in
      let invited = try theatre.visitor()
      try await theatre.until { invited.chatState == "invitation" }
      #expect(theatre.statistics.chatsStarted == 1)
      #expect(theatre.statistics.messages.count == 1)
      let visitor = try theatre.visitor("other")
      try await theatre.until { visitor.isOpen }
      for word in ["one", "two"] {
        visitor.say(word)
        try await theatre.until { visitor.messages.last?.text == word }
        visitor.act("chat.close")
        try await theatre.until { visitor.chatState?.hasPrefix("closed") == true }
        try await theatre.rest(1)
      }
      visitor.act("chat.close")
      try await theatre.rest(1)
      let statistics = theatre.statistics
      #expect(statistics.visitors.count == 2)
      #expect(statistics.messages.count == 3)
      #expect(statistics.chatsStarted == 3)
      #expect(statistics.chatsClosed == 2)
    }
  }

  @Test func `a chat that is opened again or closed from both sides counts once`() async throws {
    let desk = """
      \(Self.people)
      desk:on_chat(function(chat)
        chat:accept("anna")
        chat:wait_close()
        chat:close{ final = true }
      end)
      """
    try await rehearse(desk: desk) { theatre in
      let visitor = try theatre.visitor()
      try await theatre.until { visitor.isOpen }
      visitor.start()
      try await theatre.until { visitor.chatState == "chatting" }
      visitor.act("chat.close")
      try await theatre.until { visitor.chatState == "closed" }
      #expect(theatre.statistics.chatsStarted == 1)
      #expect(theatre.statistics.chatsClosed == 1)
    }
    try await rehearse(desk: "\(Self.people)\ndesk:on_chat(function(chat) chat:accept('anna') end)") {
      theatre in
      let visitor = try theatre.visitor()
      for round in 1...2 {
        try await theatre.until { visitor.isOpen }
        visitor.start()
        try await theatre.until { visitor.chatState == "chatting" }
        visitor.act("chat.close")
        try await theatre.until { visitor.chatState == "closed_by_visitor" }
        #expect(theatre.statistics.chatsStarted == 1)
        #expect(theatre.statistics.chatsClosed == round)
      }
    }
  }

  enum End: CaseIterable { case offline, stop, clear }

  @Test(arguments: End.allCases, [.none, .answer(status: 503, body: ""), .cut] as [Fault.Harm])
  func `a late answer goes down with the line, and only then`(end: End, harm: Fault.Harm) async throws {
    try await rehearse(desk: "") { theatre in
      var fault = Fault()
      fault.delay = 5
      fault.harm = harm
      try theatre.service.add(fault)
      let replies = Replies()
      _ = try theatre.service.respond(to: HTTPRequest(target: "/l/v/m/action")) { replies.all.append($0) }
      try await theatre.rest(1)
      switch end {
      case .offline: try theatre.service.goOffline(for: 30)
      case .stop: try theatre.service.stop()
      case .clear: try theatre.service.clearFaults()
      }
      #expect(replies.all == (end == .clear ? [] : [.dropped]))
      try await theatre.rest(10)
      #expect(replies.all.count == 1)
      if end == .clear { #expect(replies.all != [.dropped]) }
    }
  }

  private final class Replies {
    var all: [HTTPReply] = []
  }
}
