import Hosting
import Store
import Transport

/// A store in memory that stops acknowledging at a given unit, as if the process had been killed there.
final class MemoryJournal: Journal {
  private(set) var stored: StoredVisit
  private(set) var commits = 0
  /// What each unit wrote of the conversation, in bytes.
  private(set) var written: [Int] = []
  /// All that was ever kept, as one text.
  private(set) var kept = ""
  private let loop: any Loop
  /// The unit after which nothing is kept any more.
  private let last: Int
  /// Whether a unit came that is not kept.
  private(set) var isSpent = false

  init(_ stored: StoredVisit, loop: any Loop, killingAfter last: Int = .max) {
    self.stored = stored
    self.loop = loop
    self.last = last
  }

  convenience init(beginning spec: VisitSpec, loop: any Loop, killingAfter last: Int) {
    let key = VisitKey(account: spec.account, dialect: "webim", location: "mobile", visitor: spec.visitor)
    let start = VisitStart(key: key, bot: spec.bot.name, seed: spec.seed, at: 0)
    self.init(StoredVisit(id: 1, start: start), loop: loop, killingAfter: last)
  }

  func commit(_ unit: CommitUnit, _ done: @escaping (StoreError?) -> Void) {
    guard commits < last else {
      isSpent = true
      return
    }
    commits += 1
    written.append((unit.conversation?.count ?? 0) + unit.messages.reduce(0) { $0 + $1.json.count })
    note(unit)
    stored.journal += unit.journal
    stored.state = unit.state ?? stored.state
    stored.conversation = unit.conversation ?? stored.conversation
    stored.memory = unit.memory ?? stored.memory
    for row in unit.messages {
      stored.messages.removeAll { $0.id == row.id }
      stored.messages.append(row)
    }
    stored.messages.removeAll { unit.removedMessages.contains($0.id) }
    for row in unit.outboxAdded { stored.outbox.append(row) }
    stored.outbox.removeAll { unit.outboxRemoved.contains($0.request) }
    loop.soon { done(nil) }
  }

  private func note(_ unit: CommitUnit) {
    var texts = unit.journal.map(\.input) + unit.messages.map(\.json) + unit.outboxAdded.map(\.action)
    texts += [unit.state, unit.conversation, unit.memory].compactMap { $0 }
    kept += texts.map { String(decoding: $0, as: UTF8.self) + "\n" }.joined()
    kept +=
      "\(unit.messages) \(unit.chats) \(unit.ratings) \(unit.surveyAnswers) \(String(describing: unit.end))\n"
  }
}
