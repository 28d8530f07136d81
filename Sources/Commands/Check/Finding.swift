/// A mistake in a script.
struct Finding: Equatable, Comparable {
  let file: String
  let line: Int
  let message: String

  static func < (one: Finding, other: Finding) -> Bool {
    (one.file, one.line, one.message) < (other.file, other.line, other.message)
  }
}
