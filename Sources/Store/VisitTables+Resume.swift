extension VisitTables {
  /// The visitor's newest visit with all that is kept of it, unless that has ended.
  func unfinishedVisit(_ key: VisitKey) throws(StoreError) -> StoredVisit? {
    guard let visitor = try visitor(key) else { return nil }
    let newest = try database.prepare(
      """
      SELECT id, run, bot, bot_digest, seed, started_at, ended_at IS NULL FROM visit
      WHERE visitor = ? ORDER BY id DESC LIMIT 1
      """
    ).all(visitor) { row in
      let start = VisitStart(
        key: key, run: row.optional(1, row.long), bot: row.text(2), botDigest: row.optional(3, row.text),
        seed: UInt64(bitPattern: row.long(4)), at: row.double(5))
      return row.integer(6) == 1 ? StoredVisit(id: row.long(0), start: start) : nil
    }
    guard case .some(.some(var visit)) = newest.first else { return nil }
    visit.memory = try snapshot("memory", of: visit.id)
    visit.conversation = try snapshot("conversation", of: visit.id)
    visit.state = try snapshot("state", of: visit.id)
    visit.journal = try journal(of: visit.id)
    visit.outbox = try outbox(of: visit.id)
    visit.messages = try database.messages(of: visitor, in: visit.id)
    return visit
  }

  /// The session memory that the visitor's visits left last, ended or not.
  func memory(of key: VisitKey) throws(StoreError) -> [UInt8]? {
    guard let visitor = try visitor(key) else { return nil }
    return try database.prepare(
      """
      SELECT value FROM snapshot JOIN visit ON visit.id = snapshot.visit
      WHERE visit.visitor = ? AND kind = 'memory' ORDER BY visit.id DESC LIMIT 1
      """
    ).all(visitor) { $0.bytes(0) }.first
  }

  private func snapshot(_ kind: String, of visit: Int64) throws(StoreError) -> [UInt8]? {
    try database.prepare("SELECT value FROM snapshot WHERE visit = ? AND kind = ?")
      .all(visit, kind) { $0.bytes(0) }.first
  }

  private func journal(of visit: Int64) throws(StoreError) -> [JournalRow] {
    let rows = try database.prepare(
      "SELECT sequence, at, input, digest FROM journal WHERE visit = ? ORDER BY sequence"
    ).all(visit) { row in
      JournalRow(
        sequence: row.integer(0), at: row.double(1), input: row.bytes(2),
        digest: row.text(3))
    }
    // A replay over a hole would tell the bot another story than the one it lived.
    for (row, next) in zip(rows, rows.dropFirst()) where next.sequence != row.sequence + 1 {
      throw StoreError(
        .damaged, path: database.path, word: "visit \(visit) has no journal entry \(row.sequence + 1)")
    }
    return rows
  }

  private func outbox(of visit: Int64) throws(StoreError) -> [OutboxRow] {
    try database.prepare(
      "SELECT request, client_id, action, may_be_on_wire FROM outbox WHERE visit = ? ORDER BY request"
    ).all(visit) { row in
      OutboxRow(
        request: row.integer(0), clientID: row.optional(1, row.text), action: row.bytes(2),
        mayBeOnWire: row.integer(3) != 0)
    }
  }
}

extension Database {
  /// A visitor's messages, oldest first.
  ///
  /// - Parameter visit: Only those that this visit has told of.
  func messages(of visitor: Int64, in visit: Int64? = nil) throws(StoreError) -> [MessageRow] {
    try prepare(
      """
      SELECT id, server_id, chat, kind, origin, sender, text, timestamp, json FROM message
      WHERE visitor = ?1 AND (?2 IS NULL OR visit = ?2) ORDER BY timestamp, rowid
      """
    ).all(visitor, visit) { row in
      MessageRow(
        id: row.text(0), serverID: row.text(1), chatID: row.text(2), kind: row.text(3), origin: row.text(4),
        sender: row.text(5), text: row.text(6), timestamp: row.long(7), json: row.bytes(8))
    }
  }
}
