/// The writer's statements, prepared once, and what they mean together.
///
/// Everything here happens inside a transaction of the caller's.
final class VisitTables {
  let database: Database
  private let addJournal: Statement
  private let putSnapshot: Statement
  private let putMessage: Statement
  private let removeMessage: Statement
  private let addOutbox: Statement
  private let removeOutbox: Statement
  private let putChat: Statement
  private let addRating: Statement
  private let addAnswer: Statement
  private let endVisit: Statement
  private let prune: [Statement]
  private let findVisitor: Statement
  private let addVisitor: Statement
  private let visitorOfVisit: Statement
  private let addVisit: Statement
  private let addRun: Statement
  private let endRun: Statement
  let stored: StoredVisits
  /// Whose visit it is, by visit, of those that have not ended.
  private var visitors: [Int64: Int64] = [:]

  init(_ database: Database) throws(StoreError) {
    self.database = database
    addJournal = try database.prepare("INSERT INTO journal VALUES (?, ?, ?, ?, ?)")
    putSnapshot = try database.prepare(
      """
      INSERT INTO snapshot VALUES (?, ?, ?)
      ON CONFLICT (visit, kind) DO UPDATE SET value = excluded.value
      """)
    putMessage = try database.prepare(Self.putMessageSQL)
    removeMessage = try database.prepare("DELETE FROM message WHERE visitor = ? AND id = ?")
    addOutbox = try database.prepare(
      """
      INSERT INTO outbox VALUES (?, ?, ?, ?, 1)
      ON CONFLICT (visit, request) DO UPDATE SET client_id = excluded.client_id, action = excluded.action
      """)
    removeOutbox = try database.prepare("DELETE FROM outbox WHERE visit = ? AND request = ?")
    putChat = try database.prepare(
      """
      INSERT INTO chat VALUES (?, ?, ?, ?, ?, ?)
      ON CONFLICT (visitor, id) DO UPDATE SET state = excluded.state, closed_at = excluded.closed_at
      """)
    addRating = try database.prepare("INSERT INTO rating VALUES (?, ?, ?, ?, ?, ?, ?)")
    addAnswer = try database.prepare("INSERT INTO survey_answer VALUES (?, ?, ?, ?, ?, ?)")
    endVisit = try database.prepare(
      "UPDATE visit SET ended_at = ?, end_reason = ?, end_status = ? WHERE id = ?")
    prune = [
      try database.prepare("DELETE FROM journal \(Self.wherePruned)"),
      try database.prepare("DELETE FROM outbox \(Self.wherePruned)"),
      try database.prepare("DELETE FROM snapshot \(Self.wherePruned) AND kind = 'conversation'"),
    ]
    findVisitor = try database.prepare(
      "SELECT id FROM visitor WHERE account = ? AND dialect = ? AND location = ? AND name = ?")
    addVisitor = try database.prepare(
      "INSERT INTO visitor (account, dialect, location, name) VALUES (?, ?, ?, ?)")
    visitorOfVisit = try database.prepare("SELECT visitor, ended_at IS NULL FROM visit WHERE id = ?")
    addVisit = try database.prepare(
      "INSERT INTO visit (visitor, run, bot, seed, started_at) VALUES (?, ?, ?, ?, ?)")
    addRun = try database.prepare(
      "INSERT INTO run (command, account, bots, visitors, seed, started_at) VALUES (?, ?, ?, ?, ?, ?)")
    endRun = try database.prepare("UPDATE run SET ended_at = ?, status = ? WHERE id = ?")
    stored = try StoredVisits(database)
  }

  func apply(_ unit: CommitUnit) throws(StoreError) {
    let visit = unit.visit
    let (visitor, isOpen) = try owner(of: visit)
    try applyConversation(of: unit, visitor)
    if let state = unit.state { try putSnapshot.run(visit, "state", state) }
    if let memory = unit.memory { try putSnapshot.run(visit, "memory", memory) }
    // What comes after the end is for the reader: nothing will be resumed, and nobody would prune it.
    guard isOpen else { return }
    guard let end = unit.end else { return try applyResumable(of: unit) }
    try endVisit.run(end.at, end.reason, end.status, visit)
    for statement in prune { try statement.run(visit) }
    visitors[visit] = nil
  }

  /// What only a resume needs.
  private func applyResumable(of unit: CommitUnit) throws(StoreError) {
    let visit = unit.visit
    for row in unit.journal { try addJournal.run(visit, row.sequence, row.at, row.input, row.digest) }
    if let conversation = unit.conversation { try putSnapshot.run(visit, "conversation", conversation) }
    for row in unit.outboxAdded { try addOutbox.run(visit, row.request, row.clientID, row.action) }
    for request in unit.outboxRemoved { try removeOutbox.run(visit, request) }
  }

  private func applyConversation(of unit: CommitUnit, _ visitor: Int64) throws(StoreError) {
    let visit = unit.visit
    for row in unit.messages {
      try putMessage.run(
        visitor, row.id, visit, row.serverID, row.chatID, row.kind, row.origin, row.sender, row.text,
        row.timestamp, row.json)
    }
    for id in unit.removedMessages { try removeMessage.run(visitor, id) }
    for row in unit.chats {
      try putChat.run(visitor, row.id, visit, row.state, row.openedAt, row.closedAt)
    }
    for row in unit.ratings {
      try addRating.run(visit, row.kind, row.operatorID, row.operatorName, row.value, row.note, row.at)
    }
    for row in unit.surveyAnswers {
      try addAnswer.run(visit, row.survey, row.form, row.question, row.answer, row.at)
    }
  }

  private func owner(of visit: Int64) throws(StoreError) -> (visitor: Int64, isOpen: Bool) {
    if let visitor = visitors[visit] { return (visitor, true) }
    let found = try visitorOfVisit.all(visit) { (visitor: $0.long(0), isOpen: $0.integer(1) == 1) }
    guard let owner = found.first else {
      throw StoreError(.refused, path: database.path, word: "no visit \(visit)")
    }
    if owner.isOpen { visitors[visit] = owner.visitor }
    return owner
  }

  /// What was remembered of a transaction that was undone is forgotten.
  func groupUndone() {
    visitors = [:]
  }

  func visitor(_ key: VisitKey) throws(StoreError) -> Int64? {
    try findVisitor.all(key.account, key.dialect, key.location, key.visitor) { $0.long(0) }.first
  }

  func beginVisit(_ start: VisitStart) throws(StoreError) -> Int64 {
    var visitor = try visitor(start.key)
    if visitor == nil {
      let key = start.key
      try addVisitor.run(key.account, key.dialect, key.location, key.visitor)
      visitor = database.lastInsertedID
    }
    try addVisit.run(visitor, start.run, start.bot, start.seed, start.at)
    let visit = database.lastInsertedID
    visitors[visit] = visitor
    return visit
  }

  func beginRun(_ run: RunStart) throws(StoreError) -> Int64 {
    try addRun.run(run.command, run.account, run.bots, run.visitors, run.seed, run.at)
    return database.lastInsertedID
  }

  func endRun(_ run: Int64, _ end: RunEnd) throws(StoreError) {
    try endRun.run(end.at, end.status, run)
  }

  private static let putMessageSQL = """
    INSERT INTO message VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
    ON CONFLICT (visitor, id) DO UPDATE SET
      visit = excluded.visit, server_id = excluded.server_id, chat = excluded.chat, kind = excluded.kind,
      origin = excluded.origin, sender = excluded.sender, text = excluded.text,
      timestamp = excluded.timestamp, json = excluded.json
    """

  /// A visit that has ended, and those before it that nothing can resume any more: the newest visit decides,
  /// and those of the same run may still be going on beside it.
  private static let wherePruned = """
    WHERE visit IN (
      SELECT old.id FROM visit AS new JOIN visit AS old ON old.visitor = new.visitor
      WHERE new.id = ?1 AND (old.id = ?1 OR (old.id < ?1 AND old.run IS NOT new.run)))
    """
}
