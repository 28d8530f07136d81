import Glibc
import Store
import TestSupport
import Testing

struct CrashTests {
  private let scratch = Scratch()

  /// Commits for ever, notes each acknowledged number outside, and kills itself: between the writer's
  /// transaction and the acknowledgement of the next, or from another thread with the writer wherever it is.
  private static func commitUntilKilled(folder: String, seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    let store = try Store.open(folder + "/visitant.db")
    let visit = try store.unfinishedVisit(.sample())?.id ?? store.beginVisit(.sample())
    let first = (try store.unfinishedVisit(.sample())?.journal.last?.sequence ?? 0) + 1
    let log = open(folder + "/acknowledged", O_WRONLY | O_CREAT | O_APPEND, 0o600)
    let doomed = first + Int.random(in: 1...400, using: &generator)
    let during = Bool.random(using: &generator)
    for sequence in first... {
      var unit = CommitUnit(visit: visit)
      unit.journal = [.sample(sequence)]
      unit.state = Array(String(sequence).utf8)
      store.commit(unit) { error in
        guard error == nil else { return }
        let line = Array("\(sequence)\n".utf8)
        _ = write(log, line, line.count)
        if during, sequence == doomed { kill(getpid(), SIGKILL) }
      }
      if !during, sequence == doomed { kill(getpid(), SIGKILL) }
      // Until shortly before, one by one, so that there is something to lose.
      if sequence < doomed - 8 { _ = try store.memory(of: .sample()) }
    }
  }

  @Test(arguments: 1...10 as ClosedRange<UInt64>)
  func `a killed process leaves every acknowledged unit, whole and in order`(seed: UInt64) async throws {
    let folder = scratch.folder
    for round in UInt64(0)..<3 {
      await #expect(processExitsWith: .signal(SIGKILL)) {
        [folder = folder as String, seed = seed &* 100 &+ round as UInt64] in
        try Self.commitUntilKilled(folder: folder, seed: seed)
      }
      let acknowledged = String(decoding: contents(of: folder + "/acknowledged"), as: UTF8.self)
        .split(separator: "\n").compactMap { Int($0) }
      let store = try Store.open(scratch.path())
      let visit = try #require(try store.unfinishedVisit(.sample()))
      #expect(zip(acknowledged, acknowledged.dropFirst()).allSatisfy { $0 < $1 })
      #expect(visit.journal.count >= acknowledged.last ?? 0)
      #expect(visit.journal == (0..<visit.journal.count).map { .sample($0 + 1) })
      #expect(visit.state == visit.journal.last.map { Array(String($0.sequence).utf8) })
      store.close()
    }
  }

  @Test(arguments: 1...20 as ClosedRange<UInt64>)
  func `a log torn anywhere loses whole units from its end only`(seed: UInt64) throws {
    let store = try Store.open(scratch.path())
    let visit = try store.beginVisit(.sample())
    var sizes: [Int] = []
    for sequence in 1...60 {
      var unit = journalled(visit, 1, from: sequence)
      unit.state = Array(String(sequence).utf8)
      try store.commit(unit)
      sizes.append(contents(of: scratch.path("visitant.db-wal")).count)
    }
    var generator = SeededGenerator(seed: seed)
    let log = contents(of: scratch.path("visitant.db-wal"))
    let cut = Int.random(in: (sizes.first ?? 0)...log.count, using: &generator)
    write(contents(of: scratch.path()), to: scratch.path("torn.db"))
    write(Array(log.prefix(cut)), to: scratch.path("torn.db-wal"))
    let torn = try Store.open(scratch.path("torn.db"))
    let found = try #require(try torn.unfinishedVisit(.sample()))
    let whole = sizes.count { $0 <= cut }
    #expect(found.journal.count == whole)
    #expect(found.state == Array(String(whole).utf8))
  }
}
