import Lua
import Testing

struct ErrorTests {
  @Test(arguments: [
    ("\nlocal x = nil + 1", "bot.lua:2: attempt to perform arithmetic on a nil value"),
    ("\nlocal t t.x = 1", "bot.lua:2: attempt to index a nil value (local 't')"),
    ("\nerror('plain')", "bot.lua:2: plain"),
    ("\nerror('plain', 0)", "bot.lua:2: plain"),
    ("local function f()\nerror('caller', 2) end\n\nf()", "bot.lua:4: caller"),
    ("\nerror()", "bot.lua:2: nil"),
    ("\nerror(nil)", "bot.lua:2: nil"),
    ("\nerror(7)", "bot.lua:2: 7"),
    ("\nerror(true)", "bot.lua:2: true"),
    ("\nerror(print)", "bot.lua:2: function: 1"),
    ("\nerror('two\\nlines')", "bot.lua:2: two lines"),
    ("\nerror('at 12:30: lunch', 0)", "bot.lua:2: at 12:30: lunch"),
    ("\nassert(false)", "bot.lua:2: assertion failed!"),
    ("\nassert(nil, 'no luck')", "bot.lua:2: no luck"),
    ("\n('x'):rep({})", "bot.lua:2: bad argument #1 to 'rep' (number expected, got table)"),
    ("\nstring.rep()", "bot.lua:2: bad argument #1 to 'rep' (string expected, got no value)"),
    ("\nprint(setmetatable({}, {__tostring = 1}))", "bot.lua:2: attempt to call a number value"),
    (
      "\nprint(setmetatable({}, {__tostring = function() end}))",
      "bot.lua:2: '__tostring' must return a string"
    ),
    ("\nlocal function f() return coroutine.wrap(f)() end f()", "bot.lua:2: C stack overflow"),
    ("\nlocal function f() return pcall(f) end error(select(-1, f()), 0)", "bot.lua:2: C stack overflow"),
    ("local function f() error('deep') end\ncoroutine.wrap(f)()", "bot.lua:1: deep"),
    ("\ntable.unpack({}, 1, 50000000)", "bot.lua:2: too many results to unpack"),
    ("\nlocal s = ('('):rep(300) load(s .. ')', 'x')()", "bot.lua:2: attempt to call a nil value"),
    ("\nlocal _ENV <const> = 1; return a", "bot.lua:2: attempt to index a number value"),
  ])
  func `an error is one line, with its position`(script: String, expected: String) throws {
    #expect(try Scripted.result(of: script) == expected)
  }

  @Test(arguments: [
    ("x =", "bot.lua:1: unexpected symbol near <eof>"),
    ("\n\nfor", "bot.lua:3: <name> expected near <eof>"),
    ("local x <const> = 1\nx = 2", "bot.lua:2: attempt to assign to const variable 'x'"),
    ("return " + String(repeating: "(", count: 1000), "bot.lua: C stack overflow"),
    ("\u{1B}Lua", "bot.lua: this is compiled Lua (bytecode), which is never run: name the file of its text"),
    (
      "#!/bin/lua\n\u{1B}Lua", "bot.lua:2: unexpected symbol near '<\\27>'"
    ),
  ])
  func `a text that is no Lua names its line`(script: String, expected: String) throws {
    let machine = try Scripted()
    let error = #expect(throws: LuaError.self) { try machine.run(script) }
    #expect(error?.code == .syntax)
    #expect(error?.source == "bot.lua")
    #expect(error?.description == expected)
  }

  @Test func `a compiled module is refused by its name`() throws {
    let outcome = try Scripted().run("return host.load('\\27Lua', 'lib/x.lua')")
    let refusal = "lib/x.lua: this is compiled Lua (bytecode), which is never run: name the file of its text"
    #expect(outcome.values == "[null,\"\(refusal)\"]")
  }

  @Test func `a script too long for its budget is named, though it has no line yet`() throws {
    let machine = try Scripted(budget: LuaBudget(memory: 1 << 20, instructions: 1_000, patternSteps: 1_000))
    let long = "return '" + String(repeating: "x", count: 2_000) + "'"
    let error = #expect(throws: LuaError.self) { try machine.run(long) }
    #expect(error?.description == "bot.lua: the budget of 1,000 instructions a turn is spent")
  }

  @Test func `a huge message is cut, and says by how much`() throws {
    let error = try #require(try Scripted().run("error(('x'):rep(1e6))").error)
    #expect(error.message.utf8.count <= 2_000)
    #expect(error.message.hasSuffix("… (998050 more bytes)"))
  }

  @Test func `a byte order mark and a line for the shell are no matter`() throws {
    let machine = try Scripted()
    #expect(try machine.run("\u{FEFF}#!/usr/bin/env visitant\nerror('x')").error?.line == 2)
    #expect(try machine.run("#!/usr/bin/env visitant").values == "[]")
  }

  @Test func `a raised table stays a table`() throws {
    let outcome = try Scripted().run(
      "\nerror({code = 'no_chat', server_code = 'no-chat', message = 'There is no chat.'})")
    let error = try #require(outcome.error)
    #expect(error.code == .thrown)
    #expect(error.description == "bot.lua:2: There is no chat.")
    #expect(
      error.value
        == Array(#"{"code":"no_chat","message":"There is no chat.","server_code":"no-chat"}"#.utf8))
  }

  @Test func `a raised table without a message is named by its code, and functions in it are left out`()
    throws
  {
    let error = try #require(try Scripted().run("error({code = 'late', f = print, list = {1, print}})").error)
    #expect(error.description == "bot.lua:1: late")
    #expect(error.value == Array(#"{"code":"late","f":null,"list":[1,null]}"#.utf8))
  }

  @Test func `a raised table may say itself where it comes from`() throws {
    let script = """
      local function fail() error(setmetatable({source = 'lib/a.lua', line = 7}, {__tostring = function() return 'it' end})) end
      coroutine.wrap(fail)()
      """
    let error = try #require(try Scripted().run(script).error)
    #expect(error.description == "lib/a.lua:7: it")
    #expect(error.position == LuaPosition(source: "lib/a.lua", line: 7))
  }

  @Test(arguments: [
    "{__tostring = function() error('no') end}", "{__tostring = function() return {} end}",
    "{__index = function() error('no') end}", "{__name = {}}", "{__metatable = 1, __tostring = 7}",
    "{__tostring = function(t) error(t) end}", "{__tostring = function() ask('x') end}",
  ])
  func `an error object that resists is reported all the same`(metatable: String) throws {
    let error = try #require(try Scripted().run("\nerror(setmetatable({x = 1}, \(metatable)))").error)
    #expect(error.code == .thrown)
    #expect(error.line == 2)
    #expect(error.value == Array(#"{"x":1}"#.utf8))
    #expect(!error.message.isEmpty)
  }

  @Test func `a table that cannot be written is raised without its value`() throws {
    let error = try #require(try Scripted().run("local t = {message = 'm'} t.t = t error(t)").error)
    #expect(error.description == "bot.lua:1: m")
    #expect(error.value == nil)
  }

  @Test(arguments: [
    (
      "xpcall(function() error('a') end, function(m) return 'handled ' .. m end)",
      "[false,\"handled bot.lua:1: a\"]"
    ),
    ("xpcall(function() error('a') end, function(m) error('b') end)", "[false,\"error in error handling\"]"),
    ("xpcall(function(...) return ... end, print, 1, 2)", "[true,1,2]"),
    ("pcall(error)", "[false,null]"),
    ("pcall(error, {code = 1})", "[false,{\"code\":1}]"),
    ("select(2, pcall(xpcall))", "[\"bad argument #2 to '?' (function expected, got no value)\"]"),
    ("pcall(pcall)", "[false,\"bad argument #1 to '?' (value expected)\"]"),
    ("pcall(pcall, error, 'x')", "[true,false,\"x\"]"),
  ])
  func `errors are caught as in Lua`(expression: String, expected: String) throws {
    #expect(try Scripted.result(of: "return \(expression)") == expected)
  }

  @Test func `variables are closed on the way out, and may fail themselves`() throws {
    let script = """
      local function closing(name) return setmetatable({}, {__close = function(_, e) note(name, tostring(e)) end}) end
      local ok, e = pcall(function()
        local a <close> = closing('a')
        local b <close> = setmetatable({}, {__close = function() error('b', 0) end})
        local c <close> = closing('c')
        error('first', 0)
      end)
      local d <close> = closing('d')
      return ok, e
      """
    let outcome = try Scripted().run(script)
    #expect(outcome.values == #"[false,"b"]"#)
    #expect(outcome.notes == [#"["c","first"]"#, #"["a","b"]"#, #"["d","nil"]"#])
  }

  @Test func `variables of a failed turn are closed`() throws {
    let script = """
      local a <close> = setmetatable({}, {__close = function(_, e) note('closed', e) end})
      error('end', 0)
      """
    let outcome = try Scripted().run(script)
    #expect(outcome.error?.message == "end")
    #expect(outcome.notes == [#"["closed","end"]"#])
  }

  @Test func `closing coroutines inside each other comes to an end`() throws {
    let script = """
      local depth = 0
      function chain()
        local co = coroutine.create(function()
          local x <close> = setmetatable({}, {__close = function() depth = depth + 1 chain() end})
          coroutine.yield()
        end)
        coroutine.resume(co)
        return coroutine.close(co)
      end
      chain()
      return depth
      """
    #expect(try Scripted.result(of: script) == "[8]")
  }

  @Test func `a thousand failing turns leave nothing behind`() throws {
    let machine = try Scripted()
    let script = """
      local t = {} for i = 1, 100 do t[i] = {i} end
      local x <close> = setmetatable({}, {__close = function() end})
      pcall(ask, 'question')
      error({code = 'x', list = t})
      """
    func turn() throws {
      let error = try #require(try machine.run(script, answers: ["[1]"]).error)
      #expect(error.code == .thrown)
    }
    for _ in 0..<10 { try turn() }
    machine.state.collectGarbage()
    let before = machine.state.memoryInUse
    for _ in 0..<1000 { try turn() }
    machine.state.collectGarbage()
    #expect(machine.state.memoryInUse <= before + 1024)
  }
}
