import Lua
import Rehearsal
import Script
import Testing

struct DeskErrorTests {
  @Test(arguments: [
    ("desk:operater{ id = 'a' }", #"desk has no "operater"; did you mean "operator"?"#),
    ("desk:on_chatt(function() end)", #"did you mean "#),
    ("desk:fault{ on = 'delta', statuss = 503 }", #"unknown option "statuss"; did you mean "status"?"#),
    ("desk:fault{ on = 'delt', status = 503 }", #"there is no endpoint "delt"; did you mean "delta"?"#),
    ("desk:fault{ on = 'delta' }", "the fault does nothing"),
    ("desk:fault{ status = 503, cut = true }", "exclude one another"),
    ("desk:fault{ chance = 2, cut = true }", "chance is not between 0.0 and 1.0"),
    ("desk:online_status('onlin')", #"did you mean "online"?"#),
    ("desk:operator{}", "id is missing or no text"),
    ("desk:ban('nobody')", #"there is no visitor "nobody""#),
    (
      "desk:departments{ { key = 'a', naem = 'A' } }",
      #"departments: unknown key "naem" in a department; did you mean "name"?"#
    ),
    ("desk:metrc()", "desk has no"),
    ("desk:operator{ name = 5 }", "name: text expected, got number"),
    ("desk:operator{ nme = 'Anna' }", #"operator: unknown option "nme"; did you mean "name"?"#),
    (
      "desk:departments{ { key = 'a', nmae = 'A' } }",
      #"departments: unknown key "nmae" in a department; did you mean "name"?"#
    ),
    (
      "desk:departments{ { key = 'a', online = 'onlin' } }",
      #"departments: online of a department: there is no "onlin"; did you mean "online"?"#
    ),
    ("desk:departments{ { key = 7 } }", "departments: key of a department: text expected, got number"),
    ("desk:departments{ 'sales' }", "departments: a department: table expected, got string"),
    ("desk:departments{ key = 'a' }", "departments: list: a list expected, got a table with names"),
    (
      "desk:account{ visitor_mesage_editing = false }",
      #"account: unknown key "visitor_mesage_editing" in the account; did you mean "visitor_message_editing"?"#
    ),
    ("desk:account{ surveys = 'no' }", "account: surveys of the account: boolean expected, got string"),
    ("desk:limits{ mesage_length = 5 }", #"did you mean "message_length"?"#),
    ("error('on purpose')", "on purpose"),
    ("local x = nil; x.y = 1", "attempt to index a nil value (local 'x')"),
  ])
  func `a mistake in the desk's function is told with its line`(code: String, complaint: String) async throws
  {
    try await rehearse(desk: code) { theatre in
      try await theatre.rest(1)
      let failure = try #require(theatre.failures.first)
      #expect(failure.message.contains(complaint))
      #expect(failure.position?.source == "desk.lua")
      #expect(failure.position?.line == 2)
    }
  }

  @Test(arguments: [
    ("chat:sayy('x')", #"chat has no "sayy"; did you mean "say"?"#),
    ("chat:accept('ana')", #"there is no operator "ana"; did you mean "anna"?"#),
    ("chat:say()", "text: text expected, got nil"),
    ("chat:survey{ { type = 'starz', text = 'x' } }", #"did you mean "stars"?"#),
    (
      "chat:survey{ { type = 'stars', txt = 'x' } }",
      #"survey: unknown key "txt" in a question; did you mean "text"?"#
    ),
    (
      "chat:survey{ { form = 'f', qestions = { { text = 'x' } } } }",
      #"survey: unknown key "qestions" in a form; did you mean "questions"?"#
    ),
    (
      "chat:survey{ { form = 'f', questions = { { text = 'x', optoins = {} } } } }",
      #"survey: unknown key "optoins" in a question; did you mean "options"?"#
    ),
    ("chat:survey{ { text = 5 } }", "survey: text of a question: text expected, got number"),
    (
      "chat:survey{ { type = 'radio', text = 'x', options = { 'a', true } } }",
      "survey: options of a question: texts expected, got boolean"
    ),
    ("chat:keyboard{ { 'Yes', lnk = 'http://a' } }", #"unknown key "lnk" in a button; did you mean "link"?"#),
    (
      "chat:keyboard{ { { 'Yes', activ = true } } }",
      #"unknown key "activ" in a button; did you mean "active"?"#
    ),
    ("chat:keyboard{ { 'Yes', active = 1 } }", "active of a button: boolean expected, got number"),
    ("chat:keyboard{ 'Yes', txt = 'Sure?' }", #"unknown option "txt"; did you mean "text"?"#),
    ("chat:keyboard({ 'Yes' }, { txt = 'Sure?' })", #"unknown option "txt"; did you mean "text"?"#),
    ("chat:keyboard{ 5 }", "keyboard: a button is a text or a table, not a number"),
    ("chat:close{ finl = true }", #"close: unknown option "finl"; did you mean "final"?"#),
    ("chat:close{ final = 1 }", "close: final: boolean expected, got number"),
    ("chat:typing('x')", "typing: seconds or a boolean expected, got string"),
    (
      "chat:wait_message({ contains = 'x' }, { withn = 1 })",
      #"unknown option "withn"; did you mean "within"?"#
    ),
    ("chat:wait_message{ type = 'mesage' }", #"type: there is no "mesage""#),
    ("chat:wait_message{ contain = 'x' }", #"unknown key "contain"; did you mean "contains"?"#),
    (
      "chat:survey{ { type = 'stars', text = 'x', optoins = {} } }",
      #"survey: unknown key "optoins" in a question; did you mean "options"?"#
    ),
    (
      "chat:survey{ { from = 'a', questions = { { text = 'x' } } } }",
      #"survey: unknown key "from" in a form; did you mean "form"?"#
    ),
    ("chat:keyboard{ { 'A', lnik = 'x' } }", #"unknown key "lnik" in a button; did you mean "link"?"#),
    ("chat:keyboard{ 'A', txt = 'x' }", #"keyboard: unknown option "txt"; did you mean "text"?"#),
    ("chat:keyboard{ { 'A', 'B', id = 'x' } }", #"keyboard: unknown option "id""#),
    (
      "chat:wait_message({}, { witin = 5 })", #"wait_message: unknown option "witin"; did you mean "within"?"#
    ),
    ("chat:wait_for('message', {}, { within = 5 })", "wait_for: one argument too many"),
    ("chat:wait_message{ { text = 'x' } }", "wait_message: the table has names"),
    ("chat:wait_message{ 'x' }", "wait_message: the table has names"),
    ("chat:wait_message({}, { 5 })", "wait_message: unknown option \"1\""),
    ("chat:wait_rating{ { text = 'x' } }", "wait_rating: the table has names"),
    ("chat:wait_survey({}, { 5 })", "wait_survey: the table has names"),
    ("chat:wait_for('press', { 'x' })", "wait_for: the table has names"),
    ("chat:wait_for('rating', { 'x' })", "wait_for: the table has names"),
    ("chat:wait_any_of({ {} }, { within = 5 })", "wait_any_of: one argument too many"),
    ("chat:wait_any_of{ { { text = 'x' } } }", "wait_any_of: the table has names"),
    ("chat:wait_any_of('x')", "wait_any_of: a list of filters expected, got string"),
    ("chat:keyboard{}", "a keyboard needs a button"),
    ("local p = nil; p.id = 1", "attempt to index a nil value (local 'p')"),
  ])
  func `a mistake in one chat ends its play only`(code: String, complaint: String) async throws {
    let desk = """
      desk:operator{ id = "anna", name = "Anna" }
      desk:on_chat(function(chat)
        chat:accept("anna")
        chat:say("Hello")
        if chat.visitor.id == desk.visitors[1].id then
          \(code)
        end
        chat:wait_message{ contains = "more" }
        chat:say("More")
      end)
      """
    try await rehearse(desk: desk) { theatre in
      let first = try theatre.visitor("first")
      try await theatre.until { first.isOpen }
      let second = try theatre.visitor("second")
      try await theatre.until { second.isOpen }
      first.say("One")
      second.say("Two")
      try await theatre.until { second.texts(of: "operator") == ["Hello"] }
      second.say("more")
      try await theatre.until { second.texts(of: "operator") == ["Hello", "More"] }
      #expect(theatre.failures.count == 1)
      let failure = try #require(theatre.failures.first)
      #expect(failure.message.contains(complaint))
      #expect(failure.position?.line == 7)
      let kept = try theatre.service.failure
      #expect(kept == failure)
    }
  }

  @Test(arguments: ["return 5", "return {}", "local a = 1"])
  func `a file that returns no function is no desk`(text: String) async throws {
    let source = DeskSource.script(source: Array(text.utf8), name: "desk.lua", folder: nil)
    try await rehearse(.memory, source: source) { theatre in
      try await theatre.rest(1)
      #expect(theatre.failures.first?.message.contains("returns a function") == true)
    }
  }

  @Test func `a file that is no Lua is refused at once, with its line`() async throws {
    let source = DeskSource.script(source: Array("\n\nreturn func(".utf8), name: "desk.lua", folder: nil)
    await #expect(throws: ScriptFailure.self) {
      try await rehearse(.memory, source: source) { _ in }
    }
  }

  @Test func `a table that grows without end is ended as soon as a bot's`() async throws {
    let desk = """
      desk:on_chat(function(chat)
        local t = {}
        for i = 1, math.huge do t[i] = { i } end
      end)
      """
    try await rehearse(desk: desk) { theatre in
      let visitor = try theatre.visitor()
      try await theatre.until { visitor.isOpen }
      visitor.start()
      try await theatre.until { !theatre.failures.isEmpty }
      #expect(theatre.failures.first?.message == "the memory budget of 32 MiB is spent")
      #expect(theatre.failures.first?.position?.line == 4)
    }
  }

  @Test(arguments: [(1, false), (4, true)])
  func `a desk of many chats may hold what they need`(chats: Int, isEnough: Bool) async throws {
    let text = """
      return function(desk)
        desk:on_chat(function(chat)
          if #desk.chats == \(chats) then local kept = ("x"):rep(3 << 20) desk:log("kept %d", #kept) end
        end)
      end
      """
    let source = DeskSource.script(source: Array(text.utf8), name: "desk.lua", folder: nil)
    var settings = RehearsalSettings()
    settings.budget.memory = 1 << 20
    settings.memoryPerChat = 2 << 20
    try await rehearse(.memory, source: source, settings: settings) { theatre in
      for number in 1...chats {
        let visitor = try theatre.visitor("device \(number)")
        try await theatre.until { visitor.isOpen }
        visitor.start()
        try await theatre.rest(1)
      }
      #expect(theatre.logged.isEmpty == !isEnough)
      #expect(theatre.failures.isEmpty == isEnough)
    }
  }

  @Test(arguments: [
    ("while true do end", 3), ("local t = {} while true do t[#t + 1] = ('x'):rep(1e6) end", 3),
    ("while true do pcall(chat.say, chat, 'again') end", 3),
  ])
  func `a desk that runs away is ended, and the budget named`(code: String, line: Int) async throws {
    let desk = """
      desk:on_chat(function(chat)
        \(code)
      end)
      """
    try await rehearse(desk: desk) { theatre in
      let visitor = try theatre.visitor()
      try await theatre.until { visitor.isOpen }
      visitor.start()
      try await theatre.until { !theatre.failures.isEmpty }
      let failure = try #require(theatre.failures.first)
      #expect(failure.kind == .budget)
      #expect(failure.position?.line == line)
      #expect(failure.message.contains("budget of ") && failure.message.contains(" is spent"))
      #expect(failure.traceback.hasPrefix("desk.lua:3: in "), "\(failure.traceback)")
      // The service itself still answers.
      visitor.say("Anybody?")
      try await theatre.until { visitor.texts(of: "visitor") == ["Anybody?"] }
    }
  }
}
