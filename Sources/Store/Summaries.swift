/// A visitor as a reader of the store sees it: who, and how the newest visit went.
package struct VisitorSummary: Equatable, Sendable {
  package let id: Int64
  package let key: VisitKey
  /// The newest visit's bot.
  package let bot: String
  /// When the newest visit began, in seconds since the epoch.
  package let startedAt: Double
  /// How the newest visit ended; `nil` while it goes on, or when it was cut short.
  package let end: VisitEnd?
  package let visits: Int
  package let messages: Int
}

/// A row, and the name of the visitor whose it is.
package struct OfVisitor<Row: Equatable & Sendable>: Equatable, Sendable {
  package let visitor: String
  package let row: Row
}

/// A run, with its end unless it goes on or was cut short.
package struct StoredRun: Equatable, Sendable {
  package let id: Int64
  package let start: RunStart
  package let end: RunEnd?
}
