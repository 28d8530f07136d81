import CSQLite

/// A prepared statement: values in, rows out, over and over.
final class Statement {
  private let statement: OpaquePointer
  // Keeps the connection open as long as the statement is there.
  private let database: Database

  init(_ statement: OpaquePointer, of database: Database) {
    self.statement = statement
    self.database = database
  }

  deinit {
    sqlite3_finalize(statement)
  }

  /// Runs it for its effect.
  func run<each Value: SQLValue>(_ value: repeat each Value) throws(StoreError) {
    defer { sqlite3_reset(statement) }
    var index: Int32 = 0
    repeat try bind(each value, &index)
    try database.check(sqlite3_step(statement))
  }

  /// Runs it and reads every row.
  func all<Row, each Value: SQLValue>(
    _ value: repeat each Value, row: (Statement) -> Row
  ) throws(StoreError) -> [Row] {
    defer { sqlite3_reset(statement) }
    var index: Int32 = 0
    repeat try bind(each value, &index)
    var rows: [Row] = []
    while true {
      let code = sqlite3_step(statement)
      try database.check(code)
      guard code == SQLITE_ROW else { return rows }
      rows.append(row(self))
    }
  }

  private func bind(_ value: some SQLValue, _ index: inout Int32) throws(StoreError) {
    index += 1
    try database.check(value.bind(to: self, at: index))
  }

  // What a value calls to be bound; each returns SQLite's code.

  func bind(_ value: Int64, at index: Int32) -> Int32 { sqlite3_bind_int64(statement, index, value) }

  func bind(_ value: Double, at index: Int32) -> Int32 { sqlite3_bind_double(statement, index, value) }

  func bindNull(at index: Int32) -> Int32 { sqlite3_bind_null(statement, index) }

  func bind(_ value: String, at index: Int32) -> Int32 {
    var value = value
    return value.withUTF8 {
      visitant_sqlite_bind_text(statement, index, $0.baseAddress, Int32(clamping: $0.count))
    }
  }

  func bind(_ value: [UInt8], at index: Int32) -> Int32 {
    value.withUnsafeBytes {
      visitant_sqlite_bind_blob(statement, index, $0.baseAddress, Int32(clamping: $0.count))
    }
  }

  // The present row's columns, counted from 0.

  func isNull(_ column: Int32) -> Bool { sqlite3_column_type(statement, column) == SQLITE_NULL }

  func long(_ column: Int32) -> Int64 { sqlite3_column_int64(statement, column) }

  func integer(_ column: Int32) -> Int { Int(long(column)) }

  func double(_ column: Int32) -> Double { sqlite3_column_double(statement, column) }

  func text(_ column: Int32) -> String {
    // The address first, the count afterwards: in this order SQLite gives the count of the text form.
    guard let start = sqlite3_column_text(statement, column) else { return "" }
    let count = Int(sqlite3_column_bytes(statement, column))
    return String(decoding: UnsafeBufferPointer(start: start, count: count), as: UTF8.self)
  }

  func bytes(_ column: Int32) -> [UInt8] {
    guard let start = sqlite3_column_blob(statement, column) else { return [] }
    let count = Int(sqlite3_column_bytes(statement, column))
    return [UInt8](UnsafeRawBufferPointer(start: start, count: count))
  }

  /// The column, or `nil` where it is NULL.
  func optional<T>(_ column: Int32, _ read: (Int32) -> T) -> T? { isNull(column) ? nil : read(column) }
}
