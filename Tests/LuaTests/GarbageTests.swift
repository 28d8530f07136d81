import Lua
import TestSupport
import Testing

struct GarbageTests {
  static let budget = LuaBudget(memory: 1 << 20, instructions: 50_000, patternSteps: 50_000)

  private static let words = [
    "local", "function", "end", "if", "then", "else", "while", "do", "for", "in", "repeat", "until", "return",
    "break",
    "goto", "a", "b", "x", "f", "t", "_ENV", "self", "nil", "true", "false", "...", "=", "==", "~=", "<",
    "<=", "(", ")",
    "{", "}", "[", "]", ",", ";", ".", ":", "::", "..", "+", "-", "*", "/", "//", "%", "^", "#", "&", "|",
    "~", "<<",
    ">>", "not", "and", "or", "1", "0", "2.5", "1e308", "0x7fffffffffffffff", "'s'", "\"%d\"", "[[long]]",
    "--", "<close>",
    "<const>", "string", "table", "pcall", "error", "setmetatable", "coroutine", "wrap", "yield", "rep",
    "gsub", "ask",
    "pairs", "next", "load", "tostring", "\n",
  ]

  @Test(arguments: 0..<40)
  func `random words never do harm`(seed: Int) throws {
    var random = SeededGenerator(seed: UInt64(seed))
    for _ in 0..<100 {
      let count = Int.random(in: 1...30, using: &random)
      let text = (0..<count).map { _ in Self.words.randomElement(using: &random) ?? "" }.joined(
        separator: " ")
      try runWhatever(Array(text.utf8))
    }
  }

  @Test(arguments: 0..<10)
  func `random bytes never do harm`(seed: Int) throws {
    var random = SeededGenerator(seed: UInt64(seed))
    for _ in 0..<100 {
      let count = Int.random(in: 0...60, using: &random)
      try runWhatever((0..<count).map { _ in UInt8.random(in: 0...255, using: &random) })
    }
  }

  /// Statements that are valid, and each a trap of some kind.
  private static let statements = [
    "local a <close> = setmetatable({}, {__close = function(_, e) error(e) end})",
    "local b <close> = setmetatable({}, {__close = function() ask(1) end})",
    "pcall(error, setmetatable({}, {__tostring = error}))",
    "x = setmetatable({}, {__index = function(t, k) return t[k] end})",
    "pcall(function() return x.y end)",
    "x = coroutine.wrap(function(...) for i = 1, 3 do coroutine.yield(i, ...) end end)",
    "pcall(x, x)", "t = setmetatable(t or {}, {__len = function() return 1e9 end, __index = t})", "t = {}",
    "t[#t + 1] = t",
    "pcall(table.sort, {3, 1, 2}, function(a, b) return a end)", "pcall(table.insert, t, 1, 1)",
    "pcall(table.concat, t)",
    "pcall(string.rep, 'x', 1 << 40)", "s = (s or 'a'):gsub('a', 'aa')", "s = ('x'):rep(100000)",
    "pcall(string.format, '%s', t)",
    "xpcall(error, function(m) error(m) end)", "xpcall(function() local z <close> = 1 end, print)",
    "pcall(function() error() end)", "ask(t)", "pcall(ask, 1)", "pcall(ask, print)", "note(1)",
    "print(t, x, s)",
    "pcall(load, function() error('l') end)", "pcall(load(('('):rep(300)) or error)",
    "for k in pairs(_G) do _G[k] = _G[k] end",
    "x = coroutine.create(function() pcall(coroutine.yield) ask(2) error('y') end)",
    "pcall(coroutine.resume, x)",
    "pcall(coroutine.close, x)", "pcall(setmetatable, _G, {})", "pcall(next, t, {})",
    "pcall(host.json_encode, t)",
    "pcall(host.json_decode, s)", "host.freeze(t)", "pcall(rawset, t, 1, 1)", "pcall(function() t.z = 1 end)",
    "local function deep() return 1 + deep() end pcall(deep)", "for i = 1, 20000 do t[i] = {} end", "t = nil",
    "pcall(string.find, ('a'):rep(50), ('a*'):rep(10) .. 'b')", "error({code = 'x'})", "error(t)",
    "return t, x, print",
    "host.keep(print)", "pcall(host.release, 4)", "coroutine.wrap(coroutine.wrap(function() ask(3) end))()",
  ]

  @Test(arguments: 0..<60)
  func `random statements never do harm`(seed: Int) throws {
    var random = SeededGenerator(seed: UInt64(seed))
    for _ in 0..<40 {
      let count = Int.random(in: 1...25, using: &random)
      let lines = (0..<count).map { _ in
        let statement = Self.statements.randomElement(using: &random) ?? ""
        return statement.hasPrefix("return") || statement.hasPrefix("local")
          ? "do \(statement) end" : statement
      }
      try runWhatever(Array(lines.joined(separator: "\n").utf8), drops: Bool.random(using: &random))
    }
  }

  /// Runs a script in a state of its own. Whatever comes of it is fine, but a neighbour must not notice, and
  /// the state must say the same each time once it is dead.
  private func runWhatever(_ script: [UInt8], drops: Bool = false) throws {
    let machine = try Scripted(budget: Self.budget)
    guard let function = try? machine.state.load(script, name: "bot.lua") else { return }
    var turn = machine.state.start(function, Array("[1,{\"a\":[]}]".utf8))
    for _ in 0..<5 {
      guard case .asks(let coroutine, _, _) = turn else { break }
      if drops {
        machine.state.drop(coroutine)
        break
      }
      turn = machine.state.resume(coroutine, Array("[1]".utf8))
    }
    _ = machine.state.takeNotes()
    machine.state.collectGarbage()
    #expect(machine.state.memoryInUse <= Self.budget.memory + (4 << 20))
    guard case .failed(_, let error) = turn, error.code == .budget else { return }
    guard case .failed(_, let again) = machine.state.start(function, Array("[]".utf8)) else {
      Issue.record("a dead state ran")
      return
    }
    #expect(again == error)
  }
}

struct MemoryTests {
  @Test func `a state with its libraries is small`() throws {
    let bare = try LuaState(budget: .run, seed: 1)
    let scripted = try Scripted()
    print("a Lua state: \(bare.memoryInUse) bytes; with a small prelude: \(scripted.state.memoryInUse)")
    #expect(bare.memoryInUse < 24 << 10)
  }

  @Test func `a waiting coroutine is small`() throws {
    let machine = try Scripted()
    let function = try machine.state.load(Array("local visitor = ... ask('sleep', 1)".utf8), name: "bot.lua")
    _ = machine.state.start(function, Array("[1]".utf8))
    machine.state.collectGarbage()
    let before = machine.state.memoryInUse
    for _ in 0..<100 { _ = machine.state.start(function, Array("[1]".utf8)) }
    machine.state.collectGarbage()
    let each = (machine.state.memoryInUse - before) / 100
    print("a waiting coroutine: \(each) bytes")
    #expect(each < 2048)
  }

  @Test func `waiting again and again leaves nothing behind`() throws {
    let machine = try Scripted()
    let function = try machine.state.load(
      Array("while true do local a = ask('x', {1, 2, {k = 'v'}}, function() end) host.release(a) end".utf8),
      name: "bot.lua")
    var turn = machine.state.start(function, Array("[]".utf8))
    var before = 0
    for round in 0..<3000 {
      guard case .asks(let coroutine, let request, _) = turn else {
        Issue.record("it should wait")
        return
      }
      if round == 100 {
        machine.state.collectGarbage()
        before = machine.state.memoryInUse
      }
      let text = String(decoding: request, as: UTF8.self)
      let id = text.firstMatch(of: #/\$function":(\d+)/#)?.1 ?? "0"
      turn = machine.state.resume(coroutine, Array("[\(id)]".utf8))
    }
    machine.state.collectGarbage()
    #expect(machine.state.memoryInUse <= before + 512)
  }
}
