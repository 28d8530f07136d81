/// The steps from an empty file to today's schema.
///
/// Append only. A migration that has shipped is never edited: the next one mends it.
package enum Migration: Int, CaseIterable, Sendable {
  case visits = 1
  case conversations
  case results

  package static var latest: Int { allCases.count }

  /// `VIST`, in the file's header: how one of ours is told from any other SQLite file.
  static let applicationID = 0x5649_5354

  var sql: String {
    switch self {
    case .visits: Self.visitTables
    case .conversations: Self.conversationTables
    case .results: Self.resultTables
    }
  }

  // Rows that every commit appends have a plain row id, so that the commits of many visits end up on the same
  // few pages; clustered by visit, each visit would cost a page of its own in the write-ahead log.
  private static let visitTables = """
    PRAGMA application_id = \(applicationID);
    CREATE TABLE visitor (
      id INTEGER PRIMARY KEY, account TEXT NOT NULL, dialect TEXT NOT NULL, location TEXT NOT NULL,
      name TEXT NOT NULL, UNIQUE (account, dialect, location, name)) STRICT;
    CREATE TABLE run (
      id INTEGER PRIMARY KEY, command TEXT NOT NULL, account TEXT NOT NULL, bots TEXT NOT NULL,
      visitors INTEGER NOT NULL, seed INTEGER NOT NULL, started_at REAL NOT NULL,
      ended_at REAL, status INTEGER) STRICT;
    CREATE TABLE visit (
      id INTEGER PRIMARY KEY, visitor INTEGER NOT NULL REFERENCES visitor, run INTEGER REFERENCES run,
      bot TEXT NOT NULL, bot_digest TEXT, seed INTEGER NOT NULL, started_at REAL NOT NULL,
      ended_at REAL, end_reason TEXT, end_status INTEGER) STRICT;
    CREATE INDEX visit_of_visitor ON visit (visitor);
    CREATE TABLE snapshot (
      visit INTEGER NOT NULL REFERENCES visit, kind TEXT NOT NULL, value BLOB NOT NULL,
      UNIQUE (visit, kind)) STRICT;
    CREATE TABLE journal (
      visit INTEGER NOT NULL REFERENCES visit, sequence INTEGER NOT NULL, at REAL NOT NULL,
      input BLOB NOT NULL, digest TEXT NOT NULL, UNIQUE (visit, sequence)) STRICT;
    CREATE TABLE outbox (
      visit INTEGER NOT NULL REFERENCES visit, request INTEGER NOT NULL, client_id TEXT,
      action BLOB NOT NULL, may_be_on_wire INTEGER NOT NULL, UNIQUE (visit, request)) STRICT;
    """

  private static let conversationTables = """
    CREATE TABLE message (
      visitor INTEGER NOT NULL REFERENCES visitor, id TEXT NOT NULL, visit INTEGER NOT NULL REFERENCES visit,
      server_id TEXT NOT NULL, chat TEXT NOT NULL, kind TEXT NOT NULL, origin TEXT NOT NULL,
      sender TEXT NOT NULL, text TEXT NOT NULL, timestamp INTEGER NOT NULL, json BLOB NOT NULL,
      UNIQUE (visitor, id)) STRICT;
    CREATE TABLE chat (
      visitor INTEGER NOT NULL REFERENCES visitor, id TEXT NOT NULL, visit INTEGER NOT NULL REFERENCES visit,
      state TEXT NOT NULL, opened_at REAL NOT NULL, closed_at REAL, UNIQUE (visitor, id)) STRICT;
    """

  private static let resultTables = """
    CREATE TABLE rating (
      visit INTEGER NOT NULL REFERENCES visit, kind TEXT NOT NULL, operator_id TEXT NOT NULL,
      operator_name TEXT NOT NULL, value INTEGER NOT NULL, note TEXT NOT NULL, at REAL NOT NULL) STRICT;
    CREATE INDEX rating_of_visit ON rating (visit);
    CREATE TABLE survey_answer (
      visit INTEGER NOT NULL REFERENCES visit, survey TEXT NOT NULL, form TEXT NOT NULL,
      question TEXT NOT NULL, answer TEXT NOT NULL, at REAL NOT NULL) STRICT;
    CREATE INDEX survey_answer_of_visit ON survey_answer (visit);
    """
}

extension Database {
  /// Brings a file up to an age, today's unless said otherwise, one transaction for each step.
  func migrate(to age: Migration? = nil) throws(StoreError) {
    let applied = try integer("PRAGMA user_version")
    let wanted = age?.rawValue ?? Migration.latest
    for migration in Migration.allCases where migration.rawValue > applied && migration.rawValue <= wanted {
      try transaction { () throws(StoreError) in
        try execute(migration.sql)
        try execute("PRAGMA user_version = \(migration.rawValue)")
      }
    }
  }

  /// Refuses a file of a later Visitant's, of another program's, or broken, before anything is written to it.
  ///
  /// - Returns: The file's schema version, 0 when it is empty.
  func examine() throws(StoreError) -> Int {
    let version = try integer("PRAGMA user_version")
    guard version <= Migration.latest else {
      throw StoreError(.newer(version: version), path: path, word: "")
    }
    let tables = try integer("SELECT count(*) FROM sqlite_schema")
    let application = try integer("PRAGMA application_id")
    guard version == 0 ? tables == 0 : application == Migration.applicationID else {
      throw StoreError(.notAStore, path: path, word: "an SQLite file of something else")
    }
    return version
  }

  /// Looks for damage in the pages themselves, unless the file is so large that a run would have to wait for
  /// it; there, damage is found where it is met.
  func examineContents() throws(StoreError) {
    let size = try integer("PRAGMA page_count") * integer("PRAGMA page_size")
    guard size <= 64 << 20 else { return }
    let verdict = try text("PRAGMA quick_check(1)")
    guard verdict == "ok" else { throw StoreError(.damaged, path: path, word: verdict) }
  }

  /// Sets the connection up as a writer's.
  func beginWriting() throws(StoreError) {
    let mode = try text("PRAGMA journal_mode = WAL")
    guard mode == "wal" else { throw StoreError(.cannotOpen, path: path, word: "journal mode \(mode)") }
    try execute(
      """
      PRAGMA synchronous = NORMAL;
      PRAGMA foreign_keys = ON;
      PRAGMA journal_size_limit = \(8 << 20);
      """)
  }
}
