import Lua
import Testing

struct AskTests {
  @Test func `a request crosses with its line, and its answer comes back`() throws {
    let script = "\nlocal a, b, c = ask('send', {text = 'hi', n = 1}, nil, 2.5)\nreturn c, b, a"
    let outcome = try Scripted().run(script, answers: [#"["x",null,{"deep":[1,{"k":true}]}]"#])
    #expect(outcome.asked == [#"["send",{"n":1,"text":"hi"},null,2.5]"#])
    #expect(outcome.lines == [LuaPosition(source: "bot.lua", line: 2)])
    #expect(outcome.values == #"[{"deep":[1,{"k":true}]},null,"x"]"#)
  }

  /// Scripts that ask from an odd place: each must return what was answered.
  @Test(arguments: [
    "return ask()",
    "return select(2, pcall(ask))",
    "return select(2, pcall(pcall, ask)) and select(3, pcall(pcall, ask))",
    "return select(2, xpcall(ask, print))",
    "return coroutine.wrap(ask)()",
    "return select(2, coroutine.resume(coroutine.create(ask)))",
    "return coroutine.wrap(function() return coroutine.wrap(function() return ask() end)() end)()",
    "return coroutine.wrap(function() return select(2, pcall(coroutine.wrap(function() return ask() end))) end)()",
    "local co = coroutine.wrap(function() coroutine.yield(ask()) end) return co()",
    "local co = coroutine.wrap(function(a) local b = ask() local c = coroutine.yield(b) return c end) co(1) return co(7)",
    "for v in function(_, c) if c == nil then return ask() end end do return v end",
    "for v in coroutine.wrap(function() coroutine.yield(ask()) end) do return v end",
    "return setmetatable({}, {__index = function() return ask() end}).x",
    "return setmetatable({}, {__call = function() return ask() end})()",
    "return setmetatable({}, {__add = function() return ask() end}) + 1",
    "return setmetatable({}, {__concat = function() return ask() end}) .. 'x'",
    "return -setmetatable({}, {__unm = function() return ask() end})",
    "return #setmetatable({}, {__len = function() return ask() end})",
    "local v local t = setmetatable({}, {__newindex = function() v = ask() end}) t.x = 1 return v",
    "local v local t = setmetatable({}, {__eq = function() v = ask() return true end}) local _ = t == setmetatable({}, getmetatable(t)) return v",
    "local v do local x <close> = setmetatable({}, {__close = function() v = ask() end}) end return v",
    "local v pcall(function() local x <close> = setmetatable({}, {__close = function() v = ask() end}) error('x') end) return v",
    "for k, v in pairs(setmetatable({}, {__pairs = function() return function(_, c) if not c then return ask() end end end})) do return k end",
    "return load('return ask()')()",
    "local f = load('local a = ... return a()') return f(ask)",
  ])
  func `asking works from wherever a coroutine can wait`(script: String) throws {
    let answers = [String](repeating: "[7]", count: 4)
    let outcome = try Scripted().run(script, answers: answers)
    #expect(outcome.values == "[7]")
    #expect(outcome.error == nil)
    #expect(!outcome.asked.isEmpty)
  }

  @Test(arguments: [
    ("table.sort({2, 1}, function() ask('send') end)", "send cannot wait inside sort"),
    ("('x'):gsub('x', function() ask('send') end)", "send cannot wait inside gsub"),
    (
      "tostring(setmetatable({}, {__tostring = function() ask('send') end}))",
      "send cannot wait inside tostring"
    ),
    ("load(function() ask('send') end)", nil),
    ("xpcall(error, function() ask('send') end)", nil),
    (
      "for _ in ipairs(setmetatable({}, {__index = function() ask('send') end})) do end",
      "send cannot wait inside for iterator"
    ),
    (
      "table.sort({2, 1}, function() coroutine.wrap(function() ask('send') end)() end)",
      "send cannot wait inside table.sort, string.gsub or another function that calls back"
    ),
    (
      "coroutine.close(select(2, coroutine.resume(coroutine.create(function() return coroutine.running() end))))",
      nil
    ),
  ])
  func `where a coroutine cannot wait, it is told why`(script: String, complaint: String?) throws {
    let outcome = try Scripted().run(script, answers: ["[1]"])
    #expect(outcome.asked == [])
    if let complaint {
      #expect(
        outcome.error?.description.replacing("iterator 'for iterator'", with: "iterator")
          == "bot.lua:1: \(complaint)")
    }
  }

  @Test func `a coroutine that waits for the host cannot be resumed or closed by another`() throws {
    let machine = try Scripted()
    let waits = try machine.state.load(
      Array("co = coroutine.create(function() return ask('a') end) return coroutine.resume(co)".utf8),
      name: "bot.lua")
    let turn = machine.state.start(waits, Array("[]".utf8))
    guard case .asks(let coroutine, _, _) = turn else {
      Issue.record("it should wait")
      return
    }
    let other = try machine.run(
      "return coroutine.status(co), select(2, coroutine.resume(co)), pcall(coroutine.close, co)")
    #expect(
      other.values
        == #"["normal","cannot resume a coroutine that waits for an answer",false,"cannot close a normal coroutine"]"#
    )
    let outcome = machine.finish(machine.state.resume(coroutine, Array("[5]".utf8)), answers: [])
    #expect(outcome.values == "[true,5]")
  }

  @Test func `coroutines of the host wait side by side`() throws {
    let machine = try Scripted()
    let script = try machine.state.load(Array("local n = ... return ask(n) + n".utf8), name: "bot.lua")
    var waiting: [Int32] = []
    for n in 0..<100 {
      guard case .asks(let coroutine, let request, _) = machine.state.start(script, Array("[\(n)]".utf8))
      else {
        Issue.record("it should wait")
        return
      }
      #expect(request == Array("[\(n)]".utf8))
      waiting.append(coroutine)
    }
    #expect(Set(waiting).count == 100)
    for (n, coroutine) in waiting.enumerated().reversed() {
      #expect(
        machine.state.resume(coroutine, Array("[\(1000 * n)]".utf8))
          == .finished(coroutine: coroutine, values: Array("[\(1001 * n)]".utf8)))
    }
  }

  @Test func `a coroutine that was dropped, or never was, cannot be resumed`() throws {
    let machine = try Scripted()
    let script = """
      local x <close> = setmetatable({}, {__close = function() note('closed') end})
      local y <close> = setmetatable({}, {__close = function() ask('late') end})
      ask('question')
      """
    let function = try machine.state.load(Array(script.utf8), name: "bot.lua")
    guard case .asks(let coroutine, _, _) = machine.state.start(function, Array("[]".utf8)) else {
      Issue.record("it should wait")
      return
    }
    machine.state.drop(coroutine)
    machine.state.drop(coroutine)
    machine.state.drop(99)
    #expect(machine.state.takeNotes() == [Array(#"["closed"]"#.utf8)])
    for id in [coroutine, 99, -1, 0] {
      guard case .failed(id, let error) = machine.state.resume(id, Array("[]".utf8)) else {
        Issue.record("\(id) should not wait")
        continue
      }
      #expect(error.message == "no coroutine \(id) waits")
    }
  }

  @Test func `an answer that is no JSON fails the turn, not the host`() throws {
    let outcome = try Scripted().run("ask()", answers: ["nonsense"])
    #expect(outcome.error?.message == "JSON, byte 1: an array was expected")
  }

  @Test func `errors as tables are caught across waits`() throws {
    let state = try Scripted()
    try state.state.loadPrelude(
      Array(
        """
        host.sandbox.send = function(text)
          local ok, value = host.ask('send', text)
          if ok then return value end
          local _, source, line = host.position()
          error(setmetatable({code = value, source = source, line = line}, {__tostring = function(e) return 'send: ' .. e.code end}))
        end
        return {}
        """.utf8), name: "bot")
    let script = """
      local ok, e = pcall(send, 'a')
      note(ok, e.code, e.line, tostring(e))

      send('b')
      """
    let outcome = try state.run(script, answers: [#"[false,"no_chat"]"#, #"[false,"banned"]"#])
    #expect(outcome.notes == [#"[false,"no_chat",1,"send: no_chat"]"#])
    #expect(outcome.error?.description == "bot.lua:4: send: banned")
    #expect(outcome.error?.value == Array(#"{"code":"banned","line":4,"source":"bot.lua"}"#.utf8))
  }

  @Test func `functions cross as references, and come back as functions`() throws {
    let machine = try Scripted()
    let outcome = try machine.run("x = 5 return {handler = function(n) return x + n end}, host.keep(print)")
    let values = try #require(outcome.values)
    let parts = try #require(values.wholeMatch(of: #/\[\{"handler":\{"\$function":(\d+)\}\},(\d+)\]/#))
    let reference = LuaReference(id: try #require(Int32(parts.1)))
    let started = machine.finish(machine.state.start(reference, Array("[2]".utf8)), answers: [])
    #expect(started.values == "[7]")
    let called = machine.finish(
      machine.state.start(prelude: "call", Array("[{\"$function\":\(reference.id)},3]".utf8)), answers: [])
    #expect(called.values == "[8]")
    machine.state.release(reference)
    machine.state.release(reference)
    let gone = machine.finish(machine.state.start(reference, Array("[]".utf8)), answers: [])
    #expect(gone.error?.message == "no function is kept under \(reference.id)")
    let absent = machine.finish(
      machine.state.start(prelude: "call", Array("[{\"$function\":\(reference.id)}]".utf8)), answers: [])
    #expect(absent.error?.message.hasSuffix("no such function is kept") == true)
  }

  /// Each way on which the host hands a stranger's data over, with the script that gives the data back as
  /// `data`.
  enum Way: CaseIterable {
    case argument, firstAnswer, answer, field

    func carry(_ data: String, _ script: String) throws -> Scripted.Outcome {
      let machine = try Scripted()
      switch self {
      case .argument: return try machine.run("local _, data = ... \(script)", arguments: "[0,\(data)]")
      case .firstAnswer: return try machine.run("local data = ask(1)[1] \(script)", answers: ["[[\(data)]]"])
      case .answer: return try machine.run("local _, data = ask(1) \(script)", answers: ["[true,\(data)]"])
      case .field:
        try machine.state.assign(preludeValue: "state", Array("{\"data\":\(data)}".utf8), merge: true)
        return try machine.run("local data = host.prelude.state.data \(script)")
      }
    }
  }

  @Test(arguments: Way.allCases)
  func `data that looks like a function stays data`(way: Way) throws {
    for id in [-1, 0, 1, 2, 999] {
      let outcome = try way.carry(#"{"$function":\#(id)}"#, "return type(data), data['$function']")
      #expect(outcome.values == #"["table",\#(id)]"#)
    }
  }

  @Test(arguments: Way.allCases, [("[", "]"), (#"{"x":"#, "}")])
  func `data that is nested too deep is cut, and fits into the script's own tables`(
    way: Way, brackets: (String, String)
  ) throws {
    let count = 900
    let data =
      String(repeating: brackets.0, count: count) + #""[\"}{""# + String(repeating: brackets.1, count: count)
    let script = """
      local depth, value = 0, data
      while type(value) == 'table' do depth, value = depth + 1, value[1] or value.x end
      ask({{{{ data }}}})
      return depth > 55 and depth < 65, value, #host.json_encode({ data }) > 55
      """
    #expect(try way.carry(data, script).values == "[true,null,true]")
    let shallow = try way.carry("[[[7,[8]]]]", "return data")
    #expect(shallow.values == "[[[[7,[8]]]]]")
  }

  @Test func `what a script decodes itself is too deep for an error`() throws {
    let script = "return pcall(host.json_decode, ('['):rep(101) .. (']'):rep(101))"
    #expect(try Scripted.result(of: script).contains("nested over 100 deep"))
  }

  @Test(arguments: [
    "ask({['$function'] = 1})", "ask({x = {['$function'] = 'x'}})", "return {['$function'] = 1}",
    "ask({{print}})", "return {x = {y = print}}",
  ])
  func `nothing of a script's passes for a function but a function`(script: String) throws {
    let outcome = try Scripted().run(script)
    #expect(outcome.asked == [])
    #expect(outcome.error?.message.hasSuffix("cannot be handed over") == true)
    #expect(
      try Scripted.result(of: "return host.json_encode({['$function'] = 1})") == #"["{\"$function\":1}"]"#)
  }

  @Test func `what lies deeper in an argument is data, whatever it looks like`() throws {
    let outcome = try Scripted().run(
      "local message = ... return type(message.data), message.data['$function']",
      arguments: #"[{"data":{"$function":1}}]"#)
    #expect(outcome.values == #"["table",1]"#)
  }

  @Test(arguments: [
    ("ask(coroutine.create(print))", "argument 1: a coroutine cannot be handed over"),
    (
      "ask('send', {text = {x = coroutine.create(print)}})",
      "argument 2.text.x: a coroutine cannot be handed over"
    ),
    (
      "ask({1, 2, x = 3})",
      "argument 1: a table that is a list and has named members too cannot be handed over"
    ),
    ("ask(0/0)", "argument 1: a number that is none (nan) cannot be handed over"),
    ("local t = {} t[1] = t ask(t)", "argument 1[1]: a table inside itself cannot be handed over"),
    ("return coroutine.create(print)", "result 1: a coroutine cannot be handed over"),
  ])
  func `what cannot cross is named by its path`(script: String, complaint: String) throws {
    let outcome = try Scripted().run(script)
    #expect(outcome.error?.message == complaint)
  }
}
