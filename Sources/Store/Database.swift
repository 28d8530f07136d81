import CSQLite

/// A connection to SQLite, and with ``Statement`` the only place that holds its pointers.
///
/// It belongs to one thread at a time: its owner hands it over and does not look back.
final class Database {
  enum Access {
    /// Reads and writes a file that exists.
    case write
    /// Reads, also while another process writes.
    case read
    /// Reads a file that nobody writes, in a folder that may be read only.
    case readUnchanging
  }

  /// As the user named it: what errors speak of.
  let path: String
  private let connection: OpaquePointer
  // Let go only when the connection is closed.
  private let claim: WriterLock?

  /// - Parameters:
  ///   - file: The resolved path, which SQLite opens.
  ///   - claim: Held until the connection is closed.
  /// - Throws: ``StoreError`` with `.cannotOpen` when SQLite cannot open it.
  init(file: String, path: String, access: Access, claim: WriterLock? = nil) throws(StoreError) {
    var pointer: OpaquePointer?
    let name = access == .readUnchanging ? Self.unchangingURI(file) : file
    let flags =
      switch access {
      case .write: SQLITE_OPEN_READWRITE
      case .read: SQLITE_OPEN_READONLY
      case .readUnchanging: SQLITE_OPEN_READONLY | SQLITE_OPEN_URI
      }
    let code = sqlite3_open_v2(name, &pointer, flags | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE, nil)
    guard let pointer else { throw StoreError(.cannotOpen, path: path, word: "out of memory") }
    guard code == SQLITE_OK else {
      let error = Self.error(code, connection: pointer, path: path)
      sqlite3_close_v2(pointer)
      throw error
    }
    self.path = path
    connection = pointer
    self.claim = claim
    sqlite3_busy_timeout(connection, 2000)
  }

  deinit {
    // Statements still alive keep the connection until they are gone.
    sqlite3_close_v2(connection)
  }

  /// Runs statements that give no rows.
  func execute(_ sql: String) throws(StoreError) {
    try check(sqlite3_exec(connection, sql, nil, nil, nil))
  }

  func prepare(_ sql: String) throws(StoreError) -> Statement {
    var pointer: OpaquePointer?
    try check(sqlite3_prepare_v3(connection, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &pointer, nil))
    guard let pointer else { throw StoreError(.refused, path: path, word: "an empty statement") }
    return Statement(pointer, of: self)
  }

  /// The first column of the first row, or 0.
  func integer(_ sql: String) throws(StoreError) -> Int {
    try prepare(sql).all { $0.integer(0) }.first ?? 0
  }

  /// The first column of the first row, or nothing.
  func text(_ sql: String) throws(StoreError) -> String {
    try prepare(sql).all { $0.text(0) }.first ?? ""
  }

  /// Runs the body between begin and commit; what it did is undone when it, or the commit, throws.
  func transaction<T>(_ body: () throws(StoreError) -> T) throws(StoreError) -> T {
    try execute("BEGIN IMMEDIATE")
    do throws(StoreError) {
      let result = try body()
      try execute("COMMIT")
      return result
    } catch {
      // After some failures SQLite has rolled back already.
      if sqlite3_get_autocommit(connection) == 0 { sqlite3_exec(connection, "ROLLBACK", nil, nil, nil) }
      throw error
    }
  }

  var lastInsertedID: Int64 { sqlite3_last_insert_rowid(connection) }

  /// Throws what a result code means, unless it means success.
  func check(_ code: Int32) throws(StoreError) {
    guard code == SQLITE_OK || code == SQLITE_ROW || code == SQLITE_DONE else {
      throw Self.error(code, connection: connection, path: path)
    }
  }

  private static func unchangingURI(_ file: String) -> String {
    var uri = "file:"
    for byte in file.utf8 {
      let plain =
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
        || (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte)
        || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || byte == UInt8(ascii: "/")
      let hex = String(byte, radix: 16)
      uri += plain ? String(UnicodeScalar(byte)) : "%" + (hex.count == 1 ? "0" : "") + hex
    }
    return uri + "?immutable=1"
  }

  private static func error(_ code: Int32, connection: OpaquePointer, path: String) -> StoreError {
    let meaning: StoreError.Code =
      switch code & 0xFF {
      case SQLITE_BUSY, SQLITE_LOCKED: .locked
      // "No such table" in a file whose schema number is ours: somebody has taken it away.
      case SQLITE_CORRUPT, SQLITE_ERROR: .damaged
      case SQLITE_NOTADB: .notAStore
      case SQLITE_FULL: .full
      case SQLITE_CANTOPEN, SQLITE_PERM, SQLITE_AUTH: .cannotOpen
      case SQLITE_READONLY: .readOnly
      case SQLITE_IOERR, SQLITE_NOMEM, SQLITE_PROTOCOL: .io
      default: .refused
      }
    return StoreError(meaning, path: path, word: String(cString: sqlite3_errmsg(connection)))
  }
}
