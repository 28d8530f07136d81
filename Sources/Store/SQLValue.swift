/// What can stand for a `?` in a statement.
protocol SQLValue {
  /// - Returns: SQLite's result code.
  func bind(to statement: Statement, at index: Int32) -> Int32
}

extension Int64: SQLValue {
  func bind(to statement: Statement, at index: Int32) -> Int32 { statement.bind(self, at: index) }
}

extension Int: SQLValue {
  func bind(to statement: Statement, at index: Int32) -> Int32 { statement.bind(Int64(self), at: index) }
}

extension UInt64: SQLValue {
  /// SQLite has no unsigned integers: the same 64 bits.
  func bind(to statement: Statement, at index: Int32) -> Int32 {
    statement.bind(Int64(bitPattern: self), at: index)
  }
}

extension Double: SQLValue {
  func bind(to statement: Statement, at index: Int32) -> Int32 { statement.bind(self, at: index) }
}

extension String: SQLValue {
  func bind(to statement: Statement, at index: Int32) -> Int32 { statement.bind(self, at: index) }
}

extension [UInt8]: SQLValue {
  func bind(to statement: Statement, at index: Int32) -> Int32 { statement.bind(self, at: index) }
}

extension Optional: SQLValue where Wrapped: SQLValue {
  func bind(to statement: Statement, at index: Int32) -> Int32 {
    map { $0.bind(to: statement, at: index) } ?? statement.bindNull(at: index)
  }
}
