import Chat
import Dialects
import Hosting
import Script
import Store
import Testing
import Transport

/// What must not stay in a store or stand in a trace.
struct SecretTests {
  private static let fields =
    #"{"fields":{"id":"u1","phone":"SECRETPHONE"},"hash":"SECRETHASH","expires":9999999999}"#

  @Test func `signed fields stay out of what a store remembers of a visitor, and out of traces`() throws {
    let stage = try Stage()
    var spec = Stage.spec("return function(visitor) visitor:say('SECRETTEXT') end")
    spec.session.visitorFields = Self.fields
    spec.session.authorizationToken = nil
    spec.isTraced = true
    let journal = MemoryJournal(beginning: spec, loop: stage.loop, killingAfter: .max)
    stage.visit(spec, journal: journal)
    #expect(stage.run())
    #expect(stage.outcomes[1] == .finished)
    let memory = String(decoding: try #require(journal.stored.memory), as: UTF8.self)
    #expect(memory.contains("visitor"))
    #expect(!memory.contains("SECRET"))
    let traces = stage.reports.compactMap { if case .trace(let line) = $0.what { line } else { nil } }
    #expect(traces.count > 4)
    #expect(!traces.contains { $0.contains("SECRET") })
  }

  /// Everything that a journal has kept, as text.
  private static func kept(_ journal: MemoryJournal) -> String {
    let stored = journal.stored
    let parts =
      [stored.memory, stored.conversation, stored.state].compactMap { $0 }
      + stored.journal.flatMap { [$0.input, Array($0.digest.utf8)] } + stored.outbox.map(\.action)
      + stored.messages.map(\.json)
    return parts.map { String(decoding: $0, as: UTF8.self) }.joined(separator: "\n")
  }

  @Test(arguments: ["SECRETKEY", "another", nil])
  func `what the environment says is kept nowhere and asked again at a resume, changed or not`(
    later: String?
  ) throws {
    let stage = try Stage()
    var spec = Stage.spec(
      """
      local key = visitant.env("KEY")
      return function(visitor)
        local again = visitant.env("KEY")
        visitor:say("hello")
        visitor:sleep(60)
        visitor:log("%s, %s, %s", tostring(key), tostring(again), tostring(visitant.env("KEY")))
      end
      """)
    let journal = MemoryJournal(beginning: spec, loop: stage.loop, killingAfter: .max)
    stage.visit(spec, journal: journal, environment: ["KEY": "SECRETKEY"])
    stage.loop.advance(by: 30)
    stage.kill(1)
    #expect(Self.kept(journal).contains("hello") && !Self.kept(journal).contains("SECRET"))
    spec.stored = journal.stored
    let after = MemoryJournal(journal.stored, loop: stage.loop)
    stage.visit(spec, journal: after, environment: ["KEY": later])
    #expect(stage.run() && stage.outcomes[1] == .finished)
    let word = later ?? "nil"
    #expect(stage.logs == ["\(word), \(word), \(word)"])
    #expect(!Self.kept(after).contains("SECRET"))
  }
}
