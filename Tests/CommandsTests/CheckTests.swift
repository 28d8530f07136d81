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
    (
      "return function(v) v:wait_chat_state('closed', { after = 1 }) end",
      "wait_chat_state: unknown key \"after\""
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
      "on: there is no event \"keybord\"; did you mean \"keyboard\"?"
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
      "expect_chat_state: state: there is no \"chating\"; did you mean \"chatting\"?"
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
    let parts = try #require(found.first).split(separator: ": ", maxSplits: 1)
    #expect(parts[0].hasPrefix("\(line):"), "\(found)")
    #expect(parts[1].hasPrefix(message), "\(found)")
  }

  @Test(arguments: [
    // The functions of a bot's table, however the table is made.
    ("return { run = function(vis) vis:SYA('x') end, on_message = function(v, m) v:say(m.text) end }", "say"),
    ("return { run = print, on_message = function(v, m) v:REPYL(m, 'x') end }", "reply"),
    ("return { run = print, ['on_message'] = function(v) v:SYA('x') end }", "say"),
    ("local bot = { name = 'x' } function bot.on_message(v) v:SYA() end return bot", "say"),
    ("local bot = {} bot.run = function(v) v:SYA() end return bot", "say"),
    ("local bot = {} function bot.run() end function bot.ON_MESAGE(v) end return bot", "on_message"),
    ("local function play(v) v:SYA() end return { run = play }", "say"),
    ("local function play(v) v:SYA() end return play", "say"),
    ("return { on_message = print, on_keyboard = function(v) local say = v.SYA end }", "say"),
    // Callbacks.
    ("return function(visitor) visitor:step('x', function(v) v:SYA() end) end", "say"),
    ("return function(visitor) visitor:spawn(function(v) v:SYA() end) end", "say"),
    ("return function(visitor) visitor:on('message', function(v, m) v:REPYL(m, 'x') end) end", "reply"),
    ("return function(visitor) visitor:step('x', function() visitor:SYA() end) end", "say"),
    (
      "return function(visitor) visitor:spawn(function() visitor:step('x', function(v) v:SYA() end) end) end",
      "say"
    ),
    ("return function(visitor) pcall(function() visitor:SYA() end) end", "say"),
    ("return function(visitor) pcall(function(v) v:SYA() end, visitor) end", "say"),
    ("return function(visitor) for i = 1, 3 do repeat visitor:SYA() until visitor.connected end end", "say"),
    ("return function(visitor) while visitor.CONECTED do visitor:sleep(1) end end", "connected"),
    ("return function(visitor) if visitor:WAIT_MESAGE() then return end end", "wait_message"),
    ("return function(visitor) visitor:say(visitor.CHAT_STAT .. 'x') end", "chat_state"),
    // Other names for it.
    ("return function(visitor) local v = visitor v:SYA() end", "say"),
    ("return function(visitor) local v, w = 1, visitor w:SYA() end", "say"),
    ("local me return function(visitor) me = visitor me:SYA() end", "say"),
    ("local function greet(v, text) v:SYA(text) end return function(visitor) greet(visitor, 'x') end", "say"),
    (
      "local a, b function a(v) b(v) end function b(v) v:SYA() end return function(visitor) a(visitor) end",
      "say"
    ),
    ("local function greet(visitor) visitor:say('x') visitor:PRES() end return { greet }", "press"),
    ("local M = {} function M.greet(visitor) visitor:say('x') visitor:PRES() end return M", "press"),
    ("local json = visitant.json return function(visitor) visitor:say(json.ENCDE{}) end", "encode"),
    // Keys and values of filters and options.
    ("return function(v) v:wait_message{ from = 'OPRATOR' } end", "operator"),
    ("return function(v) v:wait_message{ type = 'OPERATOR_MESAGE' } end", "operator_message"),
    ("return function(v) v:wait_question{ type = 'STARZ' } end", "stars"),
    ("return function(v) v:wait_for('survey_question', { type = 'RADOI' }) end", "radio"),
    ("return function(v) v:wait_for('chat_state', { state = 'CHATING' }) end", "chatting"),
    ("return function(v) v:expect_for('online_status', { state = 'ONLIN' }) end", "online"),
    ("return function(v) v:expect_any_of{ { event = 'KEYBORD' } } end", "keyboard"),
    ("return function(v) v:expect_any_of{ { event = 'chat_state', state = 'CHATING' } } end", "chatting"),
    ("return function(v) v:expect_in_any_order{ { text = 'x' }, { CONTANS = 'y' } } end", "contains"),
    ("return function(v) v:expect_none_of{ { text = 'x' }, WITHN = 5 } end", "within"),
    ("return function(v) v:wait_for('message', { FORM = 'robot' }) end", "from"),
    ("return function(v) v:wait_chat_state('chatting', { WITHN = 5 }) end", "within"),
    ("return function(v) v:wait_until(function() return true end, { WITHN = 5 }) end", "within"),
    ("return function(v) v:wait_message(function(m) return m.x end, { WITHN = 5 }) end", "within"),
    ("return function(v) v:expect_nothing_else{ WITHN = 5 } end", "within"),
    ("return function(v) v:send('x', { HINT_QUESTON = true }) end", "hint_question"),
    ("return function(v) v:metric('x', 1, { UNT = 's' }) end", "unit"),
    ("return function(v) v:start_chat{ DEPARTMNT = 'x' } end", "department"),
    // What stands behind a misspelt word.
    ("return function(v) v:setp('x', function(w) w:SYA() end) end", "say"),
    ("return { on_mesage = function(v) v:SYA() end }", "say"),
    ("return function(visitor) visitor:on('mesage', function(v) v:SYA() end) end", "say"),
    // Desks.
    ("return function(d) d:on_chat(function(c) c:ACEPT('a') end) end", "accept"),
    ("return function(d) d:on_caht(function(c) c:ACEPT('a') end) end", "accept"),
    ("return function(d) d:on_rating(function(c, rating) c:SYA('x') end) end", "say"),
    ("return function(d) d:on('press', function(c) c:SYA('x') end) end", "say"),
    ("return function(d) d:on_chat(function(c) c:on_mesage(function(k) k:SYA('x') end) end) end", "say"),
    ("local function play(c) c:SYA() end return function(d) d:on_chat(play) end", "say"),
    ("return function(desk) desk:every(5, function() desk:LOGG('x') end) end", "log"),
    ("return function(desk) desk:on_visitor(function(v) desk:BANN(v) end) end", "ban"),
    ("return function(desk) desk:OPRATOR{ id = 'a' } end", "operator"),
    ("return function(desk) desk:operator{ id = 'a', TITEL = 'x' } end", "title"),
    ("return function(desk) desk:departments{ { key = 'a', ORDR = 1 } } end", "order"),
    ("return function(desk) desk:departments{ { key = 'a', online = 'OFFLIN' } } end", "offline"),
    ("return function(desk) desk:account{ SURVYS = true } end", "surveys"),
    ("return function(desk) desk:online_status('BUSY_ONLIN') end", "busy_online"),
    ("return function(desk) desk:limits{ MESSAGE_LENGHT = 5 } end", "message_length"),
    ("return function(desk) desk:fault{ on = 'delta', STATSU = 503 } end", "status"),
    ("return function(desk) desk:on_chat(function(c) c:keyboard{ { 'A', LNK = 'x' } } end) end", "link"),
    (
      "return function(desk) desk:on_chat(function(c) c:keyboard{ { { 'A', LNK = 'x' }, 'B' } } end) end",
      "link"
    ),
    ("return function(desk) desk:on_chat(function(c) c:keyboard{ 'A', TXT = 'x' } end) end", "text"),
    ("return function(desk) desk:on_chat(function(c) c:keyboard({ 'A' }, { TXT = 'x' }) end) end", "text"),
    (
      "return function(desk) desk:on_chat(function(c) c:survey{ { type = 'STARZ', text = 'x' } } end) end",
      "stars"
    ),
    (
      "return function(desk) desk:on_chat(function(c) c:survey{ { text = 'x', OPTIOSN = {} } } end) end",
      "options"
    ),
    (
      "return function(desk) desk:on_chat(function(c) c:survey{ { form = 'q', QUESTONS = {} } } end) end",
      "questions"
    ),
    ("return function(desk) desk:on_chat(function(c) c:wait_press{ WITHN = 5 } end) end", "within"),
    (
      "return function(desk) desk:on_chat(function(c) c:wait_message{ type = 'VISITOR_MESAGE' } end) end",
      "visitor_message"
    ),
    ("return function(desk) desk:on_chat(function(c) c:close{ FINL = true } end) end", "final"),
  ])
  func `a wrong word is found wherever its object comes from`(text: String, right: String) throws {
    // The mistake is written in capitals, so that the test sees its column.
    let wrong = try #require(text.firstMatch(of: /[A-Z_]{3,}/), "\(text)")
    let column = text.distance(from: text.startIndex, to: wrong.range.lowerBound) + 1
    let quote = text[..<wrong.range.lowerBound].last == "'" && text[wrong.range.upperBound] == "'" ? 1 : 0
    let script = text.replacing(wrong.output, with: wrong.output.lowercased())
    let found = findings(in: script, status: 1)
    let isFound = found.contains {
      $0.hasPrefix("1:\(column - quote): ") && $0.contains("\"\(wrong.output.lowercased())\"")
        && $0.hasSuffix("; did you mean \"\(right)\"?")
    }
    #expect(isFound, "\(found)")
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
    // Whatever else bears the name.
    "local function show(visitor) return visitor:say('x'), visitor:whatever() end show({}) return { show }",
    "local function each(l, f) f(l) end each({}, function(visitor) visitor:say() visitor:sya() end)",
    "return function(visitor) for _, visitor in ipairs{} do visitor:sya() end end",
    "return function(visitor) do local visitor = other() visitor:sya() end end",
    "return function(visitor) visitor = wrap(visitor) visitor:sya() end",
    "return function(visitor) local v = visitor v = other() v:sya() end",
    "local v return function(visitor) v = visitor v = other() v:sya() end",
    "return function(visitor) local v = visitor or other() v:sya() end",
    "return function(visitor) local t = { visitor = other() } t.visitor:sya() end",
    "return function(visitor) local function f(v) v:sya() end f(visitor) f(other()) end",
    "return function(visitor) local function f(v) v:sya() end f(visitor) other(f) end",
    "return function(visitor) local function f(v) v:sya() end f(visitor) visitor:log('%s', f) end",
    "return function(d) d:on('press', print) d:on('chat', print) d:sleep(1) end",
    "return function(x) x:log('x') x:every(1, print) end",
    "local Shop = {} function Shop:run(visitor) self.visitor = visitor end return Shop",
    "local Shop = {} function Shop.show(visitor) return visitor.nickname end return Shop",
    "return { add = function(a, b) return a:plus(b) end, sum = function(list) return list:all() end }",
    "return function(list) return list:map(print), list.count end",
    "local visitant = {} visitant.anything()", "visitant = other() visitant.anything()",
    "function visitant() end visitant.anything()",
    "return function(visitor) local m = visitor:wait_message() m:sya() print(m.txt) end",
    "return function(visitor) visitor:on('message', function(v, m, x) m:sya() x:sya() end) end",
    "return function(visitor) visitor:on(other, function(v) v:say() end) end",
    "return function(visitor) visitor:wait_for(other, { type = 'anything' }) end",
    "return function(visitor) visitor:wait_for('not_fatal_error', { type = 'anything' }) end",
    "return function(visitor) visitor:wait_message{ event = other, state = 'anything' } end",
    "return function(visitor) visitor:wait_message{ from = other, [other] = 1, type = 'op' .. 'x' } end",
    "return function(visitor) visitor:wait_message{ type = 'operator\\95message', text = '\\u{41}' } end",
    "return function(visitor) visitor:wait_operator('Anybody', { within = 5 }) end",
    "return function(visitor) visitor:log('%d of %d', 1, 2) visitor:log(5) visitor:think(1) end",
    "return function(visitor) visitor:answer_survey(true) visitor:press('m', 5) visitor.say(visitor, 'x') end",
    "return function(visitor) goto done do visitor:say('x') end ::done:: visitor:say(\"a\\z\n  b\", {}) end",
    "return function(visitor) local x <const> = visitor x:say(#'x' .. -1 // 2) end",
    "return function(d) d:on_visitor(function(visitor) d:log(visitor.is_returning) visitor:sya() end) end",
    "return function(d) d:spawn(function(c) c:sya() end) d:on_any(function(chat, e) e:sya() end) end",
    "return function(d) d:on_chat(function(c) c:keyboard{ 'A', { 'B', 'C' }, { { 'D', id = 5 } }, text = 'x' } end) end",
    "return function(d) d:on_chat(function(c) c:survey(forms) c:survey{ other } c:typing(false) c:typing(2) end) end",
    "return function(d) d:account{ default_lang = 'en', surveys = false } d:location_settings{ any = {} } end",
    "return function(d) d:visitor_fields('v', { any = 'x' }) d:on_chat(function(c) c.data.x = c end) end",
  ])
  func `what is right, or not ours, is left alone`(text: String) {
    #expect(findings(in: text, status: 0) == [])
  }

  @Test func `the bots and desks that ship have nothing to find`() throws {
    let files = ["bots", "examples/desks"].flatMap { folder in
      names(in: Project.path(folder)).filter { $0.hasSuffix(".lua") }.map { Project.path("\(folder)/\($0)") }
    }
    #expect(files.count >= 9)
    #expect(console.run(["check"] + files) == 0, "\(console.output)")
  }

  @Test func `what is no Lua is found with its line`() throws {
    let found = findings(in: "return function(visitor)\n  visitor:say('x'\n  end", status: 1)
    #expect(found.count == 1)
    #expect(try #require(found.first).hasPrefix("3:3: "))
    #expect(found.first?.contains("')' expected") ?? false)
  }

  @Test func `several mistakes come in the order of their lines`() {
    let found = findings(
      in: "return function(visitor)\n visitor:sya()\n visitor:pres()\n visitor:aks()\nend", status: 1)
    #expect(found.map { $0.prefix(5) } == ["2:10:", "3:10:", "4:10:"])
  }

  @Test func `columns count characters, whatever stands before`() {
    let text =
      "return function(visitor)\n  local s = 'é😀' visitor:say(s) --[[ ß ]] visitor:SYA()\n --[[\n]] visitor:SYA() end"
    #expect(findings(in: text, status: 1).map { $0.prefix(5) } == ["2:51:", "4:12:"])
  }

  @Test func `a long text is looked through as fast as it is read`() {
    let sum = Array(repeating: "1", count: 20_000).joined(separator: " + ")
    let chain = "('a')" + String(repeating: ":rep(1)", count: 5_000)
    let branches = "if a then " + String(repeating: "elseif b then ", count: 3_000) + "end"
    let text = "return function(visitor) local x, y = \(sum), \(chain) \(branches) visitor:sya(x, y) end"
    #expect(findings(in: text, status: 1).count == 1)
  }

  @Test func `what calls one another too deeply hides no mistake that is plain`() {
    let chain = (1...110).map { "local function f\($0)(v) \($0 == 1 ? "v:sya()" : "f\($0 - 1)(v)") end" }
    let text = (chain + ["return function(visitor) f110(visitor) visitor:pres() end"]).joined(separator: "\n")
    #expect(findings(in: text, status: 1).contains { $0.contains("\"pres\"") })
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
    #expect(result.output == "bot.lua:2:11: visitor has no method \"sya\"; did you mean \"say\"?\n")
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
