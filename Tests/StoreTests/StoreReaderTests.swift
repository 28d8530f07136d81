import Glibc
import Store
import TestSupport
import Testing

struct StoreReaderTests {
  private let scratch = Scratch()

  private func filled() throws -> Store {
    let store = try Store.open(scratch.path())
    let run = try store.beginRun(.sample)
    let alice = try store.beginVisit(.sample(run: run))
    var unit = CommitUnit(visit: alice)
    unit.messages = [.sample("m1")]
    unit.chats = [ChatRow(id: "7", state: "queue", openedAt: 5)]
    unit.ratings = [RatingRow(operatorID: "33", operatorName: "Anna", value: 5, note: "kind", at: 8)]
    unit.surveyAnswers = [
      SurveyAnswerRow(survey: "s", form: "quality", question: "Solved?", answer: "yes", at: 9)
    ]
    try store.commit(unit)
    var last = CommitUnit(visit: alice)
    last.chats = [ChatRow(id: "7", state: "closed_by_visitor", openedAt: 5, closedAt: 11)]
    last.end = VisitEnd(at: 12, reason: "script returned", status: 0)
    try store.commit(last)
    _ = try store.beginVisit(.sample("bob", run: run))
    try store.endRun(run, RunEnd(at: 20, status: 1))
    return store
  }

  @Test func `visitors come with how their newest visit went`() throws {
    let store = try filled()
    let visitors = try StoreReader(scratch.path()).visitors()
    #expect(visitors.map(\.key) == [.sample(), .sample("bob")])
    #expect(visitors.map(\.end) == [VisitEnd(at: 12, reason: "script returned", status: 0), nil])
    #expect(visitors.map(\.messages) == [1, 0])
    #expect(visitors.map(\.visits) == [1, 1])
    #expect(visitors.map(\.bot) == ["bots/first_visit.lua", "bots/first_visit.lua"])
    store.close()
  }

  @Test func `chats, ratings, answers and runs are read as they were last written`() throws {
    let store = try filled()
    let reader = try StoreReader(scratch.path())
    let alice = try #require(try reader.visitors().first)
    #expect(
      try reader.chats(of: alice) == [ChatRow(id: "7", state: "closed_by_visitor", openedAt: 5, closedAt: 11)]
    )
    #expect(
      try reader.ratings().map(\.row) == [
        RatingRow(operatorID: "33", operatorName: "Anna", value: 5, note: "kind", at: 8)
      ])
    #expect(try reader.ratings().map(\.visitor) == ["alice"])
    #expect(try reader.surveyAnswers().map(\.row.answer) == ["yes"])
    #expect(try reader.runs().map(\.start) == [.sample])
    #expect(try reader.runs().map(\.end) == [RunEnd(at: 20, status: 1)])
    store.close()
  }

  @Test func `a store is read after its writer has gone, and reading leaves it as it is`() throws {
    try filled().close()
    let before = contents(of: scratch.path())
    #expect(try StoreReader(scratch.path()).visitors().count == 2)
    #expect(contents(of: scratch.path()) == before)
  }

  @Test func `what a killed writer left in the log is read too`() throws {
    let store = try filled()
    for name in ["visitant.db", "visitant.db-wal"] {
      write(contents(of: scratch.path(name)), to: scratch.path("copy-" + name))
    }
    #expect(!contents(of: scratch.path("copy-visitant.db-wal")).isEmpty)
    #expect(try StoreReader(scratch.path("copy-visitant.db")).visitors().count == 2)
    store.close()
  }

  @Test func `a new visit is the same visitor to the service`() throws {
    let store = try filled()
    #expect(try store.memory(of: .sample()) == nil)
    let visit = try store.beginVisit(.sample())
    var unit = CommitUnit(visit: visit)
    unit.memory = [1, 2]
    unit.end = VisitEnd(at: 30, reason: "script returned", status: 0)
    try store.commit(unit)
    _ = try store.beginVisit(.sample())
    #expect(try store.memory(of: .sample()) == [1, 2])
    store.close()
  }
}
