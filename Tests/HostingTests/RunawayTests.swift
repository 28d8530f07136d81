import Hosting
import Lua
import Rehearsal
import Script
import Testing

/// A script that runs away, in one of a hundred visitors.
struct RunawayTests {
  private static let good = """
    return function(visitor)
      visitor:say("hello")
      visitor:expect_message{ text = "hello to you", within = 5 }
    end
    """

  private static let desk = """
    return function(desk)
      desk:operator{ id = "anna", name = "Anna" }
      desk:on_chat(function(chat)
        chat:accept("anna")
        chat:say("hello to you")
      end)
    end
    """

  @Test(arguments: [
    ("return function(visitor)\n  visitor:say(\"x\")\n  while true do end\nend", 3, "instructions"),
    (
      "return function(visitor)\n  local t = {}\n  for i = 1, math.huge do\n    t[i] = { i }\n  end\nend",
      4, "memory"
    ),
    (
      "return function(visitor)\n  local s = (\"a\"):rep(40)\n  return s:find((\"a*\"):rep(12) .. \"b\")\nend",
      3, "pattern steps"
    ),
    (
      "return {\n  on_message = function(visitor, message)\n    pcall(function()\n      error({ deep = true })\n    end)\n"
        + "    local t = nil\n    return t.field\n  end,\n  run = function(visitor)\n    visitor:say(\"x\")\n    visitor:sleep(5)\n  end\n}",
      7, "nil value"
    ),
    (
      "return function(visitor)\n  while true do\n    pcall(function() while true do end end)\n  end\nend", 3,
      "instructions"
    ),
    (
      "return function(visitor)\n  local x <close> = setmetatable({}, { __close = function() while true do end end })\n"
        + "  while true do end\nend", 3, "instructions"
    ),
    ("return function(visitor)\n  while true do local feed = visitor.messages end\nend", 2, "words"),
    (
      "return function(visitor)\n  for i = 1, 30 do visitor:say((\"m\"):rep(2000)) end\n"
        + "  while true do local feed = visitor.messages end\nend", 3, "words"
    ),
    (
      "return function(visitor)\n  while true do pcall(visitor.press, visitor, \"x\", \"y\") end\nend", 2,
      "words"
    ),
  ])
  func `one of a hundred dies with its line named, and ninety-nine finish`(
    bad: String, line: Int, word: String
  ) throws {
    let stage = try Stage(desk: Self.desk)
    for index in 1...100 { stage.visit(index == 42 ? bad : Self.good) }
    #expect(stage.run())
    for index in 1...100 where index != 42 { #expect(stage.outcomes[index] == .finished) }
    let outcome = try #require(stage.outcomes[42])
    #expect(outcome.status == 107)
    guard case .failed(let failure) = outcome else { return }
    #expect(failure.position?.line == line)
    #expect(failure.message.contains(word))
  }
}
