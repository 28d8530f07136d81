import Bot
import Script
import Testing

/// What a script gives a wait in the wrong shape must be refused: a filter that is not looked at lets a test
/// pass that cannot fail.
struct WaitShapeTests {
  private static let wrongFilters = [
    "'text', 5", "{ { from = 'operator' } }", "{ 'operator' }", "{ 1 }", "{ 1, within = 0.1 }",
    "{ within = 0.1, [1] = {} }", "true", "false", "5", "{}, { 5 }", "{}, { { within = 5 } }", "{}, 5",
    "{}, 'x'", "{}, true",
    "{}, function() end", "{}, { withn = 5 }", "{ [true] = 1 }", "{}, { within = 'soon' }", "{ within = -1 }",
    "{}, { within = 5 }, 5",
  ]

  private static let wrongLists = [
    "{}", "nil", "5", "true", "'x'", "function() end", "{ { { from = 'operator' } } }", "{ { 'operator' } }",
    "{ 'operator' }", "{ true }", "{ {}, true }", "{ 5 }", "{ {}, nil, {} }", "{ nil, {} }",
    "{ {}, [5] = {} }",
    "{ {}, [1.5] = {} }", "{ {}, [0] = {} }", "{ {}, withn = 5 }", "{ {}, within = 'soon' }",
    "{ {} }, { within = 5 }", "{ {} }, 5", "{ {} }, nil, 5",
    "(function() local l = {} for i = 1, 65 do l[i] = {} end return l end)()",
  ]

  private static let wrongOptions = [
    "{ 1, within = 0.1 }", "{ { within = 0.1 } }", "5", "true", "'x'", "function() end", "{ withn = 5 }",
    "{ within = 'soon' }", "{}, {}", "{}, 5", "nil, { within = 5 }", "{}, nil, 5",
  ]

  private static let wrongConditions = [
    "nil", "true", "{}", "'x'", "never, 5", "never, true", "never, { 5 }", "never, never",
    "never, { withn = 5 }",
    "never, { within = 5 }, 5",
  ]

  /// A word with each list of arguments that it must refuse.
  private static let cases: [(word: String, arguments: String)] = {
    let words = Vocabulary.bot.methods.filter { $0.hasPrefix("wait_") || $0.hasPrefix("expect_") }
    return words.flatMap { word in
      switch word.split(separator: "_", maxSplits: 1).last {
      case "any_of", "in_any_order", "none_of": wrongLists.map { (word, $0) }
      case "nothing_else": wrongOptions.map { (word, $0) }
      case "until": wrongConditions.map { (word, $0) }
      // After the event's name there is place for a filter only.
      case "for":
        (wrongFilters.dropFirst() + ["{}, { within = 5 }", "{}, {}"]).map { (word, "'message', \($0)") }
      default: wrongFilters.map { (word, $0) }
      }
    }
  }()

  @Test func `a wait in the wrong shape is refused at once`() throws {
    for (word, arguments) in Self.cases {
      let code = """
        local function never() return false end
        local fine, problem = pcall(visitor.\(word), visitor, \(arguments))
        visitor:log("%s", fine and "taken" or type(problem) == "table" and problem.code or problem)
        """
      var stage = try Stage(run: code)
      let outcome = stage.start().logs.first ?? "waits"
      let isRefused =
        ["bad_argument", "unknown_option"].contains(outcome) || outcome.hasPrefix("bots/test.lua:")
        || outcome.hasSuffix("cannot be handed over")
      #expect(isRefused, "\(word)(\(arguments)): \(outcome)")
    }
    #expect(Self.cases.count > 300)
  }

  @Test(arguments: [
    (
      "wait_message{ { from = 'operator' } }",
      "wait_message: the table has names, such as { within = 5 }, not places in a list"
    ),
    ("expect_any_of{ {}, nil, {} }", "expect_any_of: the list of filters has a hole before place 3"),
    ("expect_any_of{}", "expect_any_of: a list of 1 to 64 filters expected, got 0"),
    ("expect_nothing_else({}, {})", "expect_nothing_else: one argument too many"),
    ("wait_message(true)", "wait_message: a filter is a table or a function, not a boolean"),
  ])
  func `and the refusal says how it goes`(call: String, message: String) throws {
    var stage = try Stage(run: "visitor:\(call)")
    #expect(
      stage.start().failure?.message.contains(message) == true, "\(stage.effects.failure?.message ?? "")")
  }

  @Test func `a list of filters takes as many as there may be, with names beside them`() throws {
    var stage = try Stage(
      run: """
        local list = { within = 3 }
        for i = 1, 64 do list[i] = { text = "t" .. i } end
        local message, which = visitor:expect_any_of(list)
        visitor:log("%s %d", message.text, which)
        """)
    #expect(stage.start().contains(.setTimer(request: 1, after: 3)))
    #expect(stage.event(added("t64")).logs == ["t64 64"])
  }
}
