import Bot
import Chat
import Dialects
import Hosting
import Lua
import Rehearsal
import Script
import Testing
import Transport

/// From the socket to Lua and back.
struct CircleTests {
  @Test func `the main job's conversation is whole in memory`() throws {
    let stage = try Stage()
    stage.visit(try bot("first_visit"))
    #expect(stage.run())
    #expect(stage.outcomes[1] == .finished)
    let statistics = stage.service.statistics
    #expect(statistics.ratings.map(\.stars) == [5])
    #expect(statistics.surveyAnswers.map(\.answer) == ["5", "1", "All clear, thank you."])
    #expect(statistics.presses.count == 1)
    let checks = stage.reports.compactMap {
      if case .check(_, let passed, _) = $0.what { passed } else { nil }
    }
    #expect(checks == [true, true])
  }

  @Test func `the same over sockets, several bots side by side`() async throws {
    let host = try RehearsalHost(desk: .builtIn, seed: 1)
    let shard = Shard(name: "test")
    let names = ["first_visit", "rater", "quoter", "survey_filler", "button_walker", "silent_visitor"]
    var specs: [VisitSpec] = []
    for (index, name) in names.enumerated() {
      var spec = VisitSpec(
        visitor: name, bot: BotSource(name: "bots/\(name).lua", text: Array(try bot(name).utf8)),
        account: host.url, seed: UInt64(index), salt: UInt64(index) << 40, deviceID: "device-\(index)")
      spec.index = index + 1
      specs.append(spec)
    }
    let ends = AsyncStream<(Int, VisitOutcome)> { continuation in
      shard.begin(
        specs, options: LinkOptions(), store: nil,
        files: { ScriptFiles(project: ".", script: $0.bot.name) }, report: { _ in },
        ended: { continuation.yield(($0.index, $1)) })
    }
    var outcomes: [Int: VisitOutcome] = [:]
    for await (index, outcome) in ends {
      outcomes[index] = outcome
      if outcomes.count == specs.count { break }
    }
    for (index, name) in names.enumerated() { #expect(outcomes[index + 1] == .finished, "\(name)") }
    shard.stop()
    #expect(host.stop().failure == nil)
  }

  @Test func `a refusal is raised with the service's word, and pcall catches it`() throws {
    let stage = try Stage()
    stage.visit(
      """
      return function(visitor)
        local fine, err = pcall(visitor.rate_operator, visitor, 5)
        visitor:log("%s %s %s %s", tostring(fine), err.code, err.server_code, err.action)
        visitor:rate_operator(5)
      end
      """)
    #expect(stage.run())
    #expect(stage.logs == ["false no_chat no-chat rate_operator"])
    let outcome = try #require(stage.outcomes[1])
    #expect(outcome.status == 1)
    guard case .failed(let failure) = outcome else {
      Issue.record("\(outcome)")
      return
    }
    #expect(failure.position?.line == 4)
  }

  @Test func `a script goes on after destroy, and its actions are refused`() throws {
    let stage = try Stage()
    stage.visit(
      """
      return function(visitor)
        visitor:say("Hello")
        visitor:destroy()
        local fine, err = pcall(visitor.say, visitor, "more")
        visitor:log("%s %s", fine, err.code)
        visitor:sleep(0.2)
        visitor:log("%s %s", visitor:wait_message{ text = "never", within = 1 })
      end
      """)
    #expect(stage.run(within: 10))
    #expect(stage.logs == ["false session_destroyed", "nil timeout"])
    #expect(stage.outcomes[1] == .finished)
    #expect(!stage.spoken.contains { $0.hasSuffix("more") })
  }

  @Test(arguments: [
    ("desk:ban(visitor)", SessionError.Code.visitorBanned),
    ("desk:block()", .accountBlocked),
    ("desk:expire(visitor)", .providedVisitorFieldsExpired),
  ])
  func `a service that ends the visit gives status 4`(command: String, code: SessionError.Code) throws {
    let stage = try Stage(
      desk: """
        return function(desk)
          desk:on_chat(function(chat)
            local visitor = chat.visitor
            \(command)
          end)
        end
        """)
    stage.visit(
      """
      return {
        run = function(visitor) visitor:say("hello") visitor:sleep(60) end,
        on_fatal_error = function(visitor, err) visitor:log(err.code) end,
      }
      """)
    #expect(stage.run())
    #expect(stage.service.failure == nil)
    #expect(stage.outcomes[1]?.status == 4)
    #expect(stage.logs == [code.rawValue])
  }

  @Test func `an edit of a message that nobody knows says nothing anew`() throws {
    let stage = try Stage(desk: "return function(desk) desk:on_chat(function(chat) chat:sleep(60) end) end")
    stage.visit(
      """
      return function(visitor)
        local message = visitor:say("one")
        local fine, err = pcall(visitor.edit, visitor, "nobody knows it", "two")
        visitor:log("%s %s", tostring(fine), err.code)
      end
      """)
    #expect(stage.run())
    #expect(stage.logs == ["false message_not_found"])
    #expect(stage.spoken == ["visitor: one"])
  }

  @Test func `the script knows the visitor's fields from its first line`() throws {
    let stage = try Stage()
    stage.visit(
      """
      return function(visitor)
        visitor:log("%s %s %s", tostring(visitor.id ~= nil), visitor.online_status, tostring(visitor.connected))
      end
      """)
    #expect(stage.run())
    #expect(stage.logs == ["true online true"])
  }

  @Test func `a visit waits for the coroutines that it has spawned`() throws {
    let stage = try Stage()
    stage.visit(
      """
      return function(visitor)
        visitor:spawn(function()
          visitor:sleep(20)
          visitor:log("spawned")
        end)
      end
      """)
    #expect(stage.run())
    #expect(stage.logs == ["spawned"])
    #expect(stage.outcomes[1] == .finished)
  }

  @Test func `an interrupted visit closes its chat first`() throws {
    let stage = try Stage(
      desk: "return function(desk) desk:on_chat(function(chat) chat:wait_close{ within = 600 } end) end")
    let visitor = stage.visit(Stage.spec("return function(visitor) visitor:say('hi') visitor:sleep(600) end"))
    stage.loop.advance(by: 5)
    visitor?.interrupt()
    #expect(stage.run(within: 20))
    #expect(stage.outcomes[1] == .interrupted)
    #expect(stage.service.statistics.chatsClosed == 1)
  }

  private static let spoken =
    "return function(desk) desk:on_chat(function(chat) chat:wait_close{ within = 600 } end) end"

  /// What a bot does when its visit is interrupted, and what the desk has then seen of it.
  @Test(arguments: [
    ("visitor:say('bye')", ["hi", "bye"], 1),
    ("visitor:say('bye') visitor:sleep(2) visitor:say('bye bye')", ["hi", "bye", "bye bye"], 1),
    ("visitor:close_chat()", ["hi"], 1),
    ("error('no')", ["hi"], 1),
    ("visitor:say('bye') visitor:sleep(600)", ["hi", "bye"], 1),
    ("visitor:destroy()", ["hi"], 0),
  ])
  func `an interrupted visit closes its chat behind the bot's last words`(
    words: String, said: [String], closed: Int
  ) throws {
    let stage = try Stage(desk: Self.spoken)
    let visitor = stage.visit(
      Stage.spec(
        "return { on_stop = function(visitor) \(words) end,"
          + " run = function(visitor) visitor:say('hi') visitor:sleep(600) end }"))
    stage.loop.advance(by: 5)
    visitor?.interrupt()
    #expect(stage.run(within: 35))
    #expect(stage.outcomes[1] == .interrupted)
    let statistics = stage.service.statistics
    #expect(statistics.messages.filter { $0.kind == "visitor" }.map(\.text) == said)
    #expect(statistics.chatsClosed == closed && statistics.chatsStarted == 1)
  }

  @Test func `last words after the chat open one that is closed again`() throws {
    let stage = try Stage(desk: Self.spoken)
    let visitor = stage.visit(
      Stage.spec(
        "return { on_stop = function(visitor) visitor:say('bye') end,"
          + " run = function(visitor) visitor:sleep(600) end }"))
    stage.loop.advance(by: 5)
    visitor?.interrupt()
    #expect(stage.run(within: 20))
    #expect(stage.outcomes[1] == .interrupted)
    #expect(stage.service.statistics.chatsStarted == 1 && stage.service.statistics.chatsClosed == 1)
  }

  @Test func `a visit that takes too long ends with status 1`() throws {
    let stage = try Stage()
    var limits = VisitLimits()
    limits.visit = 20
    stage.visit("return function(visitor) visitor:sleep(100) end", limits: limits)
    #expect(stage.run())
    #expect(stage.outcomes[1] == .timeLimit(20, connected: true))
  }
}
