import Glibc
import Hosting
import Script
import Store
import TestSupport
import Testing
import Transport

/// What the journal of a visit holds of what its bot has read, and what a resume makes of it.
struct JournalTests {
  private let scratch = Scratch()

  /// Runs a bot that is killed when it has logged "now", and resumed; tells both.
  private static func killed(
    _ bot: String, desk: String? = nil, access: ScriptAccess = ScriptAccess(), meanwhile: () -> Void = {}
  ) throws -> (Stage, MemoryJournal) {
    let stage = try Stage(desk: desk)
    stage.access = access
    var spec = Stage.spec(bot)
    let journal = MemoryJournal(beginning: spec, loop: stage.loop, killingAfter: .max)
    stage.visit(spec, journal: journal)
    stage.loop.runUntil(within: 600) { stage.logs.contains("now") || stage.outcomes[1] != nil }
    try #require(stage.outcomes[1] == nil)
    stage.kill(1)
    meanwhile()
    spec.stored = journal.stored
    spec.salt &+= 1
    stage.visit(spec, journal: MemoryJournal(journal.stored, loop: stage.loop))
    stage.run()
    return (stage, journal)
  }

  private static let talkative = """
    return function(desk)
      desk:operator{ id = "anna", name = "Anna" }
      desk:on_chat(function(chat)
        chat:wait_message{ within = 600 }
        chat:accept("anna")
        for i = 1, 8 do chat:say("n" .. i .. (" text, текст, 文字"):rep(9)) end
        chat:wait_message{ text = "done", within = 600 }
      end)
    end
    """

  private static func reading(_ pause: String) -> String {
    """
    return function(visitor)
      visitor:say("one")
      visitor:sleep(5)
      local told = {}
      local function tell(messages)
        for _, message in ipairs(messages) do told[#told + 1] = message.text:match("^n%d") or message.text end
      end
      tell(visitor:last_messages(2))
      tell(visitor:next_messages(2))
      tell(visitor:all_messages())
      tell(visitor.messages)
      \(pause)
      tell(visitor:next_messages(2))
      tell(visitor:next_messages(1))
      visitor:say("done")
      visitor:log(table.concat(told, " "))
    end
    """
  }

  @Test func `a feed that is read on after a resume goes on where it stood`() throws {
    let undisturbed = try Stage(desk: Self.talkative)
    undisturbed.visit(Self.reading(""))
    #expect(undisturbed.run())
    let (stage, _) = try Self.killed(
      Self.reading(#"visitor:log("now") visitor:sleep(5)"#), desk: Self.talkative)
    #expect(stage.outcomes[1] == .finished)
    #expect(undisturbed.logs.last?.hasPrefix("n7 n8 n5 n6 one n1 ") == true)
    #expect(stage.logs.last == undisturbed.logs.last)
  }

  /// Bytes that a visit of so many messages keeps in its journal, the feed being read after each.
  private static func journalled(_ count: Int) throws -> Int {
    let (stage, journal) = try killed(
      """
      return function(visitor)
        local seen = 0
        for i = 1, \(count) do
          visitor:say("message " .. i)
          seen = seen + #visitor.messages + #visitor:last_messages(1000) + #visitor:all_messages()
        end
        visitor:log("now")
        visitor:sleep(3)
        visitor:log("seen " .. seen .. " " .. visitor.messages[\(count)].text)
      end
      """, desk: "return function(desk) desk:on_chat(function(chat) chat:wait_close{ within = 900 } end) end")
    #expect(stage.logs.last == "seen \(3 * count * (count + 1) / 2) message \(count)")
    return journal.stored.journal.reduce(0) { $0 + $1.input.count }
  }

  @Test func `a journal grows with what is said, not with how often it is read`() throws {
    let (few, many) = (try Self.journalled(20), try Self.journalled(80))
    #expect(many < few * 5, "\(few) and \(many) bytes")
  }

  // MARK: Files and variables

  private static let reader = """
    return function(visitor)
      local text, key = visitant.read("PATH"), visitant.env("KEY")
      visitor:log("now")
      visitor:sleep(5)
      visitor:log(#text .. " " .. #visitant.read("PATH") .. " " .. key)
    end
    """

  @Test func `files and variables that were read stand in no journal and are read again`() throws {
    let path = scratch.path("text")
    write(Array(("SECRETFILE " + String(repeating: "x", count: 10_000)).utf8), to: path)
    var access = ScriptAccess(readable: [path])
    access.environment["KEY"] = "SECRETKEY"
    let (stage, journal) = try Self.killed(Self.reader.replacing("PATH", with: path), access: access)
    #expect(stage.outcomes[1] == .finished)
    #expect(stage.logs.last == "10011 10011 SECRETKEY")
    #expect(!journal.kept.contains("SECRET"))
    #expect(journal.kept.utf8.count < 8_000)
  }

  @Test(arguments: ["other", nil]) func `a file that has changed or is gone ends the resume and is named`(
    text: String?
  ) throws {
    let path = scratch.path("text")
    write(Array("as it was".utf8), to: path)
    var access = ScriptAccess(readable: [path])
    access.environment["KEY"] = "key"
    let (stage, _) = try Self.killed(Self.reader.replacing("PATH", with: path), access: access) {
      if let text { write(Array(text.utf8), to: path) } else { unlink(path) }
    }
    let outcome = try #require(stage.outcomes[1])
    #expect(outcome.status == 107)
    guard case .failed(let failure) = outcome else { return }
    #expect(failure.message.contains("cannot go on") && failure.message.contains(path))
  }
}
