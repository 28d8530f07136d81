import Hosting
import Lua
import Rehearsal
import Script
import Store
import TestSupport
import Testing
import Transport

/// The main job, cut off at every single commit and resumed: whatever had been kept, the desk sees one
/// conversation.
struct ResumeTests {
  /// What the desk must have seen, however often the visitor's process died.
  private struct Seen: Equatable {
    var messages: [String]
    var ratings: [Int]
    var answers: [String]
  }

  private static func seen(_ stage: Stage) -> Seen {
    let statistics = stage.service.statistics
    return Seen(
      messages: statistics.messages.filter { $0.kind == "visitor" }.map(\.text),
      ratings: statistics.ratings.map(\.stars), answers: statistics.surveyAnswers.map(\.answer))
  }

  /// When the process dies, counted in commits.
  private enum Death: Equatable {
    case never
    /// Before anything that the commit lets out is sent.
    case at(Int)
    /// After that was sent, when the next commit is due.
    case after(Int)
  }

  /// Runs a bot that dies once and is resumed, until it ends.
  private static func run(_ text: String, dying death: Death) throws -> (stage: Stage, commits: Int) {
    let stage = try Stage()
    var spec = Stage.spec(text)
    let last =
      switch death {
      case .never: Int.max
      case .at(let count), .after(let count): count
      }
    let journal = MemoryJournal(beginning: spec, loop: stage.loop, killingAfter: last)
    stage.visit(spec, journal: journal)
    stage.loop.runUntil(within: 600) {
      if case .at(let count) = death, journal.commits == count { return true }
      return stage.outcomes[1] != nil || journal.isSpent
    }
    guard stage.outcomes[1] == nil else { return (stage, journal.commits) }
    stage.kill(1)
    spec.stored = journal.stored
    spec.salt &+= 1
    stage.visit(spec, journal: MemoryJournal(journal.stored, loop: stage.loop))
    stage.run()
    return (stage, journal.commits)
  }

  @Test func `a visit killed after any commit ends as if nothing had happened`() throws {
    let text = try bot("first_visit")
    let whole = try Self.run(text, dying: .never)
    #expect(whole.stage.outcomes[1] == .finished)
    let expected = Self.seen(whole.stage)
    #expect(expected.messages.count == 3 && expected.ratings == [5] && expected.answers.count == 3)
    #expect(whole.commits > 20)
    for commit in 1..<whole.commits {
      for death in [Death.at(commit), .after(commit)] {
        let (stage, _) = try Self.run(text, dying: death)
        #expect(stage.outcomes[1] == .finished, "\(death)")
        #expect(Self.seen(stage) == expected, "\(death)")
      }
    }
  }

  @Test func `the state is that of the last commit, and the script is told that it was resumed`() throws {
    let text = """
      return function(visitor)
        visitor.state.steps = 0
        for i = 1, 3 do
          visitor:say("message " .. i)
          visitor.state.steps = visitor.state.steps + 1
          visitor:sleep(1)
        end
        visitor:log("%d steps, resumed: %s", visitor.state.steps, tostring(visitor.resumed))
      end
      """
    let whole = try Self.run(text, dying: .never)
    #expect(whole.stage.logs == ["3 steps, resumed: false"])
    for death in 2..<whole.commits - 1 {
      let (stage, _) = try Self.run(text, dying: .after(death))
      #expect(stage.logs == ["3 steps, resumed: true"], "killed after commit \(death)")
    }
  }

  @Test func `a script that leaves its journal fails with status 107 and the line`() throws {
    let stage = try Stage()
    var spec = Stage.spec("return function(visitor)\n  visitor:say(\"one\")\n  visitor:sleep(60)\nend")
    let journal = MemoryJournal(beginning: spec, loop: stage.loop, killingAfter: .max)
    stage.visit(spec, journal: journal)
    stage.loop.advance(by: 30)
    stage.kill(1)
    spec.stored = journal.stored
    spec.bot.text = Array("return function(visitor)\n  visitor:close_chat()\nend".utf8)
    stage.visit(spec)
    let outcome = try #require(stage.outcomes[1])
    #expect(outcome.status == 107)
    guard case .failed(let failure) = outcome else { return }
    #expect(failure.position?.line == 2)
    #expect(failure.message.contains("journal"))
  }

  private static let talk = """
    return function(desk)
      desk:operator{ id = "anna", name = "Anna" }
      desk:on_chat(function(chat)
        chat:accept("anna")
        for i = 1, 20 do chat:say("answer " .. i) end
        chat:wait_message{ text = "bye", within = 600 }
        chat:close()
      end)
    end
    """

  @Test func `what history told silently is there after a resume`() throws {
    let stage = try Stage(desk: Self.talk)
    // Two chats, so that a full update shows the later one and only history the other.
    let first = Stage.spec(
      """
      return function(visitor)
        for _ = 1, 2 do
          visitor:say("hi")
          visitor:expect_message{ text = "answer 20", within = 30 }
          visitor:say("bye")
          visitor:expect_chat_state("closed_by_operator", { within = 30 })
          visitor:close_chat()
        end
        visitor:sleep(5)
      end
      """)
    let earlier = MemoryJournal(beginning: first, loop: stage.loop, killingAfter: .max)
    stage.visit(first, journal: earlier)
    #expect(stage.run())
    #expect(stage.outcomes[1] == .finished)
    var spec = Stage.spec(
      """
      return function(visitor)
        local function look()
          visitor:log("%d, %s", #visitor:all_messages(), visitor:all_messages()[1].text)
        end
        look()
        visitor:sleep(60)
        look()
        visitor:last_messages(5)
        visitor:log("%d before the last 5", #visitor:next_messages(100))
      end
      """, index: 2)
    (spec.visitor, spec.deviceID) = (first.visitor, first.deviceID)
    spec.remembered = earlier.stored.memory
    let journal = MemoryJournal(beginning: spec, loop: stage.loop, killingAfter: .max)
    stage.visit(spec, journal: journal)
    stage.loop.advance(by: 30)
    stage.kill(2)
    spec.stored = journal.stored
    stage.visit(spec, journal: MemoryJournal(journal.stored, loop: stage.loop))
    #expect(stage.run() && stage.outcomes[2] == .finished)
    #expect(stage.logs == ["22, answer 1", "44, answer 1", "39 before the last 5"])
  }

  @Test func `a commit writes what has changed, however long the chat is`() throws {
    let stage = try Stage(
      desk: """
        return function(desk)
          desk:operator{ id = "anna", name = "Anna" }
          desk:on_chat(function(chat)
            chat:accept("anna")
            for i = 1, 300 do
              chat:typing(true)
              chat:say("answer " .. i)
              chat:sleep(1)
            end
            chat:close()
          end)
        end
        """)
    let spec = Stage.spec(
      "return function(v) v:say('hi') v:expect_message{ text = 'answer 300', within = 600 } end")
    let journal = MemoryJournal(beginning: spec, loop: stage.loop, killingAfter: .max)
    stage.visit(spec, journal: journal)
    #expect(stage.run(within: 1000) && stage.outcomes[1] == .finished)
    let tenth = journal.written.count / 10
    #expect(tenth > 60, "as many commits as there is news")
    let early = journal.written.dropFirst(tenth).prefix(tenth).reduce(0, +)
    let late = journal.written.dropLast(tenth).suffix(tenth).reduce(0, +)
    #expect(late < 2 * early)
  }

  @Test(arguments: ["", "visitor:sleep(5)"])
  func `a visit killed while it was ending for an interrupt ends when it is resumed`(words: String) throws {
    let stage = try Stage(
      desk: "return function(desk) desk:on_chat(function(chat) chat:wait_close{ within = 900 } end) end")
    var spec = Stage.spec(
      "return { on_stop = function(visitor) \(words) end,"
        + " run = function(visitor) visitor:say('hi') visitor:sleep(600) end }")
    let journal = MemoryJournal(beginning: spec, loop: stage.loop, killingAfter: .max)
    let visitor = stage.visit(spec, journal: journal)
    stage.loop.advance(by: 5)
    visitor?.interrupt()
    stage.kill(1)
    spec.stored = journal.stored
    stage.visit(spec, journal: MemoryJournal(journal.stored, loop: stage.loop))
    #expect(stage.run(within: 35))
    #expect(stage.outcomes[1] == .interrupted)
    #expect(stage.service.statistics.chatsClosed == 1)
  }
}
