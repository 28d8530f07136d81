import Lua
import Testing

struct SandboxTests {
  @Test(arguments: [
    "io", "debug", "package", "require", "dofile", "loadfile", "warn", "string.dump", "os.execute", "os.exit",
    "os.getenv", "os.remove", "os.rename", "os.tmpname", "os.setlocale",
  ])
  func `what is not listed is not there`(name: String) throws {
    #expect(try Scripted.result(of: "return \(name) == nil") == "[true]")
  }

  @Test func `the globals are these and no others`() throws {
    let state = try LuaState(budget: .run, seed: 1)
    try state.loadPrelude(
      Array(
        "return { names = function() local t = {} for k in pairs(host.sandbox) do t[#t+1] = k end return t end }"
          .utf8),
      name: "test")
    guard case .finished(_, let values) = state.start(prelude: "names", Array("[]".utf8)) else {
      Issue.record("the prelude failed")
      return
    }
    let names = [
      "_VERSION", "assert", "collectgarbage", "coroutine", "error", "getmetatable", "ipairs", "load", "math",
      "next", "os", "pairs", "pcall", "print", "rawequal", "rawget", "rawlen", "rawset", "select",
      "setmetatable", "string", "table", "tonumber", "tostring", "type", "utf8", "xpcall",
    ]
    #expect(String(decoding: values, as: UTF8.self) == "[\(json(names))]")
  }

  @Test(arguments: [
    ("load('\\27Lua')", "[null,\"attempt to load a binary chunk (mode is 't')\"]"),
    ("load('return 1', 'x', 'b')", "[null,\"only text can be loaded\"]"),
    ("load('return x', 'x', 't', {x = 7})()", "[7]"),
    ("load('return x', 'x', 't', nil)", "[{\"$function\":2}]"),
    (
      "pcall(load('return _ENV.x', 'x', 't', nil))",
      "[false,\"[string \\\"x\\\"]:1: attempt to index a nil value (upvalue '_ENV')\"]"
    ),
    ("load(function() return nil end)()", "[]"),
    ("load(function() return {} end)", "[null,\"bot.lua:1: reader function must return a string\"]"),
    ("load('return io')()", "[null]"),
    (
      "load('local x <const> = 1 x = 2', '=chunk')",
      "[null,\"chunk:1: attempt to assign to const variable 'x'\"]"
    ),
    ("load('error(\"x\")', '=[bot]')", "[{\"$function\":2}]"),
    ("pcall(load('error(\"x\")', '=[bot]'))", "[false,\"(load):1: x\"]"),
  ])
  func `load takes text, and stays inside`(expression: String, expected: String) throws {
    #expect(try Scripted.result(of: "return \(expression)") == expected)
  }

  @Test(arguments: [
    ("string.foo = 1", "'string.foo' cannot be set: 'string' is read-only"),
    ("string.rep = nil", "'string.rep' cannot be set: 'string' is read-only"),
    ("rawset(string, 'rep', nil)", "'string.rep' cannot be set: 'string' is read-only"),
    ("table.insert(math, 1)", "'math.1' cannot be set: 'math' is read-only"),
    ("table.sort(table)", nil),
    ("setmetatable(string, {})", "cannot change a protected metatable"),
    ("setmetatable(_G, {})", "cannot change a protected metatable"),
    ("getmetatable('').__index = nil", "attempt to index a boolean value"),
    ("getmetatable(os).__index = nil", "attempt to index a boolean value"),
    ("('x').y = 1", "attempt to index a string value (constant 'x')"),
    ("setmetatable({}, {__gc = print})", "'__gc' is not available: no budget could end a finalizer"),
    ("math.randomseed(1)", "math.randomseed is not available: the run's seed is given by --seed"),
    ("collectgarbage()", "collectgarbage: only \"count\" is available, memory is looked after"),
    ("coroutine.yield()", "attempt to yield from outside a coroutine"),
    ("string.format('%p', {})", "'%p' is not available: addresses differ from run to run"),
  ])
  func `what scripts share with preludes cannot be changed`(script: String, complaint: String?) throws {
    let outcome = try Scripted().run(script)
    #expect(outcome.error?.message == complaint)
    #expect(outcome.error?.line == complaint.map { _ in 1 })
  }

  @Test func `a script's globals are its own, and shadow nothing`() throws {
    let machine = try Scripted()
    #expect(
      try machine.run("string = 1  x = 2  return _G.x, _G.string, ('a'):rep(2)").values == "[2,1,\"aa\"]")
    #expect(try machine.run("return x, host.sandbox.x").values == "[2,null]")
    #expect(try Scripted().run("return x").values == "[null]")
  }

  @Test func `a finalizer that is set late never runs`() throws {
    let script = """
      local m = {} setmetatable({}, m) m.__gc = function() note('ran') end
      for i = 1, 1000 do local t = {{}} end
      """
    #expect(try Scripted().run(script).notes == [])
  }

  /// Goes through all that hangs together with its arguments, and tells how it came to a metatable.
  private static let walk = """
    local seen, found = {}, {}
    local function walk(value, path)
      if type(getmetatable(value)) == 'table' then found[#found + 1] = path end
      if type(value) ~= 'table' or seen[value] then return end
      seen[value] = true
      for key, member in pairs(value) do
        walk(key, path .. '.key')
        walk(member, path .. '.' .. tostring(key))
      end
    end
    """

  @Test func `no metatable that the host has made comes into a script's hands`() throws {
    let script = """
      \(Self.walk)
      walk(_G, '_G')
      walk({...}, 'arguments')
      walk({ask('x')}, 'answers')
      walk({host.array(), host.array({}), host.array({{}}), host.freeze({}), host.freeze(host.array())}, 'made')
      walk(host.json_decode('[[],{"a":[]},[[1]]]'), 'decoded')
      walk({coroutine.create(print), print, 'text', 1, true, load('return 1')}, 'others')
      walk(select(2, pcall(error)), 'error')
      return host.array(found)
      """
    let outcome = try Scripted().run(
      script, arguments: #"[[],{"list":[1]},[[]]]"#, answers: [#"[[],{"list":[]}]"#])
    #expect(outcome.values == "[[]]")
  }

  @Test(arguments: [
    "getmetatable(visitant_list).__gc = print", "setmetatable(visitant_list, {__gc = print})",
    "setmetatable(visitant_list, {__gc = false})", "rawset(getmetatable(visitant_list), '__gc', print)",
    "host.array(setmetatable({}, {__gc = print}))",
  ])
  func `no way leads to a finalizer`(attempt: String) throws {
    let script = """
      visitant_list = host.json_decode('[]')
      local print = function() note('ran') end
      local done = pcall(function() \(attempt) end)
      visitant_list = nil
      for i = 1, 1000 do local list, text = host.json_decode('[[]]'), {{}} end
      return done
      """
    let outcome = try Scripted().run(script)
    #expect(outcome.values == "[false]")
    #expect(outcome.notes == [])
  }

  @Test(arguments: ["string", "_G", "setmetatable({}, {})", "setmetatable({}, {__metatable = 1})"])
  func `the mark of a list replaces no metatable`(table: String) throws {
    let outcome = try Scripted().run("host.array(\(table))")
    #expect(outcome.error?.message == "array: a table with a metatable is no plain list")
    #expect(try Scripted().run("string.x = 1").error?.message.contains("read-only") == true)
  }

  @Test func `a list of JSON is marked once, and may get a metatable of the script's own`() throws {
    let script = """
      local list = host.array(host.json_decode('[]'))
      local own = {}
      setmetatable(list, own)
      return getmetatable(list) == own, host.json_encode(host.array(host.array({}))), getmetatable(host.array())
      """
    #expect(try Scripted.result(of: script) == #"[true,"[]",null]"#)
  }

  @Test func `preludes do not show in positions, nor in tracebacks`() throws {
    let state = try Scripted()
    try state.state.loadPrelude(
      Array("host.sandbox.visit = function(f) f() error('no such page') end return {}".utf8), name: "bot")
    let outcome = try state.run("\nlocal function inner()\n  visit(function() end)\nend\ninner()")
    let error = try #require(outcome.error)
    #expect(error.description == "bot.lua:3: no such page")
    #expect(error.traceback == "bot.lua:3: in local 'inner'\nbot.lua:5: in the main chunk")
  }

  @Test(arguments: ["", "\u{FEFF}", "#!/usr/bin/env visitant", "\u{FEFF}#!/usr/bin/env visitant"])
  func `a script and what it loads may begin with a byte order mark and a line for the shell`(front: String)
    throws
  {
    let text = front + "\nreturn 7"
    #expect(try Scripted().run(text).values == "[7]")
    let outcome = try Scripted().run(
      "local text = ... return host.load(text, 'lib/x.lua')()",
      arguments: json([text]).replacing("\n", with: #"\n"#))
    #expect(outcome.values == "[7]")
    let wrong = try Scripted().run(
      "return host.load(..., 'lib/x.lua')", arguments: json([front + "\nx ="]).replacing("\n", with: #"\n"#))
    #expect(wrong.values?.contains("lib/x.lua:2: ") == true)
  }

  @Test func `a prelude that is wrong says where`() throws {
    let state = try LuaState(budget: .run, seed: 1)
    let syntax = #expect(throws: LuaError.self) { try state.loadPrelude(Array("\nx =".utf8), name: "bot") }
    #expect(syntax?.code == .syntax)
    #expect(syntax?.message.hasPrefix("[bot]:2: ") == true)
    let runtime = #expect(throws: LuaError.self) {
      try state.loadPrelude(Array("\nlocal x = nil + 1".utf8), name: "bot")
    }
    #expect(runtime?.message.hasPrefix("[bot]:2: ") == true)
  }

  @Test func `preludes see what earlier ones gave, and their arguments`() throws {
    let state = try LuaState(budget: .run, seed: 1)
    try state.loadPrelude(
      Array("local a, b = ... return { sum = function() return a + b.x end }".utf8), name: "a",
      arguments: Array("[1,{\"x\":2}]".utf8))
    try state.loadPrelude(
      Array("local sum = host.prelude.sum return { double = function() return 2 * sum() end }".utf8),
      name: "b")
    #expect(
      state.start(prelude: "double", Array("[]".utf8)) == .finished(coroutine: 1, values: Array("[6]".utf8)))
    guard case .failed(_, let error) = state.start(prelude: "triple", Array("[]".utf8)) else {
      Issue.record("there is no such function")
      return
    }
    #expect(error.message == "the prelude has no function 'triple'")
  }

  @Test func `a frozen table reads as before and cannot be written`() throws {
    let script = """
      local meta = {__tostring = function() return 'T' end}
      local t = host.freeze(setmetatable({10, 20, a = 1}, meta), 'visitor')
      local keys = {}
      for k in pairs(t) do keys[#keys + 1] = tostring(k) end
      return #t, t[2], t.a, rawget(t, 'a'), rawlen(t), tostring(t), keys, next(t), table.concat(t, '-')
      """
    let expected = #"[2,20,1,1,2,"T",["1","2","a"],1,"10-20"]"#
    #expect(try Scripted.result(of: script) == expected)
    #expect(try Scripted.result(of: "return host.freeze({1, 2})") == "[[1,2]]")
    #expect(
      try Scripted.result(of: "host.freeze({}, 'visitor').x = 1")
        == "bot.lua:1: 'visitor.x' cannot be set: 'visitor' is read-only")
    #expect(
      try Scripted.result(of: "rawset(host.freeze({}), 'x', 1)")
        == "bot.lua:1: 'x' cannot be set: the table is read-only")
  }

  @Test func `the same seed gives the same numbers`() throws {
    let script = "return math.random(1000), math.random(), math.random(5, 6), host.random(9), host.uuid()"
    let first = try Scripted(seed: 7).run(script).values
    #expect(try Scripted(seed: 7).run(script).values == first)
    #expect(try Scripted(seed: 8).run(script).values != first)
  }

  @Test(arguments: [
    ("math.random(0) ~= nil", "[true]"),
    ("pcall(math.random, 2, 1)", "[false,\"bad argument #2 to '?' (interval is empty)\"]"),
    ("pcall(math.random, -1)", "[false,\"bad argument #1 to '?' (interval is empty)\"]"),
    ("pcall(math.random, 1, 2, 3)", "[false,\"wrong number of arguments\"]"),
    ("math.random(math.maxinteger, math.maxinteger) == math.maxinteger", "[true]"),
    ("math.type(math.random(math.mininteger, math.maxinteger))", "[\"integer\"]"),
    ("math.random(7, 7)", "[7]"),
  ])
  func `random numbers keep to their interval`(expression: String, expected: String) throws {
    #expect(try Scripted.result(of: "return \(expression)") == expected)
  }

  @Test(arguments: [
    ("os.time()", "[1700000000]"),
    ("os.clock()", "[0.0]"),
    ("os.date('%Y-%m-%d %H:%M:%S')", "[\"2023-11-14 22:13:20\"]"),
    ("os.date('!%A', 0)", "[\"Thursday\"]"),
    ("os.date('*t', 86399).hour", "[23]"),
    ("os.date('*t', 86400).yday", "[2]"),
    ("os.time{year = 2024, month = 2, day = 29}", "[1709208000]"),
    ("os.time{year = 2023, month = 14, day = 1, hour = 0}", "[1706745600]"),
    ("os.time{year = 2024, month = 3, day = 0, hour = 0}", "[1709164800]"),
    ("os.time{year = 1969, month = 12, day = 31, hour = 23, min = 59, sec = 59}", "[-1]"),
    ("os.time{year = 2024, month = -11, day = 1, hour = 0}", "[1672531200]"),
    ("os.difftime(5, 2)", "[3.0]"),
    ("host.now()", "[1700000000.25]"),
    ("select(2, pcall(os.date, '%Ez', 0))", "[\"invalid conversion specifier '%E'\"]"),
    ("select(2, pcall(os.time, {year = 2024}))", "[\"field 'month' missing in date table\"]"),
  ])
  func `the time is the host's, in UTC`(expression: String, expected: String) throws {
    let machine = try Scripted()
    machine.state.now = 1_700_000_000.25
    #expect(try machine.run("return \(expression)").values == expected)
  }
}
