import Bot
import Chat
import JSON
import Lua
import Script
import Testing

/// What a script can say, and what it is told when it cannot.
struct LanguageTests {
  @Test func `an action returns what the service answered`() throws {
    var stage = try Stage(
      run: """
        local sent = visitor:send("Hello", { hint_question = true, data = { a = { 1, 2 } } })
        visitor:log("%s %s", sent.id, visitor:close_chat())
        """)
    let call = try #require(stage.start().calls.first)
    #expect(call.word == "send")
    #expect(call.arguments == ["Hello"])
    #expect(call["hint_question"] == true)
    #expect(call["data"] == ["a": [1, 2]])
    #expect(call.position == LuaPosition(source: Stage.name, line: 2))
    #expect(stage.settle(["id": "c-1"]).words == ["close_chat"])
    #expect(stage.settle(.null).logs == ["c-1 nil"])
  }

  @Test func `a refusal is a table that pcall catches, across the wait`() throws {
    var stage = try Stage(
      run: """
        local fine, problem = pcall(function() visitor:rate_operator(5) end)
        visitor:log("%s %s %s %s", fine, problem.code, problem.server_code, problem.action)
        visitor:log(tostring(problem))
        """)
    stage.start()
    #expect(
      stage.refuse("operator_not_in_chat", server: "operator-not-in-chat", action: "rate_operator").logs == [
        "false operator_not_in_chat operator-not-in-chat rate_operator",
        "bots/test.lua:2: rate_operator: operator_not_in_chat (the service said \"operator-not-in-chat\")",
      ])
    #expect(stage.effects.isFinished)
  }

  @Test func `a huge message of an error is cut wherever it comes from`() throws {
    let codes = [
      "error(('x'):rep(1e5))", "error({ code = 'mine', message = ('x'):rep(1e5) })",
      "error({ code = 'mine', action = 'x', message = ('x'):rep(1e5) })", "local _ = visitor[('x'):rep(1e5)]",
      "visitor:send('x')", "local f = \"return '\" .. ('x'):rep(1e5) .. '\\n' error(select(2, load(f)))",
    ]
    for code in codes {
      var stage = try Stage(run: code)
      stage.start()
      if stage.effects.failure == nil {
        stage.refuse("unknown", server: String(repeating: "x", count: 100_000))
      }
      let failure = try #require(stage.effects.failure)
      #expect(failure.description.utf8.count < 2_100, "\(code)")
      #expect(failure.message.contains(" more bytes)"), "\(code)")
    }
  }

  @Test func `a refusal that nobody catches fails the visit with status one`() throws {
    var stage = try Stage(run: "\nvisitor:rate_operator(5)")
    stage.start()
    let failure = try #require(stage.refuse("no_chat", action: "rate_operator").failure)
    #expect(failure.kind == .service)
    #expect(failure.description == "bots/test.lua:3: rate_operator: no_chat")
  }

  @Test func `coroutines go on while an action waits`() throws {
    var stage = try Stage(
      run: """
        visitor:spawn(function() visitor:log("other") end)
        visitor:say("x")
        visitor:log("done")
        """)
    #expect(stage.start().logs == ["other"])
    #expect(stage.settle().logs == ["done"])
  }

  @Test(arguments: [
    ("visitor:sya('x')", "visitor has no \"sya\"; did you mean \"say\"?"),
    ("return visitor.chatState", "visitor has no \"chatState\"; did you mean \"chat_state\"?"),
    (
      "visitor:getUnreadByVisitorMessageCount()",
      "visitor has no \"getUnreadByVisitorMessageCount\"; did you mean \"unread_by_visitor_message_count\"?"
    ),
    ("visitor:say()", "say: text: text expected, got nil"),
    (
      "visitor:say('x', { hnt_question = true })",
      "say: unknown option \"hnt_question\"; did you mean \"hint_question\"?"
    ),
    ("visitor.say('x')", "call it with a colon: visitor:say(…)"),
    ("visitor.name = 'x'", "visitor.name cannot be set; visitor.state is the script's own"),
    ("visitor.state = 5", "visitor.state is a table, not a number"),
    ("visitor:send_file('x.png')", "send_file: this version does not know it yet"),
    ("visitor:on('mesage', print)", "on: there is no event \"mesage\"; did you mean \"message\"?"),
    ("visitor:on('message', 5)", "on: a function expected, got number"),
    ("visitor:spawn()", "spawn: a function expected, got nil"),
    ("visitor:sleep('x')", "sleep: seconds, 0 or more, expected, got string"),
    ("visitor:sleep(-1)", "sleep: seconds, 0 or more, expected, got -1"),
    ("visitor:think('x')", "think: number expected, got string"),
    ("visitor:check(nil, true)", "check: string expected, got nil"),
    ("visitor:step('x')", "step: function expected, got nil"),
    (
      "visitor:metric('x', 1, { unti = 's' })", "metric: unknown option \"unti\"; did you mean \"unit\"?"
    ),
    ("visitor:metric('x', 1, { 5 })", "metric: unknown option \"1\"; known are unit"),
    ("visitor:metric('x', 1, 's')", "metric: table expected, got string"),
    ("visitor:metric('x', 1, { unit = 5 })", "metric: string expected, got number"),
    (
      "visitant.visitor_fields{ fields = {}, key = 'k', expires_on = 5 }",
      "visitor_fields: unknown option \"expires_on\"; did you mean \"expires_in\"?"
    ),
    ("visitant.visitor_fields()", "visitor_fields: table expected, got nil"),
    ("error('plain')", "plain"),
    ("error({ code = 'mine' })", ""),
    ("local x = nil; x.y = 1", "attempt to index a nil value (local 'x')"),
    ("visitor:say(print)", "say: text: text expected, got function"),
  ])
  func `a mistake is told with its line`(code: String, message: String) throws {
    var stage = try Stage(run: code)
    let failure = try #require(stage.start().failure)
    if !message.isEmpty { #expect(failure.description == "bots/test.lua:2: \(message)") }
    #expect(failure.kind == .script)
    #expect(failure.position?.line == 2 || message.isEmpty)
  }

  @Test func `fields are what the host has set, and nil where it has not`() throws {
    var stage = try Stage(
      run: """
        visitor:log("%s %s %s", visitor.chat_state, visitor.operator.name, visitor.language)
        visitor:sleep(1)
        visitor:log("%s %s", visitor.chat_state, visitor.operator)
        """)
    stage.give(.fields(Array(#"{"chat_state":"queue","operator":{"name":"Anna"}}"#.utf8)))
    #expect(stage.start().logs == ["queue Anna nil"])
    stage.give(.fields(Array(#"{"chat_state":"closed","operator":null}"#.utf8)))
    #expect(stage.fireTimer().logs == ["closed nil"])
  }

  @Test func `no metatable of the host's comes into a script's hands`() throws {
    var stage = try Stage(
      run: """
        local function look(name, value)
          local kind = type(getmetatable(value))
          if kind ~= "boolean" and kind ~= "nil" then visitor:log("%s: %s", name, kind) end
        end
        look("visitor", visitor)
        look("state", visitor.state)
        for name, value in pairs(visitant) do look(name, value) end
        visitor:on("any", function(_, event)
          look("event", event)
          look("its message", event.message)
        end)
        look("message", visitor:wait_message(function(m) look("judged message", m) return true end))
        local _, problem = pcall(visitor.wait_message, visitor, 5)
        look("error", problem)
        local _, problem = pcall(visitor.say, visitor, 5)
        look("refusal", problem)
        for _, m in ipairs(visitor.messages) do look("a message", m) end
        visitor:log("looked")
        """)
    stage.start()
    stage.event(added("Hello", id: "c-1"))
    stage.settle([["id": "c-1", "send_status": "sent"]])
    #expect(stage.effects.logs == ["looked"])
  }

  @Test(arguments: [
    "visitor:spawn{ ['$function'] = 1 }", "visitor:on('message', { ['$function'] = 1 })",
    "visitor:say('x', { data = { ['$function'] = 1 } })", "visitor:say('x', { data = { f = print } })",
    "visitor:answer_survey({ f = print })", "visitor:answer_survey(print)",
    "visitor:reply({ id = 'c-1', f = print }, 'x')",
    "visitor:wait_message{ text = { ['$function'] = 1 } }",
  ])
  func `only a function is one, and no word takes it as a value`(code: String) throws {
    var stage = try Stage(
      run: """
        visitor:spawn(function() while true do visitor:log(visitor:wait_message().text) end end)
        local fine = pcall(function() \(code) end)
        visitor:log("%s", fine)
        visitor:sleep(1)
        """)
    #expect(stage.start().logs == ["false"])
    #expect(stage.effects.words == [])
    #expect(stage.event(added("Hello")).logs == ["Hello"])
  }

  @Test func `a stranger's data stops no visitor`() throws {
    var strange = message("Hello", id: "c-1")
    strange.data = String(repeating: "[", count: 1000) + String(repeating: "]", count: 1000)
    strange.raw = #"{"$function":1}"#
    var stage = try Stage(
      """
      return {
        on_message = function(visitor, m) visitor:log("%s %s", m.text, type(m.data)) end,
        on_location_settings = function(visitor, old, new) visitor:log("%s %s", new["$function"], type(new.deep)) end,
        run = function(visitor)
          local m = visitor:expect_message()
          visitor.state.last = { { { { m } } } }
          visitor:log("%s", m.raw["$function"])
          visitor:sleep(1)
        end,
      }
      """)
    stage.start()
    stage.event(.messageAdded(strange, previous: nil))
    stage.settle(["$function": 1])
    let settings = #"{"$function":1,"deep":\#(strange.data ?? "")}"#
    stage.event(.locationSettings(from: nil, to: settings))
    #expect(stage.effects.logs == ["Hello table", "1", "1 table"])
    #expect(stage.effects.failure == nil)
  }

  @Test func `a message knows what stood on the wire`() throws {
    var stage = try Stage(run: "visitor:log('%s', visitor:expect_message{}.raw.kind)")
    stage.start()
    let turn = stage.event(added("x"))
    #expect(turn.calls.first?.word == "raw")
    #expect(turn.calls.first?.arguments == ["m-x"])
    #expect(stage.settle(["kind": "operator"]).logs == ["operator"])
  }

  /// Each place in which a script meets a message.
  @Test(arguments: [
    "read(visitor:wait_message())", "read(visitor:wait_message(read))",
    "visitor:wait_message{} read(visitor.messages[1])",
    "visitor:on('message', function(_, m) read(m) end)",
    "visitor:on('message', function(_, _, m) read(m) end)",
    "visitor:on('any', function(_, e) read(e.message) end)",
    "visitor:on('any', function(_, e) read(e.previous) end)",
    "read((visitor:expect_any_of{ {} }))", "read((visitor:expect_any_of{ read }))",
    "read(visitor:expect_in_any_order{ {} }[1])", "read(visitor:expect_for('message'))",
    "read(visitor:say('x'))", "read(visitor:last_messages(1)[1])", "read(visitor:all_messages()[1])",
  ])
  func `a message has its raw form wherever a script meets it`(code: String) throws {
    var stage = try Stage(
      run: """
        local done
        local function read(message)
          if not done then visitor:log("%s", message.raw.kind) end
          done = true
          return true
        end
        \(code)
        visitor:sleep(1)
        """)
    stage.start()
    stage.event(.messageAdded(message("Hello", id: "c-1"), previous: message("Before", id: "c-0")))
    let told: JSONValue = ["id": "c-1", "send_status": "sent"]
    for _ in 0..<3 {
      guard let call = stage.effects.calls.last else { break }
      let isList = call.word == "messages" || call.word.hasSuffix("_messages")
      stage.settle(call.word == "raw" ? ["kind": "wire"] : isList ? [told] : told)
    }
    #expect(stage.effects.logs == ["wire"])
  }

  @Test func `steps, checks and measures are told as they happen`() throws {
    var stage = try Stage(
      run: """
        local answer = visitor:step("greet", function(v)
          v:sleep(2)
          visitor:check("polite", true)
          return 42
        end)
        visitor:metric("answer", answer, { unit = "points" })
        visitor:check("wrong", answer == 1)
        visitor:log("100%")
        visitor:log("%d%%", 5)
        print("a", 1)
        """)
    let position = { LuaPosition(source: Stage.name, line: $0) }
    stage.start()
    let turn = stage.fireTimer()
    #expect(
      turn == [
        .check(name: "polite", passed: true, position(4)), .stepEnded(name: "greet", duration: 2),
        .metric(name: "answer", value: 42, unit: "points"), .check(name: "wrong", passed: false, position(8)),
        .log("100%", position(9)), .log("5%", position(10)), .log("a\t1", nil), .finished,
      ])
  }

  @Test func `an error passes through a step, whose time is noted`() throws {
    var stage = try Stage(run: "visitor:step('x', function()\nerror('inside')\nend)")
    let turn = stage.start()
    #expect(turn.contains(.stepEnded(name: "x", duration: 0)))
    #expect(turn.failure?.description == "bots/test.lua:3: inside")
  }

  @Test func `a think time lies between its bounds and is the seed's`() throws {
    func thought(_ seed: UInt64) throws -> Double {
      var stage = try Stage(run: "visitor:think(1, 3)", seed: seed)
      stage.start()
      return try #require(stage.timers.first?.after)
    }
    for seed in UInt64(1)...20 { #expect((1.0...3.0).contains(try thought(seed))) }
    #expect(try thought(7) == thought(7))
    #expect(try thought(7) != thought(8))
  }

  @Test func `now is the host's clock`() throws {
    var stage = try Stage(run: "visitor:sleep(1.5)\nvisitor:log('%.1f', visitor:now())")
    stage.start()
    #expect(stage.fireTimer().logs == ["1001.5"])
  }

  @Test func `waits work inside pcall, iterators, metamethods and the script's own coroutines`() throws {
    var stage = try Stage(
      run: """
        local function each(n)
          local i = 0
          return function()
            i = i + 1
            visitor:sleep(1)
            return i <= n and i or nil
          end
        end
        for i in each(2) do visitor:log("i %d", i) end
        local lazy = setmetatable({}, { __index = function(_, k) visitor:sleep(1) return k end })
        visitor:log(lazy.name)
        local inner = coroutine.wrap(function()
          visitor:sleep(1)
          coroutine.yield("yielded")
          visitor:sleep(1)
          return "returned"
        end)
        visitor:log(inner())
        visitor:log(inner())
        visitor:log("%s", pcall(table.sort, { 2, 1 }, function(a, b) visitor:sleep(1) return a < b end))
        """)
    stage.start()
    while !stage.timers.isEmpty, stage.effects.failure == nil { stage.fireTimer() }
    #expect(stage.effects.failure == nil)
    #expect(stage.effects.logs == ["i 1", "i 2", "name", "yielded", "returned", "false"])
  }
}

/// `visitant` and `require`.
struct ModuleTests {
  @Test func `require loads a module once, by the host`() throws {
    var stage = try Stage(
      """
      local greet = require("lib_greet")
      return function(visitor)
        visitor:log(greet.hello("Anna"))
        visitor:log("%s", require("lib_greet") == greet)
      end
      """)
    let turn = stage.start()
    #expect(turn.calls.first?.word == "module")
    #expect(turn.calls.first?.arguments == ["lib_greet"])
    let source = "return { hello = function(name) return 'Hello ' .. name end }"
    #expect(
      stage.settle(["source": .string(source), "path": "lib/lib_greet.lua"]).logs == ["Hello Anna", "true"])
  }

  @Test func `events that come while the file loads are told afterwards`() throws {
    var stage = try Stage(
      """
      require("m")
      return { on_message = function(visitor, message) visitor:log(message.text) end }
      """)
    stage.start()
    stage.event(added("early"))
    #expect(
      stage.give(.settled(request: 1, .success(Array(#"{"source":"","path":"m.lua"}"#.utf8)))).logs == [
        "early"
      ])
  }

  @Test func `a module that is not there, or is no Lua, fails with the line`() throws {
    var missing = try Stage("\nrequire('nothing')\nreturn function() end")
    missing.start()
    let failure = try #require(missing.refuse("module_not_found", action: "require").failure)
    #expect(failure.kind == .script)
    #expect(failure.position?.line == 2)

    var broken = try Stage("require('broken')\nreturn function() end")
    broken.start()
    let syntax = try #require(broken.settle(["source": "x =", "path": "lib/broken.lua"]).failure)
    #expect(syntax.position?.source == "lib/broken.lua", "\(syntax)")
  }

  @Test func `modules that require each other in a circle are told so`() throws {
    var stage = try Stage("require('a')\nreturn function() end")
    stage.start()
    stage.settle(["source": "require('b')", "path": "a.lua"])
    let failure = try #require(stage.settle(["source": "\nrequire('a')", "path": "b.lua"]).failure)
    #expect(failure.description == "b.lua:2: require: \"a\" requires itself, or has failed before")
  }

  @Test func `files and the environment are read by the host`() throws {
    var stage = try Stage(
      run: """
        visitor:log(visitant.read("data/x.txt"))
        visitor:log("%s", visitant.env("HOME"))
        local rows = visitant.csv("data/users.csv")
        visitor:log("%d %s", #rows, rows[2].name)
        """)
    #expect(stage.start().calls.first?.arguments == ["data/x.txt"])
    #expect(stage.settle("content").logs == ["content"])
    #expect(stage.settle(.null).logs == ["nil"])
    #expect(stage.settle("id,name\n1,Anna\n2,Boris\n").logs == ["2 Boris"])
  }

  @Test func `fields of a visitor are signed over their values in the order of their names`() throws {
    var stage = try Stage(
      run: """
        local json = visitant.visitor_fields{
          fields = { id = "42", display_name = "Anna" }, key = "secret", expires = 2000000000 }
        local signed = visitant.json.decode(json)
        visitor:log(signed.hash == visitant.hmac_sha256("secret", "Anna" .. "42" .. "2000000000"))
        visitor:log("%s %d", signed.fields.display_name, signed.expires)
        """)
    #expect(stage.start().logs == ["true", "Anna 2000000000"])
  }

  @Test func `the module is complete and cannot be changed`() throws {
    var stage = try Stage(
      run: """
        visitor:log(visitant.version)
        visitor:log("%d", #visitant.uuid())
        visitor:log(visitant.json.encode({ b = 1, a = { true } }))
        visitor:log(visitant.base64.decode(visitant.base64.encode("any")))
        visitor:log(visitant.sha256("abc"):sub(1, 8))
        visitor:log("%s", visitant.random(3) <= 3)
        visitor:log("%s", pcall(function() visitant.uuid = nil end))
        """)
    #expect(
      stage.start().logs
        == [ScriptRunner.version, "36", #"{"a":[true],"b":1}"#, "any", "ba7816bf", "true", "false"])
  }
}

/// `visitor.state`.
struct StateTests {
  @Test func `the state is told with each turn that has changed it`() throws {
    var stage = try Stage(
      run: """
        visitor:sleep(1)
        visitor.state.step = 1
        visitor:sleep(1)
        visitor:sleep(1)
        visitor.state.cart = { "a", { price = 1.5 } }
        visitor:sleep(1)
        visitor.state = { fresh = true }
        """)
    #expect(stage.start().states == [])
    #expect(stage.fireTimer().states == [#"{"step":1}"#])
    #expect(stage.fireTimer().states == [])
    #expect(stage.fireTimer().states == [#"{"cart":["a",{"price":1.5}],"step":1}"#])
    #expect(stage.fireTimer().states == [#"{"fresh":true}"#])
  }

  @Test(arguments: [
    ("visitor.state.f = print", "visitor.state.f"),
    ("visitor.state.list = { 1, { g = function() end } }", "visitor.state.list[2].g"),
    ("visitor.state.loop = visitor.state", "visitor.state.loop"),
  ])
  func `what cannot be kept is named by its path`(code: String, path: String) throws {
    var stage = try Stage(run: "\(code)\nvisitor:sleep(1)")
    let failure = try #require(stage.start().failure)
    #expect(failure.message.contains(path), "\(failure.message)")
    #expect(failure.kind == .script)
    #expect(failure.position?.line == 3)
  }
}

/// The end of a budget cannot be caught, and names itself and the line.
struct BudgetTests {
  private static let budget = LuaBudget(memory: 1 << 20, instructions: 2_000_000, patternSteps: 100_000)

  @Test(arguments: [
    ("while true do end", "instructions"),
    ("while true do pcall(function() while true do end end) end", "instructions"),
    ("local t = {} while true do t[#t + 1] = ('x'):rep(1000) end", "memory"),
    ("local t = {} while true do pcall(function() t[#t + 1] = ('x'):rep(1000) end) end", "memory"),
    ("return (('a'):rep(40)):find(('a*'):rep(10) .. 'b')", "pattern steps"),
    ("while true do visitor:on('message', print) end", "words"),
    ("while true do visitor:wait_message{ within = 0 } end", "words"),
    ("while true do visitor:wait_until(function() return true end) end", "instructions"),
    ("local function f() visitor:spawn(f) end f()", "words"),
  ])
  func `a runaway ends`(code: String, budget: String) throws {
    var stage = try Stage(run: code, budget: Self.budget)
    let failure = try #require(stage.start().failure)
    #expect(failure.kind == .budget)
    #expect(failure.message.contains(budget), "\(failure.message)")
    #expect(failure.message.hasPrefix("the ") && failure.message.contains("budget of "))
    #expect(failure.message.contains(" is spent"), "\(failure.message)")
    #expect(failure.position == LuaPosition(source: Stage.name, line: 2))
    #expect(failure.traceback.hasPrefix("bots/test.lua:2: in "), "\(failure.traceback)")
    #expect(stage.event(added("x")).isEmpty)
  }

  @Test(arguments: [
    #"local l = {} for i = 1, 64 do l[i] = { matches = ("a*"):rep(4) .. "b" } end visitor:expect_any_of(l)"#,
    #"local l = {} for i = 1, 64 do l[i] = { like = ("*a"):rep(9) .. "b" } end visitor:expect_in_any_order(l)"#,
    #"local l = {} for i = 1, 64 do l[i] = { contains = ("a"):rep(9000) .. "b" } end visitor:expect_none_of(l)"#,
    #"visitor:wait_message() while true do visitor:wait_keyboard{ like = "*b", after = "x", within = 0 } end"#,
    #"visitor:wait_message() while true do pcall(visitor.expect_message, visitor, { after = "m", text = "x", within = 0 }) end"#,
  ])
  func `filters that look at too much in a turn end it`(code: String) throws {
    var stage = try Stage(run: code, budget: Self.budget)
    stage.start()
    stage.event(added("zero", id: "m"))
    for _ in 0..<64 where stage.effects.failure == nil {
      stage.event(added(String(repeating: "a", count: 3000)))
    }
    let failure = try #require(stage.effects.failure)
    #expect(failure.kind == .budget)
    #expect(failure.position == LuaPosition(source: Stage.name, line: 2))
    #expect(stage.effects.last == .failed(failure))
  }

  @Test func `a spent turn of filters is told like any budget`() throws {
    var stage = try Stage(
      run: #"visitor:wait_message{ matches = ("a*"):rep(9) .. "b" }"#, budget: Self.budget)
    stage.start()
    let failure = try #require(stage.event(added(String(repeating: "a", count: 40))).failure)
    #expect(
      failure.description
        == "bots/test.lua:2: the budget of 100,000 pattern steps a turn is spent, by filters")
    #expect(failure.traceback.hasPrefix("bots/test.lua:2: in "))
  }

  @Test func `each turn has its steps anew`() throws {
    var stage = try Stage(
      run: #"for _ = 1, 50 do visitor:wait_message{ matches = ("a*"):rep(3) .. "b" } end"#,
      budget: Self.budget)
    stage.start()
    for _ in 0..<50 { stage.event(added(String(repeating: "a", count: 20) + "b"), after: 1) }
    #expect(stage.effects.isFinished)
  }

  @Test func `words are told like any budget, with commas, the line and the frames`() throws {
    var stage = try Stage(
      run: "local function f() while true do visitor:on('message', print) end end\nf()")
    let failure = try #require(stage.start().failure)
    #expect(failure.description == "bots/test.lua:2: the budget of 10,000 words a turn is spent")
    #expect(
      failure.traceback
        == """
        bots/test.lua:2: in local 'f'
        bots/test.lua:3: in local 'f'
        """)
  }

  @Test func `a condition that never rests ends too`() throws {
    var stage = try Stage(
      run: """
        for _ = 1, 2 do
          visitor:spawn(function()
            local seen = 0
            while true do
              visitor:wait_until(function() seen = seen + 1 return seen % 2 == 0 end)
            end
          end)
        end
        visitor:sleep(1)
        """, budget: Self.budget)
    #expect(stage.start().failure?.kind == .budget)
  }
}
