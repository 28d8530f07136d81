import Dispatch
import Glibc
import Store
import TestSupport
import Testing

struct GroupCommitTests {
  private let scratch = Scratch()

  @Test func `ten thousand units share transactions and are acknowledged in order`() throws {
    let store = try Store.open(scratch.path())
    let visits = try (0..<100).map { try store.beginVisit(.sample("visitor \($0)")) }
    let before = store.count
    let order = Collected<Int>()
    // The writer stands still until all is handed over, so that the groups do not hang on the machine's
    // speed.
    let handedOver = DispatchSemaphore(value: 0)
    for index in 0..<10_000 {
      var unit = CommitUnit(visit: visits[index % 100])
      unit.journal = [.sample(index / 100)]
      unit.state = Array("{\"step\":\(index)}".utf8)
      store.commit(unit) { error in
        if error == nil { order.append(index) }
        if index == 0 { handedOver.wait() }
      }
    }
    handedOver.signal()
    store.close()
    #expect(order.all == Array(0..<10_000))
    #expect(store.count.jobs - before.jobs == 10_000)
    #expect(store.count.transactions - before.transactions < 2_000)
  }

  @Test func `the log beside the file stays bounded`() throws {
    let store = try Store.open(scratch.path())
    let visit = try store.beginVisit(.sample())
    let largest = Collected<Int>()
    let log = scratch.path("visitant.db-wal")
    for sequence in 0..<20_000 {
      var unit = CommitUnit(visit: visit)
      unit.journal = [.sample(sequence)]
      unit.conversation = [UInt8](repeating: 7, count: 3_000)
      store.commit(unit) { _ in
        var status = stat()
        if sequence % 100 == 0, stat(log, &status) == 0 { largest.append(Int(status.st_size)) }
      }
    }
    store.close()
    let most = try #require(largest.all.max())
    #expect(most < 16 << 20)
    #expect(contents(of: log).isEmpty)
  }

  @Test func `a reader sees whole units while the writer works`() throws {
    let store = try Store.open(scratch.path())
    let visit = try store.beginVisit(.sample())
    let reader = try StoreReader(scratch.path())
    let visitor = try #require(try reader.visitors().first)
    var seen = 0
    for round in 0..<200 {
      for step in 0..<10 {
        var unit = CommitUnit(visit: visit)
        let number = round * 10 + step
        unit.messages = [
          .sample("\(number)a", timestamp: Int64(number)), .sample("\(number)b", timestamp: Int64(number)),
        ]
        store.commit(unit) { _ in }
      }
      let count = try reader.messages(of: visitor).count
      #expect(count % 2 == 0 && count >= seen)
      seen = count
    }
    store.close()
    #expect(try reader.messages(of: visitor).count == 4_000)
  }

  @Test(arguments: 1...12 as ClosedRange<UInt64>)
  func `a store agrees with a model of itself`(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    var store = try Store.open(scratch.path())
    var models: [StoredVisit?] = Array(repeating: nil, count: 4)
    for _ in 0..<400 {
      let who = Int.random(in: 0..<models.count, using: &generator)
      guard var model = models[who] else {
        let start = VisitStart.sample("visitor \(who)")
        models[who] = StoredVisit(id: try store.beginVisit(start), start: start)
        continue
      }
      let unit = randomUnit(of: model, using: &generator)
      unit.end == nil ? model.apply(unit) : nil
      models[who] = unit.end == nil ? model : nil
      store.commit(unit) { #expect($0 == nil) }
      if Int.random(in: 0..<40, using: &generator) == 0 {
        store.close()
        store = try Store.open(scratch.path())
      }
      let found = try store.unfinishedVisit(.sample("visitor \(who)"))
      #expect(found == models[who])
    }
  }

  private func randomUnit(of model: StoredVisit, using generator: inout SeededGenerator) -> CommitUnit {
    var unit = CommitUnit(visit: model.id)
    func bytes() -> [UInt8] {
      (0..<Int.random(in: 0...6_000, using: &generator)).map { UInt8(truncatingIfNeeded: $0) }
    }
    func chance(_ one: Int) -> Bool { Int.random(in: 0..<one, using: &generator) == 0 }
    let next = (model.journal.last?.sequence ?? 0) + 1
    unit.journal = (next..<next + Int.random(in: 0...3, using: &generator)).map { .sample($0) }
    if chance(2) { unit.state = bytes() }
    if chance(3) { unit.conversation = bytes() }
    if chance(5) { unit.memory = bytes() }
    for _ in 0..<Int.random(in: 0...3, using: &generator) {
      let id = "m\(Int.random(in: 0..<20, using: &generator))"
      // The time is the id's own: a message that comes again keeps its place.
      unit.messages.append(.sample(id, text: "\(next)", timestamp: Int64(id.dropFirst()) ?? 0))
    }
    if chance(4) { unit.removedMessages = ["m\(Int.random(in: 0..<20, using: &generator))"] }
    if chance(2) {
      unit.outboxAdded = [OutboxRow(request: next, clientID: chance(2) ? "c" : nil, action: bytes())]
    }
    if chance(3), let row = model.outbox.randomElement(using: &generator) {
      unit.outboxRemoved = [row.request]
    }
    if chance(30) { unit.end = VisitEnd(at: 1, reason: "script returned", status: 0) }
    return unit
  }
}

extension StoredVisit {
  /// What the store is held to do, without SQL.
  fileprivate mutating func apply(_ unit: CommitUnit) {
    journal += unit.journal
    state = unit.state ?? state
    conversation = unit.conversation ?? conversation
    memory = unit.memory ?? memory
    for row in unit.outboxAdded {
      outbox.removeAll { $0.request == row.request }
      outbox.append(row)
    }
    outbox.sort { $0.request < $1.request }
    outbox.removeAll { unit.outboxRemoved.contains($0.request) }
    for row in unit.messages {
      messages.removeAll { $0.id == row.id }
      messages.append(row)
    }
    messages.removeAll { unit.removedMessages.contains($0.id) }
    messages.sort { $0.timestamp < $1.timestamp }
  }
}
