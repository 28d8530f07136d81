import Commands
import TestSupport
import Testing

struct CheckTests {
  private let scratch = Scratch()
  private let console = Console()

  /// What is found in a text, `FILE:` cut off.
  private func findings(in text: String, status: Int32) -> [String] {
    let path = scratch.path("script.lua")
    write(Array(text.utf8), to: path)
    #expect(console.run("check", path) == status, "\(console.output)")
    #expect(console.diagnostics.isEmpty)
    return console.output.split(separator: "\n").map { line in
      #expect(line.hasPrefix(path + ":"))
      return String(line.dropFirst(path.count + 1))
    }
  }

  @Test(arguments: [
    ("return function(visitor) visitor:sya('x') end", "visitor has no method \"sya\"; did you mean \"say\"?"),
    (
      "return function(visitor)\n\n visitor.chat_stat = 1 end",
      "visitor has no \"chat_stat\"; did you mean \"chat_state\"?"
    ),
    ("return function(me) me:expect_mesage{} end", "me has no method \"expect_mesage\""),
    ("return function(visitor) visitor.say('x') end", "call it with a colon: visitor:say"),
    (
      "return function(visitor) visitor:chat_state() end",
      "visitor:chat_state is no method: write visitor.chat_state"
    ),
    (
      "return { on_mesage = function(v) end }",
      "a bot's table has no \"on_mesage\"; did you mean \"on_message\"?"
    ),
    ("return { on_message = function(v) v:repyl() end }", "v has no method \"repyl\""),
    ("return { rum = function() end }", "a bot's table has no \"rum\""),
    (
      "return function(visitor) visitor:on('keybord', print) end",
      "there is no event \"keybord\"; did you mean \"keyboard\"?"
    ),
    (
      "return function(visitor) visitor:wait_message{ form = 'operator' } end",
      "wait_message: unknown key \"form\"; did you mean \"from\"?"
    ),
    (
      "return function(visitor) visitor:expect_any_of{ { contians = 'x' }, within = 5 } end",
      "expect_any_of: unknown key \"contians\""
    ),
    (
      "return function(visitor) visitor:expect_chat_state('chating') end",
      "there is no chat state \"chating\"; did you mean \"chatting\"?"
    ),
    (
      "return function(visitor) visitor:rate_operator(5, { oprator = 'anna' }) end",
      "rate_operator: unknown key \"oprator\"; did you mean \"operator\"?"
    ),
    (
      "return function(visitor) visitor:metric('x', 1, { unti = 's' }) end",
      "metric: unknown key \"unti\"; did you mean \"unit\"?"
    ),
    ("local id = visitant.uid()", "visitant has no \"uid\"; did you mean \"uuid\"?"),
    (
      "return function(desk) desk:on_chat(function(chat) chat:acept('anna') end) end",
      "chat has no method \"acept\"; did you mean \"accept\"?"
    ),
    ("return function(d) d:on_chat(function(c) c:keybord{} end) end", "c has no method \"keybord\""),
    (
      "return function(desk) desk:oprator{ id = 'a' } desk:on_chat(print) end",
      "desk has no method \"oprator\""
    ),
  ])
  func `a wrong word is found with its line and the right one`(text: String, message: String) throws {
    let found = findings(in: text, status: 1)
    let line = text.split(separator: "\n", omittingEmptySubsequences: false).count
    #expect(found.count == 1, "\(found)")
    #expect(try #require(found.first).hasPrefix("\(line): \(message)"), "\(found)")
  }

  @Test(arguments: [
    "", "return 1", "-- visitor:sya()\nreturn {}", "local s = [[ visitor:sya() ]] return {}",
    "return function(visitor) visitor:say(\"visitor:sya()\") end",
    "local visitor = {} visitor:anything() visitor.goes = 1",
    "return function(visitor) local x = { say = 1, visitor = visitor } x.visitor2 = 1 end",
    "return { name = 'x', run = function(visitor) visitor.state.anything = visitor.operator end }",
    "return function(visitor) visitor:wait_message(function(m) return m.txt end) end",
    "return function(visitor) visitor:start_chat{ custom_fields = { any = { thing = 1 } } } end",
    "return function(visitor) local menu = visitor:expect_keyboard{ within = 5 } visitor:press(menu, { id = 'x' }) end",
    "return function(visitor) visitor:say('x', { data = { any = 1 } }) local say = visitor.say end",
    "return function(visitor) if visitor.connected then return { anything = 1 } end end",
    "return function(desk) desk:operator{ id = 'a' } desk:on_chat(function(chat) chat:on_message(print) end) end",
    "return function(desk) desk:on_chat(function(chat) chat:wait_press{ within = 6 } chat.data.x = chat.id end) end",
    "local t = visitant.json.decode('{}') return visitant.read('x')",
  ])
  func `what is right, or not ours, is left alone`(text: String) {
    #expect(findings(in: text, status: 0) == [])
  }

  @Test func `the bots and desks that ship have nothing to find`() throws {
    let root = #filePath.split(separator: "/").dropLast(3).reduce("") { "\($0)/\($1)" }
    let files = ["bots", "examples/desks"].flatMap { folder in
      names(in: "\(root)/\(folder)").filter { $0.hasSuffix(".lua") }.map { "\(root)/\(folder)/\($0)" }
    }
    #expect(files.count >= 9)
    #expect(console.run(["check"] + files) == 0, "\(console.output)")
  }

  @Test func `what is no Lua is found with its line`() throws {
    let found = findings(in: "return function(visitor)\n  visitor:say('x'\nend", status: 1)
    #expect(found.count == 1)
    #expect(try #require(found.first).hasPrefix("3: "))
    #expect(found.first?.contains("')' expected") ?? false)
  }

  @Test func `several mistakes come in the order of their lines`() {
    let found = findings(
      in: "return function(visitor)\n visitor:sya()\n visitor:pres()\n visitor:aks()\nend", status: 1)
    #expect(found.map { $0.prefix(1) } == ["2", "3", "4"])
  }

  @Test func `a missing file is status 2, and nothing is printed of the others`() {
    let path = scratch.path("script.lua")
    write(Array("visitor(".utf8), to: path)
    #expect(console.run("check", path, scratch.path("gone.lua")) == 2)
    #expect(console.output.isEmpty)
    #expect(console.diagnostics.contains("gone.lua"))
  }

  @Test func `the built program prints file, line and word`() throws {
    write(Array("return function(visitor)\n  visitor:sya('hi')\nend\n".utf8), to: scratch.path("bot.lua"))
    let result = try Binary.run("check", "bot.lua", in: scratch)
    #expect(result.status == 1)
    #expect(result.output == "bot.lua:2: visitor has no method \"sya\"; did you mean \"say\"?\n")
  }

  @Test(arguments: 1...4 as ClosedRange<UInt64>)
  func `noise is never a trap`(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    let parts = [
      "return", " function", "(visitor)", " end ", "visitor", ":", ".", "say", "{", "}", "(", ")", "=", ",",
      "\"", "'",
      "[[", "]]", "[=[", "--", "\n", "\\", "1", "0x", "..", "\u{0}", "é", "on_x", "if", " do ", "#!", "chat",
      "desk:on_chat",
    ]
    let path = scratch.path("noise.lua")
    for _ in 0..<150 {
      let text = (0..<Int.random(in: 0...40, using: &generator)).map { _ in
        parts.randomElement(using: &generator) ?? ""
      }
      // Right Lua in front of a long comment gets past the compiler and puts the noise before the lexer.
      let source = Bool.random(using: &generator) ? text.joined() : "local x = [==[" + text.joined() + "]==]"
      write(Array(source.utf8), to: path)
      let status = console.run("check", path)
      #expect(status == 0 || status == 1)
    }
  }
}
