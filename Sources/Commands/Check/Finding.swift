/// A mistake in a script.
struct Finding: Hashable, Comparable {
  let file: String
  let line: Int
  let column: Int
  let message: String

  static func < (one: Finding, other: Finding) -> Bool {
    (one.file, one.line, one.column, one.message) < (other.file, other.line, other.column, other.message)
  }
}
