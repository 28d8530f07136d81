import CLua
import Lua
import TestSupport
import Testing

struct PatternTests {
  /// Runs an expression and shows its results in a form that is the same under any Lua.
  static let driver = #"""
    local function show(ok, ...)
      local out = {}
      for i = 1, select("#", ...) do
        local v = select(i, ...)
        if type(v) == "string" then
          if not ok then v = v:gsub("^case:1: ", "") end
          v = '"' .. v:gsub('[%c"\128-\255\\]', function(c) return ("\\%d"):format(c:byte()) end) .. '"'
        end
        out[#out + 1] = tostring(v)
      end
      return (ok and "" or "error ") .. table.concat(out, " ")
    end
    function all(...)
      local out = {}
      for a, b in ... do out[#out + 1] = tostring(a) .. (b and ":" .. tostring(b) or "") end
      return table.concat(out, "|"), #out
    end
    local function run(text)
      local f, e = load("return " .. text, "=case")
      if not f then return e end
      return show(pcall(f))
    end

    """#

  static let cases = patternCases.split(separator: "\n").map { String($0) }

  @Test(arguments: cases)
  func `a pattern does what Lua's own library does`(line: String) throws {
    let cut = try #require(line.firstRange(of: " => "))
    let expression = String(line[..<cut.lowerBound])
    let outcome = try Scripted().run(Self.driver + "return run(...)", arguments: json([expression]))
    #expect(outcome.values == json([String(line[cut.upperBound...])]))
  }

  @Test(arguments: 0..<20)
  func `random patterns do what Lua's own library does`(seed: Int) throws {
    var random = SeededGenerator(seed: UInt64(seed))
    let ours = try Scripted()
    let theirs = try StockLua(Self.driver + "return run")
    for _ in 0..<100 {
      let expression = randomCall(&random)
      let outcome = try ours.run(Self.driver + "return run(...)", arguments: json([expression]))
      let expected = theirs.call(expression)
      #expect(outcome.values == json([expected]), "\(expression)")
    }
  }

  @Test func `the host's own search finds, fails and gives up`() throws {
    func find(_ pattern: String, _ text: String, steps: Int = 1000) throws(LuaError) -> Range<Int>? {
      var steps = steps
      return try LuaPattern.find(Array(pattern.utf8), in: Array(text.utf8), steps: &steps)
    }
    #expect(try find("l+", "hello") == 2..<4)
    #expect(try find("^l+", "hello") == nil)
    #expect(try find("", "") == 0..<0)
    var steps = 100
    #expect(try LuaPattern.find([0x6c], in: Array("hello".utf8), from: 3, steps: &steps) == 3..<4)
    #expect(steps == 98)
    #expect(try LuaPattern.find([0x6c], in: [], from: 1, steps: &steps) == nil)
    #expect(try LuaPattern.matches("%d+", "order 66", steps: &steps))
    let malformed = #expect(throws: LuaError.self) { try find("[", "x") }
    #expect(malformed?.message == "malformed pattern (missing ']')")
    let spent = #expect(throws: LuaError.self) {
      try find(String(repeating: "a*", count: 9) + "b", String(repeating: "a", count: 40), steps: 100_000)
    }
    #expect(spent?.budget == .patterns)
    #expect(spent?.message == "the budget of 100,000 pattern steps a match is spent")
  }

  @Test(arguments: [
    ("(", "unfinished capture at byte 1"), ("a(b", "unfinished capture at byte 2"),
    ("((a)", "unfinished capture at byte 1"), ("(()", "unfinished capture at byte 1"),
    (")", "invalid pattern capture at byte 1"), ("(a))", "invalid pattern capture at byte 4"),
    ("ab%", "malformed pattern (ends with '%') at byte 3"),
    ("x[a", "malformed pattern (missing ']') at byte 2"),
    ("[]", "malformed pattern (missing ']') at byte 1"), ("[^]", "malformed pattern (missing ']') at byte 1"),
    ("%b", "malformed pattern (missing arguments to '%b') at byte 1"),
    ("a%b(", "malformed pattern (missing arguments to '%b') at byte 2"),
    ("%f", "missing '[' after '%f' in pattern at byte 1"),
    ("%fa", "missing '[' after '%f' in pattern at byte 1"),
    ("%f[a", "malformed pattern (missing ']') at byte 1"),
    ("%1", "invalid capture index %1 at byte 1"), ("(a%1)", "invalid capture index %1 at byte 3"),
    ("(a)%2", "invalid capture index %2 at byte 4"), ("%0", "invalid capture index %0 at byte 1"),
    (String(repeating: "()", count: 33), "too many captures at byte 65"),
  ])
  func `a malformed pattern is known before there is a text`(pattern: String, complaint: String) {
    let error = #expect(throws: LuaError.self) { try LuaPattern.check(Array(pattern.utf8)) }
    #expect(error?.message == complaint)
  }

  @Test(
    arguments: [
      "", "^", "$", "^$", "a$b", "()", "(a)(b)%2%1", "[]]", "[^]]", "[]-a]", "%b()", "%b((", "%f[%w]", "*",
      "%(",
      "%%", "[%]]", "(a*(.)%w(%s*))", "a%", "%f[^%s]x",
    ].filter { $0 != "a%" })
  func `a pattern that can be matched is let through`(pattern: String) {
    #expect(throws: Never.self) { try LuaPattern.check(Array(pattern.utf8)) }
  }

  @Test(arguments: 0..<20)
  func `what passes the check is never malformed for Lua's own library`(seed: Int) throws {
    var random = SeededGenerator(seed: UInt64(seed))
    let theirs = try StockLua(Self.driver + "return run")
    for _ in 0..<200 {
      let pattern = randomPattern(&random)
      guard (try? LuaPattern.check(Array(pattern.utf8))) != nil else { continue }
      let subject = randomText(&random, of: Array("aab(b). %-x1"), upTo: 12)
      let answer = theirs.call("(\(quoted(subject))):find(\(quoted(pattern)))")
      #expect(!answer.hasPrefix("error "), "\(pattern): \(answer)")
    }
  }

  // MARK: - Random calls

  private func randomCall(_ random: inout SeededGenerator) -> String {
    let subject = randomText(&random, of: Array("aab(b). %-x1"), upTo: 12)
    let pattern = randomPattern(&random)
    let start = Int.random(in: -3...6, using: &random)
    switch Int.random(in: 0..<5, using: &random) {
    case 0: return "(\(quoted(subject))):find(\(quoted(pattern)), \(start))"
    case 1: return "(\(quoted(subject))):match(\(quoted(pattern)), \(start))"
    case 2: return "all((\(quoted(subject))):gmatch(\(quoted(pattern))))"
    case 3: return "(\(quoted(subject))):find(\(quoted(pattern)), \(start), true)"
    default:
      let replacement = ["'<%0>'", "'%1'", "'%2%%'", "{a = 'A', b = false}", "string.upper"]
      return
        "(\(quoted(subject))):gsub(\(quoted(pattern)), \(replacement.randomElement(using: &random) ?? ""))"
    }
  }

  private func randomPattern(_ random: inout SeededGenerator) -> String {
    let parts = [
      "a", "b", ".", "%a", "%d", "%s", "%p", "%W", "[ab]", "[^a]", "[%w.]", "[a-z]", "[]]", "%b()", "%f[%a]",
      "(", ")", "()", "%1", "%2", "*", "+", "-", "?", "^", "$", "%", "[", "]", "%%", "%.", "x", "(a)", "(.-)",
    ]
    let count = Int.random(in: 0...7, using: &random)
    return (0..<count).map { _ in parts.randomElement(using: &random) ?? "" }.joined()
  }

  private func randomText(
    _ random: inout SeededGenerator, of letters: [Character], upTo most: Int
  ) -> String {
    let count = Int.random(in: 0...most, using: &random)
    return String((0..<count).map { _ in letters.randomElement(using: &random) ?? "a" })
  }

  private func quoted(_ text: String) -> String {
    "\"" + text.flatMap { $0 == "\"" || $0 == "\\" ? "\\\($0)" : "\($0)" } + "\""
  }
}

/// Strings as a JSON array, written as the bridge writes them.
func json(_ strings: [String]) -> String {
  let quoted = strings.map { string in
    let escaped = string.unicodeScalars.map { scalar in
      scalar == "\"" || scalar == "\\" ? "\\\(scalar)" : "\(scalar)"
    }
    return "\"\(escaped.joined())\""
  }
  return "[\(quoted.joined(separator: ","))]"
}

/// Lua with its own library and no sandbox, as the measure of ours. Nothing in it raises past `lua_pcallk`.
final class StockLua {
  private let lua: OpaquePointer

  /// - Parameter script: Returns the function that ``call(_:)`` calls.
  init(_ script: String) throws {
    lua = try #require(luaL_newstate())
    luaL_openlibs(lua)
    try #require(luaL_loadbufferx(lua, script, script.utf8.count, "=bot.lua", "t") == LUA_OK)
    try #require(lua_pcallk(lua, 0, 1, 0, 0, nil) == LUA_OK)
  }

  deinit {
    lua_close(lua)
  }

  func call(_ text: String) -> String {
    lua_pushvalue(lua, 1)
    lua_pushstring(lua, text)
    lua_pcallk(lua, 1, 1, 0, 0, nil)
    defer { lua_settop(lua, 1) }
    return lua_tolstring(lua, -1, nil).map { String(cString: $0) } ?? "nothing"
  }
}
