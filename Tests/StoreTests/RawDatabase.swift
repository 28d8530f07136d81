import CSQLite

/// SQLite without the store, to look behind it and to spoil its files.
final class RawDatabase {
  private let connection: OpaquePointer

  struct Failure: Error {
    let word: String
  }

  init(_ path: String) throws {
    var pointer: OpaquePointer?
    sqlite3_open(path, &pointer)
    guard let pointer else { throw Failure(word: "cannot open") }
    connection = pointer
  }

  private var failure: Failure {
    let codes = "\(sqlite3_extended_errcode(connection)), errno \(sqlite3_system_errno(connection))"
    return Failure(word: "\(String(cString: sqlite3_errmsg(connection))) (\(codes))")
  }

  deinit {
    sqlite3_close(connection)
  }

  func execute(_ sql: String) throws {
    guard sqlite3_exec(connection, sql, nil, nil, nil) == SQLITE_OK else {
      throw failure
    }
  }

  /// The first row.
  func integers(_ sql: String) throws -> [Int] {
    var statement: OpaquePointer?
    guard sqlite3_prepare_v2(connection, sql, -1, &statement, nil) == SQLITE_OK else {
      throw failure
    }
    defer { sqlite3_finalize(statement) }
    guard sqlite3_step(statement) == SQLITE_ROW else { return [] }
    return (0..<sqlite3_column_count(statement)).map { Int(sqlite3_column_int64(statement, $0)) }
  }
}
