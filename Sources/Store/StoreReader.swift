/// Reads a store at any time, also while a writer works. It belongs to one thread at a time.
package final class StoreReader {
  package let path: String
  private let database: Database

  /// - Throws: ``StoreError`` with `.missing`, or whatever makes the file unreadable.
  package init(_ path: String) throws(StoreError) {
    self.path = path
    database = try Self.connect(to: try StoreFile.existing(path))
  }

  private static func connect(to file: StoreFile) throws(StoreError) -> Database {
    do throws(StoreError) {
      let database = try Database(file: file.resolved, path: file.path, access: .read)
      try examine(database)
      return database
    } catch  where error.code == .cannotOpen || error.code == .readOnly {
      // Reading needs files beside it, which a read-only folder does not allow; a file without a log is
      // whole.
      guard (try? StoreFile.existing(file.resolved + "-wal")) == nil else { throw error }
      let database = try Database(file: file.resolved, path: file.path, access: .readUnchanging)
      try examine(database)
      return database
    }
  }

  private static func examine(_ database: Database) throws(StoreError) {
    let version = try database.examine()
    guard version == Migration.latest else { throw StoreError(.older(version: version), path: database.path) }
  }

  /// The visitors, in the order in which they first came.
  package func visitors() throws(StoreError) -> [VisitorSummary] {
    try database.prepare(
      """
      SELECT visitor.id, account, dialect, location, name, visit.bot, visit.started_at, visit.ended_at,
        visit.end_reason, visit.end_status,
        (SELECT count(*) FROM visit WHERE visitor = visitor.id),
        (SELECT count(*) FROM message WHERE visitor = visitor.id)
      FROM visitor JOIN visit ON visit.id = (SELECT max(id) FROM visit WHERE visitor = visitor.id)
      ORDER BY visitor.id
      """
    ).all { row in
      let key = VisitKey(
        account: row.text(1), dialect: row.text(2), location: row.text(3), visitor: row.text(4))
      let ended = row.optional(7, row.double)
      return VisitorSummary(
        id: row.long(0), key: key, bot: row.text(5), startedAt: row.double(6),
        end: ended.map { VisitEnd(at: $0, reason: row.text(8), status: row.integer(9)) },
        visits: row.integer(10), messages: row.integer(11))
    }
  }

  /// A visitor's messages, oldest first.
  package func messages(of visitor: VisitorSummary) throws(StoreError) -> [MessageRow] {
    try database.prepareMessages().all(visitor.id, nil as Int64?, row: MessageRow.init)
  }

  /// A visitor's chats, oldest first.
  package func chats(of visitor: VisitorSummary) throws(StoreError) -> [ChatRow] {
    try database.prepare(
      "SELECT id, state, opened_at, closed_at FROM chat WHERE visitor = ? ORDER BY opened_at, rowid"
    ).all(visitor.id) { row in
      ChatRow(
        id: row.text(0), state: row.text(1), openedAt: row.double(2), closedAt: row.optional(3, row.double))
    }
  }

  /// All ratings, oldest first, each with its visitor's name.
  package func ratings() throws(StoreError) -> [OfVisitor<RatingRow>] {
    try database.prepare(
      """
      SELECT visitor.name, kind, operator_id, operator_name, value, note, at
      FROM rating JOIN visit ON visit.id = rating.visit JOIN visitor ON visitor.id = visit.visitor
      ORDER BY at, rating.rowid
      """
    ).all { row in
      OfVisitor(
        visitor: row.text(0),
        row: RatingRow(
          kind: row.text(1), operatorID: row.text(2), operatorName: row.text(3), value: row.integer(4),
          note: row.text(5), at: row.double(6)))
    }
  }

  /// All answers to surveys, oldest first, each with its visitor's name.
  package func surveyAnswers() throws(StoreError) -> [OfVisitor<SurveyAnswerRow>] {
    try database.prepare(
      """
      SELECT visitor.name, survey, form, question, answer, at
      FROM survey_answer JOIN visit ON visit.id = survey_answer.visit
        JOIN visitor ON visitor.id = visit.visitor
      ORDER BY at, survey_answer.rowid
      """
    ).all { row in
      OfVisitor(
        visitor: row.text(0),
        row: SurveyAnswerRow(
          survey: row.text(1), form: row.text(2), question: row.text(3), answer: row.text(4),
          at: row.double(5)))
    }
  }

  /// All runs, oldest first.
  package func runs() throws(StoreError) -> [StoredRun] {
    try database.prepare(
      """
      SELECT id, command, account, bots, visitors, seed, started_at, ended_at, status
      FROM run ORDER BY id
      """
    ).all { row in
      StoredRun(
        id: row.long(0),
        start: RunStart(
          command: row.text(1), account: row.text(2), bots: row.text(3), visitors: row.integer(4),
          seed: UInt64(bitPattern: row.long(5)), at: row.double(6)),
        end: row.optional(7, row.double).map { RunEnd(at: $0, status: row.integer(8)) })
    }
  }
}
