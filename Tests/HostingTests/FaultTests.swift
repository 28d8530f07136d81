import Chat
import Hosting
import Lua
import Rehearsal
import Script
import TestSupport
import Testing

/// A service that stumbles in the middle of the conversation: the conversation ends the same.
struct FaultTests {
  private static let bot = """
    return function(visitor)
      visitor:say("one")
      local first = visitor:expect_message{ text = "first", within = 30 }
      local menu = visitor:expect_keyboard{ within = 30 }
      visitor:press(menu, "Go on")
      visitor:expect_message{ text = "second", within = 30 }
      visitor:reply(first, "two")
      visitor:expect_message{ text = "third", within = 30 }
      while true do
        local question = visitor:wait_question{ within = 5 }
        if not question then break end
        visitor:answer_survey(question.type == "comment" and "fine" or 1)
      end
      visitor:rate_operator(4)
      visitor:say("three")
      visitor:expect_message{ text = "fourth", within = 30 }
      visitor:expect_nothing_else{ within = 1 }
    end
    """

  private static func desk(_ trouble: String) -> String {
    """
    return function(desk)
      desk:operator{ id = "anna", name = "Anna" }
      desk:on_chat(function(chat)
        chat:wait_message{ text = "one", within = 600 }
        chat:accept("anna")
        chat:say("first")
        chat:keyboard{ { "Go on", id = "on" } }
        chat:wait_press{ within = 600 }
        \(trouble)
        chat:say("second")
        chat:wait_message{ text = "two", within = 600 }
        chat:say("third")
        chat:survey{ { form = "f", questions = {
          { type = "stars", text = "How?" }, { type = "comment", text = "Else?" } } } }
        chat:wait_survey{ within = 600 }
        chat:wait_message{ text = "three", within = 600 }
        chat:say("fourth")
      end)
    end
    """
  }

  private static let expected = [
    "visitor: one", "operator: first", "keyboard: ", "operator: second",
    "visitor: two", "operator: third", "visitor: three", "operator: fourth",
  ]

  /// Trouble, and how many requests it spoils; nil where that is the client's patience to say.
  @Test(
    arguments: [
      ("desk:offline(30)", nil),
      (#"desk:fault{ on = "delta", times = 5, status = 502 }"#, 5),
      (#"desk:fault{ on = "delta", times = 5, body = "no JSON at all" }"#, 5),
      (#"desk:fault{ on = "delta", times = 5, cut = true }"#, 5),
      (
        #"desk:fault{ on = "delta", error = "reinit-required", times = 1 } "#
          + #"desk:fault{ on = "init", times = 5, body = "<html>" }"#, 6
      ),
      (#"desk:fault{ on = "delta", times = 3, error = "reinit-required" }"#, 3),
      (#"desk:fault{ on = "action", times = 4, status = 502 }"#, 4),
      (#"desk:fault{ on = "action", times = 4, drop = "after_accept" }"#, 4),
      (#"desk:fault{ on = "action", times = 4, drop = "before" }"#, 4),
      (#"desk:fault{ on = "action", times = 3, error = "reinit-required" }"#, 3),
      (#"desk:fault{ on = "action", times = 3, error = "server-not-ready" }"#, 3),
      (#"desk:fault{ on = "action", chance = 0.5, times = 9, drop = "after_accept", seed = 5 }"#, nil),
      (#"desk:fault{ on = "delta", times = 3, delay = 5 }"#, 3),
      ("for _, visitor in ipairs(desk.visitors) do desk:reinit(visitor) end desk:offline(2)", nil),
    ] as [(String, Int?)])
  func `trouble in the middle changes nothing of the conversation`(trouble: String, spoiled: Int?) throws {
    let stage = try Stage(desk: Self.desk(trouble))
    stage.visit(Self.bot)
    #expect(stage.run())
    #expect(stage.outcomes[1] == .finished)
    let spoken = stage.spoken.map { $0.hasPrefix("keyboard: ") ? "keyboard: " : $0 }
    #expect(spoken.filter { !$0.hasPrefix("info") } == Self.expected)
    #expect(stage.service.statistics.ratings.map(\.stars) == [4])
    #expect(stage.service.statistics.surveyAnswers.map(\.answer) == ["1", "fine"])
    let struck = stage.service.statistics.spoiled
    #expect(struck > 0 && struck == spoiled ?? struck)
    #expect(stage.service.failure == nil)
  }

  /// A loss in the middle of other losses: what an action without a client id is compared with must be newer
  /// than it.
  @Test(arguments: 1...20)
  func `a rating whose answer is lost among slow inits and broken histories is given once`(seed: Int) throws {
    var random = SeededGenerator(seed: UInt64(seed))
    let delay = Double.random(in: 0...4, using: &random)
    let offline = Double.random(in: 0...2, using: &random)
    let histories = Int.random(in: 0...3, using: &random)
    let closing = Bool.random(using: &random) ? "chat:close()" : ""
    let stage = try Stage(
      desk: """
        return function(desk)
          desk:operator{ id = "anna", name = "Anna" }
          desk:on_chat(function(chat)
            chat:wait_message{ text = "one", within = 600 }
            chat:accept("anna")
            chat:say("first")
            desk:fault{ on = "init", delay = \(delay), times = 2 }
            desk:fault{ on = "history", status = 502, times = \(max(1, histories)) }
            desk:fault{ on = "chat.operator_rate_select", drop = "after_accept", times = 2 }
            chat:wait_rating{ within = 600 }
            desk:offline(\(offline))
            \(closing)
          end)
        end
        """)
    stage.visit(
      """
      return function(visitor)
        visitor:say("one")
        visitor:expect_message{ text = "first", within = 30 }
        visitor:rate_operator(4)
        visitor:sleep(20)
      end
      """)
    #expect(stage.run())
    #expect(stage.outcomes[1] == .finished)
    #expect(stage.service.statistics.ratings.map(\.stars) == [4])
  }

  @Test func `a service that never answers is given up after the time to connect`() throws {
    let stage = try Stage(desk: "return function(desk) desk:offline(1000) end")
    stage.visit(Self.bot)
    #expect(stage.run())
    let outcome = try #require(stage.outcomes[1])
    #expect(outcome.status == 3)
    #expect(abs((stage.reports.last?.at ?? 0) - 1_700_000_030) < 0.5)
  }

  @Test(arguments: ["provided-auth-token-not-found", "reinit-required", "server-not-ready"])
  func `a service that refuses each init is given up with its word`(word: String) throws {
    let stage = try Stage(desk: "return function(desk) desk:fault{ on = \"init\", error = \"\(word)\" } end")
    stage.visit(Self.bot)
    #expect(stage.run())
    let outcome = try #require(stage.outcomes[1])
    #expect(outcome.status == 3)
    #expect(outcome == .unreachable("http://memory: \(word), for 30 s"))
    let told = stage.reports.filter { if case .event(.notFatalError(_)) = $0.what { true } else { false } }
    #expect(told.count == 1)
  }

  @Test func `what is no service of ours is told so at once`() throws {
    let stage = try Stage(
      desk: #"return function(desk) desk:fault{ on = "init", body = "<html>Welcome</html>" } end"#)
    stage.visit(Self.bot)
    #expect(stage.run())
    let error = SessionError(code: .initializationFailed, serverCode: "an answer that is no JSON object")
    #expect(stage.outcomes[1] == .ended(error))
    #expect((stage.reports.last?.at ?? .infinity) < 1_700_000_001)
  }

  @Test func `history that takes its time holds no action`() throws {
    let stage = try Stage(desk: "return function(desk) desk:fault{ on = \"history\", delay = 40 } end")
    stage.visit(
      """
      return function(visitor)
        for i = 1, 3 do visitor:say("message " .. i) end
      end
      """)
    #expect(stage.run())
    #expect(stage.outcomes[1] == .finished)
    #expect(stage.service.statistics.messages.map(\.text) == ["message 1", "message 2", "message 3"])
    #expect((stage.reports.last?.at ?? .infinity) < 1_700_000_010)
  }
}
