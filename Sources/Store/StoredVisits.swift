/// What a resume reads, and a new visit of a known visitor: the statements for it, prepared once.
final class StoredVisits {
  private let database: Database
  private let newestVisit: Statement
  private let lastMemory: Statement
  private let snapshot: Statement
  private let journal: Statement
  private let outbox: Statement
  private let messages: Statement

  init(_ database: Database) throws(StoreError) {
    self.database = database
    newestVisit = try database.prepare(
      """
      SELECT id, run, bot, seed, started_at, ended_at IS NULL FROM visit
      WHERE visitor = ? ORDER BY id DESC LIMIT 1
      """)
    lastMemory = try database.prepare(
      """
      SELECT value FROM snapshot JOIN visit ON visit.id = snapshot.visit
      WHERE visit.visitor = ? AND kind = 'memory' ORDER BY visit.id DESC LIMIT 1
      """)
    snapshot = try database.prepare("SELECT value FROM snapshot WHERE visit = ? AND kind = ?")
    journal = try database.prepare(
      "SELECT sequence, at, input, digest FROM journal WHERE visit = ? ORDER BY sequence")
    outbox = try database.prepare(
      "SELECT request, client_id, action FROM outbox WHERE visit = ? ORDER BY request")
    messages = try database.prepareMessages()
  }

  /// A visitor's newest visit with all that is kept of it, unless that has ended.
  func unfinished(_ key: VisitKey, of visitor: Int64) throws(StoreError) -> StoredVisit? {
    let newest = try newestVisit.all(visitor) { row in
      let start = VisitStart(
        key: key, run: row.optional(1, row.long), bot: row.text(2), seed: UInt64(bitPattern: row.long(3)),
        at: row.double(4))
      return row.integer(5) == 1 ? StoredVisit(id: row.long(0), start: start) : nil
    }
    guard case .some(.some(var visit)) = newest.first else { return nil }
    visit.memory = try snapshot("memory", of: visit.id)
    visit.conversation = try snapshot("conversation", of: visit.id)
    visit.state = try snapshot("state", of: visit.id)
    visit.journal = try journal(of: visit.id)
    visit.outbox = try outbox.all(visit.id) { row in
      OutboxRow(request: row.integer(0), clientID: row.optional(1, row.text), action: row.bytes(2))
    }
    visit.messages = try messages.all(visitor, visit.id, row: MessageRow.init)
    return visit
  }

  /// The session memory that a visitor's visits left last, ended or not.
  func memory(of visitor: Int64) throws(StoreError) -> [UInt8]? {
    try lastMemory.all(visitor) { $0.bytes(0) }.first
  }

  private func snapshot(_ kind: String, of visit: Int64) throws(StoreError) -> [UInt8]? {
    try snapshot.all(visit, kind) { $0.bytes(0) }.first
  }

  private func journal(of visit: Int64) throws(StoreError) -> [JournalRow] {
    let rows = try journal.all(visit) { row in
      JournalRow(sequence: row.integer(0), at: row.double(1), input: row.bytes(2), digest: row.text(3))
    }
    // A replay over a hole would tell the bot another story than the one it lived.
    for (row, next) in zip(rows, rows.dropFirst()) where next.sequence != row.sequence + 1 {
      throw StoreError(
        .damaged, path: database.path, word: "visit \(visit) has no journal entry \(row.sequence + 1)")
    }
    return rows
  }
}

extension VisitTables {
  func unfinishedVisit(_ key: VisitKey) throws(StoreError) -> StoredVisit? {
    guard let visitor = try visitor(key) else { return nil }
    return try stored.unfinished(key, of: visitor)
  }

  func memory(of key: VisitKey) throws(StoreError) -> [UInt8]? {
    guard let visitor = try visitor(key) else { return nil }
    return try stored.memory(of: visitor)
  }
}

extension Database {
  /// A visitor's messages, oldest first: of the visitor, and of this visit only if it is not null.
  func prepareMessages() throws(StoreError) -> Statement {
    try prepare(
      """
      SELECT id, server_id, chat, kind, origin, sender, text, timestamp, json FROM message
      WHERE visitor = ?1 AND (?2 IS NULL OR visit = ?2) ORDER BY timestamp, rowid
      """)
  }
}

extension MessageRow {
  /// A row of ``Database/prepareMessages()``.
  init(_ row: Statement) {
    self.init(
      id: row.text(0), serverID: row.text(1), chatID: row.text(2), kind: row.text(3), origin: row.text(4),
      sender: row.text(5), text: row.text(6), timestamp: row.long(7), json: row.bytes(8))
  }
}
