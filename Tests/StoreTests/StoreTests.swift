import Glibc
import Store
import TestSupport
import Testing

struct StoreTests {
  private let scratch = Scratch()

  @Test func `what was committed is there after the store has been opened again`() throws {
    let store = try Store.open(scratch.path())
    let visit = try store.beginVisit(.sample())
    var unit = CommitUnit(visit: visit)
    unit.journal = [.sample(1), .sample(2)]
    unit.state = Array("{\"step\":1}".utf8)
    unit.conversation = []
    unit.memory = [0, 1, 255]
    unit.messages = [.sample("m2", text: "nul \0 and 👩‍👩‍👧", timestamp: 2), .sample("m1", timestamp: 1)]
    unit.outboxAdded = [
      OutboxRow(request: 3, clientID: "c3", action: [1]), OutboxRow(request: 4, clientID: nil, action: []),
    ]
    try store.commit(unit)
    store.close()

    let again = try Store.open(scratch.path())
    let found = try #require(try again.unfinishedVisit(.sample()))
    #expect(found.id == visit)
    #expect(found.start == .sample())
    #expect(found.state == unit.state)
    #expect(found.conversation == [])
    #expect(found.memory == [0, 1, 255])
    #expect(found.journal == unit.journal)
    #expect(found.messages == [unit.messages[1], unit.messages[0]])
    #expect(
      found.outbox == [
        OutboxRow(request: 3, clientID: "c3", action: [1]),
        OutboxRow(request: 4, clientID: nil, action: []),
      ])
  }

  @Test func `a visit is keyed by account, dialect, location and visitor`() throws {
    let store = try Store.open(scratch.path())
    _ = try store.beginVisit(.sample())
    for key in [
      VisitKey(account: "other", dialect: "webim", location: "mobile", visitor: "alice"),
      VisitKey(account: "demo", dialect: "roxchat", location: "mobile", visitor: "alice"),
      VisitKey(account: "demo", dialect: "webim", location: "desktop", visitor: "alice"),
      VisitKey(account: "demo", dialect: "webim", location: "mobile", visitor: "bob"),
    ] { #expect(try store.unfinishedVisit(key) == nil) }
    #expect(try store.unfinishedVisit(.sample()) != nil)
  }

  @Test func `the newest visit decides whether there is one to resume`() throws {
    let store = try Store.open(scratch.path())
    let run = try store.beginRun(.sample)
    let first = try store.beginVisit(.sample())
    try store.commit(journalled(first, 1))
    let second = try store.beginVisit(.sample(run: run))
    #expect(try store.unfinishedVisit(.sample())?.id == second)
    var last = CommitUnit(visit: second)
    last.end = VisitEnd(at: 9, reason: "script returned", status: 0)
    try store.commit(last)
    #expect(try store.unfinishedVisit(.sample()) == nil)
  }

  @Test func `the end of a visit prunes what only a resume needs`() throws {
    let store = try Store.open(scratch.path())
    let visits = try (1...3).map { _ in try store.beginVisit(.sample()) }
    let run = try store.beginRun(.sample)
    let neighbour = try store.beginVisit(.sample("bob"))
    let last = try store.beginVisit(.sample(run: run))
    for visit in visits + [neighbour, last] {
      var unit = journalled(visit, 20)
      unit.outboxAdded = [OutboxRow(request: 1, clientID: nil, action: [1])]
      unit.memory = [UInt8(truncatingIfNeeded: visit)]
      try store.commit(unit)
    }
    var end = CommitUnit(visit: last)
    end.end = VisitEnd(at: 9, reason: "script returned", status: 0)
    try store.commit(end)
    #expect(try store.memory(of: .sample()) == [UInt8(truncatingIfNeeded: last)])
    #expect(try store.unfinishedVisit(.sample("bob"))?.journal.count == 20)
    store.close()
    let raw = try RawDatabase(scratch.path())
    #expect(try raw.integers("SELECT count(*), count(DISTINCT visit) FROM journal") == [20, 1])
    #expect(try raw.integers("SELECT count(*) FROM outbox") == [1])
  }

  @Test func `a visit of the same run and visitor keeps its journal when its neighbour ends`() throws {
    let store = try Store.open(scratch.path())
    let run = try store.beginRun(.sample)
    let first = try store.beginVisit(.sample(run: run))
    let second = try store.beginVisit(.sample(run: run))
    try store.commit(journalled(first, 5))
    var end = CommitUnit(visit: second)
    end.end = VisitEnd(at: 9, reason: "script returned", status: 0)
    try store.commit(end)
    store.close()
    #expect(try RawDatabase(scratch.path()).integers("SELECT count(*) FROM journal") == [5])
  }

  @Test func `what comes after the end is kept for readers, and nothing of it for a resume`() throws {
    let store = try Store.open(scratch.path())
    let visit = try store.beginVisit(.sample())
    var end = journalled(visit, 2)
    end.end = VisitEnd(at: 9, reason: "script returned", status: 0)
    try store.commit(end)
    var late = journalled(visit, 2, from: 3)
    late.conversation = [1]
    late.outboxAdded = [OutboxRow(request: 1, clientID: nil, action: [1])]
    late.messages = [.sample("m1")]
    late.memory = [2]
    try store.commit(late)
    #expect(try store.memory(of: .sample()) == [2])
    store.close()
    let raw = try RawDatabase(scratch.path())
    let counts = try ["journal", "outbox", "message", "snapshot"].flatMap {
      try raw.integers("SELECT count(*) FROM \($0)")
    }
    #expect(counts == [0, 0, 1, 1])
  }

  @Test func `a refused unit fails alone, and its visit goes no further`() throws {
    let store = try Store.open(scratch.path())
    let visit = try store.beginVisit(.sample())
    let other = try store.beginVisit(.sample("bob"))
    let results = Collected<(Int64, StoreError.Code?)>()
    // The same entry twice breaks a rule of the schema; the third unit would leave a hole behind it.
    for unit in [
      journalled(visit, 1), journalled(visit, 1), journalled(other, 3), journalled(visit, 2, from: 2),
    ] {
      store.commit(unit) { results.append((unit.visit, $0?.code)) }
    }
    store.close()
    #expect(results.all.map(\.0) == [visit, visit, other, visit])
    #expect(results.all.map(\.1) == [nil, .refused, nil, .refused])
    let again = try Store.open(scratch.path())
    #expect(try again.unfinishedVisit(.sample())?.journal.count == 1)
    #expect(try again.unfinishedVisit(.sample("bob"))?.journal.count == 3)
  }

  @Test func `a unit for a visit that is not there is refused`() throws {
    let store = try Store.open(scratch.path())
    var unit = CommitUnit(visit: 77)
    unit.state = [1]
    #expect(throws: StoreError.self) { try store.commit(unit) }
  }

  @Test func `a hole in a journal is damage, never a shorter story`() throws {
    let store = try Store.open(scratch.path())
    let visit = try store.beginVisit(.sample())
    try store.commit(journalled(visit, 5))
    store.close()
    try RawDatabase(scratch.path()).execute("DELETE FROM journal WHERE sequence = 3")
    let again = try Store.open(scratch.path())
    let error = #expect(throws: StoreError.self) { try again.unfinishedVisit(.sample()) }
    #expect(error?.code == .damaged)
  }

  @Test func `after close a unit is told so, and close may be called again`() throws {
    let store = try Store.open(scratch.path())
    let visit = try store.beginVisit(.sample())
    store.close()
    store.close()
    let error = #expect(throws: StoreError.self) { try store.commit(CommitUnit(visit: visit)) }
    #expect(error?.code == .closed)
  }

  @Test func `a store may be closed from a completion`() throws {
    let store = try Store.open(scratch.path())
    let visit = try store.beginVisit(.sample())
    store.commit(journalled(visit, 1)) { _ in store.close() }
    store.close()
    _ = try Store.open(scratch.path())
  }
}

func journalled(_ visit: Int64, _ count: Int, from first: Int = 1) -> CommitUnit {
  var unit = CommitUnit(visit: visit)
  unit.journal = (first..<first + count).map { .sample($0) }
  return unit
}

extension RunStart {
  static let sample = RunStart(
    command: "run", account: "demo", bots: "bots/first_visit.lua", visitors: 1, seed: 7, at: 1_000)
}
