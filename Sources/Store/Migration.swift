/// The steps from an empty file to today's schema.
///
/// Append only. A migration that has shipped is never edited: the next one mends it.
enum Migration: Int, CaseIterable {
  case visits = 1

  static var latest: Int { allCases.count }

  var sql: String { "" }
}
