import Lua
import Testing

struct BudgetTests {
  /// A script that must be ended, the budget that ends it, and the line it stands on.
  struct Runaway: CustomTestStringConvertible {
    var script: String
    var budget: LuaBudget.Kind
    var line: Int?

    init(_ script: String, _ budget: LuaBudget.Kind, line: Int? = 2) {
      self.script = script
      self.budget = budget
      self.line = line
    }

    var testDescription: String { script }
  }

  static let runaways = [
    Runaway("\nwhile true do end", .instructions),
    Runaway("local function f() end\nwhile true do pcall(f) end", .instructions, line: nil),
    Runaway("local function f() while true do end end while true do\npcall(f) end", .instructions, line: 1),
    Runaway("\nwhile true do pcall(function() while true do end end) end", .instructions),
    Runaway(
      "\nwhile true do xpcall(function() while true do end end, function(m) while true do end end) end",
      .instructions),
    Runaway("\nwhile true do coroutine.wrap(function() end)() end", .instructions),
    Runaway(
      "\nwhile true do coroutine.wrap(function() pcall(function() while true do end end) end)() end",
      .instructions),
    Runaway(
      "local co = coroutine.create(function() while true do\ncoroutine.yield() end end) while true do coroutine.resume(co) end",
      .instructions, line: nil),
    Runaway(
      "\nlocal t = setmetatable({}, {__index = function() while true do end end}) return t.x", .instructions),
    Runaway(
      "\nlocal x <close> = setmetatable({}, {__close = function() while true do end end})", .instructions),
    Runaway("\nerror(setmetatable({}, {__tostring = function() while true do end end}))", .instructions),
    Runaway("\nload('while true do end')()", .instructions, line: 1),
    Runaway("\nload(function() return ' ' end)", .instructions, line: nil),
    Runaway("\nfor i = 1, 1 << 60 do end", .instructions),
    Runaway("\n('x'):gsub('x', function() while true do end end)", .instructions),
    Runaway(
      "local t = setmetatable({}, {__len = function() return 1 << 60 end})\ntable.insert(t, 1, 0)",
      .instructions),
    Runaway(
      "local t = setmetatable({}, {__len = function() return 1 << 60 end})\ntable.remove(t, 1)", .instructions
    ),
    Runaway(
      "local t = setmetatable({}, {__len = function() return 1 << 30 end})\ntable.sort(t)", .instructions),
    Runaway(
      "local t = setmetatable({}, {__index = function() return '' end})\ntable.concat(t, '', 1, 1 << 60)",
      .instructions, line: nil),
    Runaway("\ntable.move({}, 1, 1 << 60, 2)", .instructions),
    Runaway("\ntable.move({}, 1, 1 << 40, 1, {})", .instructions),
    Runaway("\nlocal s = ('x'):rep(1000000) while true do local t = s:upper() end", .instructions),
    Runaway("\nlocal s = ('x'):rep(1000000) while true do local t = s .. 'x' end", .instructions),
    Runaway("\nlocal s = ('x'):rep(1000000) while true do local t = utf8.len(s) end", .instructions),
    Runaway("\nlocal s = ('1'):rep(1000000) while true do local t = tonumber(s) end", .instructions),
    Runaway(
      "\nlocal a, b = ('x'):rep(2000000) .. 'y', ('x'):rep(2000000) .. 'y' while true do local t = a == b end",
      .instructions),
    Runaway("\nlocal t = {} while true do t[#t + 1] = {} end", .memory),
    Runaway(
      "\nlocal t = {} while true do pcall(function() while true do t[#t + 1] = {} end end) end", .memory),
    Runaway(
      "local t = {} local x <close> = setmetatable({}, {__close = function() error('y') end})\nwhile true do t[#t + 1] = {} end",
      .memory),
    Runaway("\nlocal s = 'x' while true do s = s .. s end", .memory),
    Runaway("\nlocal s = ('x'):rep(1 << 40)", .memory),
    Runaway("\nlocal s = ('x'):rep(100, ('y'):rep(100000))", .memory),
    Runaway("\nlocal t = table.pack(table.unpack({}, 1, 900000))", .memory),
    Runaway("local function f() return 1 + f() end\nf()", .memory, line: 1),
    Runaway(
      "\nlocal t = {} while true do t[#t + 1] = coroutine.create(function() end) end", .instructions),
    Runaway("\n(('a'):rep(40)):find(('a*'):rep(8) .. 'b')", .patterns),
    Runaway("\n(('a'):rep(40)):match(('a-'):rep(9) .. 'b')", .patterns),
    Runaway("\nfor _ in (('a'):rep(40)):gmatch(('a?'):rep(28) .. 'b') do end", .patterns),
    Runaway("\n(('a'):rep(40)):gsub(('a*'):rep(8) .. 'b', '')", .patterns),
    Runaway("\nwhile true do pcall(string.find, ('a'):rep(40), ('a*'):rep(8) .. 'b') end", .patterns),
    Runaway("local s = ('a'):rep(1000000)\nwhile true do s:find('b', 1, true) end", .patterns),
    Runaway("\nlocal s = ('a'):rep(100000) s:find(('a'):rep(50000) .. 'b', 1, true)", .patterns),
    Runaway("\n(('('):rep(100000)):find('%b()')", .patterns),
  ]

  @Test(arguments: runaways)
  func `a runaway ends with its budget and its line`(runaway: Runaway) throws {
    let budget = LuaBudget(memory: 8 << 20, instructions: 2_000_000, patternSteps: 2_000_000)
    let machine = try Scripted(budget: budget)
    let error = try #require(try machine.run(runaway.script).error)
    #expect(error.code == .budget)
    #expect(error.budget == runaway.budget)
    #expect(error.line == runaway.line || runaway.line == nil)
    #expect(error.line != nil)
  }

  @Test func `the message names the budget`() throws {
    #expect(
      try Scripted.result(of: "while true do end")
        == "bot.lua:1: the budget of 10,000,000 instructions a turn is spent")
    #expect(
      try Scripted.result(of: "local t = {} while true do t[#t + 1] = {} end", budget: .load)
        == "bot.lua:1: the memory budget of 1 MiB is spent")
    #expect(
      try Scripted.result(of: "(('a'):rep(40)):find(('a*'):rep(8) .. 'b')", budget: .load)
        == "bot.lua:1: the budget of 1,000,000 pattern steps a turn is spent")
    #expect(
      try Scripted.result(of: "local function f() return 1 + f() end f()")
        == "bot.lua:1: the memory budget of 8 MiB is spent: calls are nested too deep")
  }

  @Test func `a spent state stays dead, and says so each time`() throws {
    let machine = try Scripted()
    let waiting = try machine.state.load(Array("ask() return 1".utf8), name: "bot.lua")
    guard case .asks(let coroutine, _, _) = machine.state.start(waiting, Array("[]".utf8)) else {
      Issue.record("the script should wait")
      return
    }
    let first = try machine.run("while true do end").error
    guard case .failed(_, let second) = machine.state.resume(coroutine, Array("[]".utf8)) else {
      Issue.record("the state should be dead")
      return
    }
    #expect(first?.budget == .instructions)
    #expect(second == first)
    let third = #expect(throws: LuaError.self) { try machine.state.load(Array("".utf8), name: "x") }
    #expect(third == first)
    machine.state.drop(coroutine)
    machine.state.release(waiting)
  }

  @Test func `neighbours do not notice`() throws {
    let neighbour = try Scripted()
    #expect(try neighbour.run("x = 1").error == nil)
    for runaway in Self.runaways.prefix(5) {
      #expect(try Scripted(budget: .load).run(runaway.script).error != nil)
    }
    #expect(try neighbour.run("return x").values == "[1]")
  }

  @Test func `each turn has its instructions anew`() throws {
    let script = "for i = 1, 20 do for j = 1, 300000 do end ask(i) end return 'done'"
    let budget = LuaBudget(memory: 1 << 20, instructions: 400_000, patternSteps: 1000)
    #expect(try Scripted(budget: budget).run(script).values == "[\"done\"]")
  }

  @Test(arguments: [
    "local s = ('x'):rep(100000) local n = 0 for i = 1, #s do n = n + s:byte(i) + #s:sub(i, i) end return n > 0",
    "local t = {} for i = 1, 50000 do t[i] = i % 1000 end table.sort(t) return t[1] == 0",
    "local t = {} for i = 1, 1000 do table.insert(t, 1, i) end return #t == 1000",
    "local t = {} for i = 1, 10000 do t[i] = tostring(i) end return #table.concat(t, ',') > 0",
    "local s = ('word '):rep(10000) local n = 0 for w in s:gmatch('%a+') do n = n + 1 end return n == 10000",
    "local s = '' for i = 1, 2000 do s = s .. 'line ' .. i end return #s > 0",
  ])
  func `honest work fits`(script: String) throws {
    #expect(try Scripted.result(of: script) == "[true]")
  }

  /// Allocates in each way that a script and the bridge know.
  private static let allocating = """
    local t = {}
    local co = coroutine.wrap(function()
      local x <close> = setmetatable({}, {__close = function() note('closed') end})
      for i = 1, 3 do coroutine.yield(ask(i, {a = {i}, f = print})) end
    end)
    for i = 1, 3 do t[i] = co() end
    pcall(function() local s = ('x'):rep(500) t.s = s .. s error({code = 'x', s = s}) end)
    t[4] = ('abc'):gsub('%w', '%0%0')
    for k, v in pairs(t) do note(k, tostring(v)) end
    for k in next, t do end
    table.sort({3, 2, 1}, function(a, b) return a < b end)
    print(('%s %d'):format(t, 3), host.json_encode({1, {x = 2}}), host.json_decode('[1,{"a":[]}]'))
    xpcall(function() nothing() end, function(m) return m .. m end)
    load('return 1')()
    co()
    host.prelude.state.x = {1, 2}
    return #t
    """

  @Test(arguments: stride(from: 1000, through: 60_000, by: 5900).map { $0 })
  func `wherever memory ends, it ends as a spent budget`(start: Int) throws {
    for memory in stride(from: start, to: start + 5900, by: 53) {
      let budget = LuaBudget(memory: memory, instructions: 100_000, patternSteps: 1000)
      do {
        let machine = try Scripted(budget: budget)
        let answer = #"[{"x":[1,2,{"y":"\n"}]},2]"#
        let outcome = try machine.run(Self.allocating, answers: [String](repeating: answer, count: 3))
        #expect(outcome.values == "[4]" || outcome.error?.budget == .memory)
        _ = try machine.state.serialize(preludeValue: "state")
      } catch let error as LuaError {
        #expect(error.budget == .memory)
      }
    }
  }

  @Test func `notes have a limit a turn`() throws {
    let outcome = try Scripted().run("while true do note(1) end")
    #expect(
      outcome.error?.description
        == "bot.lua:1: the budget of 10,000 logs, checks and measures a turn is spent")
    #expect(outcome.notes.count == 10_000)
    let large = try Scripted().run("local s = ('x'):rep(100000) while true do note(s) end")
    #expect(
      large.error?.description
        == "bot.lua:1: the budget of 1 MiB of logs, checks and measures a turn is spent")
    #expect(large.notes.count == 10)
  }

  @Test func `a budget beyond all bounds has no end of time either`() throws {
    let budget = LuaBudget(memory: 1 << 20, instructions: .max, patternSteps: .max)
    let script = "local n = 0 for i = 1, 150000000 do n = n + i end return n"
    #expect(try Scripted.result(of: script, budget: budget) == "[11250000075000000]")
  }
}
