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
}
