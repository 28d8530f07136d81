/// What a check knows of a value.
enum Known: Hashable {
  /// Nobody has said yet.
  case nothing
  /// It may be anything: nothing is said of it.
  case unknown
  /// `visitor`, `desk` or `chat`.
  case object(String)
  /// `visitant` or a table of its, such as `visitant.json`.
  case module(String)
  /// A function of the text, by its place.
  case function(Int)
  /// A table of the text, by its place.
  case table(Int)

  /// What is known of a value that is the one or the other.
  func joined(with other: Known) -> Known {
    if self == .nothing || self == other { return other }
    return other == .nothing ? self : .unknown
  }
}

/// What one walk through a text has found out for the next: a name may be used before what it stands for is
/// told.
///
/// It only grows, so that walks come to an end.
struct CheckedFacts: Equatable {
  /// Names that are given something anew after they were made, by their places.
  var reassigned: Set<Int> = []
  /// What parameters are given by those who call, and names that begin as nil later, by their places.
  var given: [Int: Known] = [:]
  /// The methods that are called on a name, by its place.
  var said: [Int: Set<String>] = [:]
  /// What global names stand for.
  var globals: [String: Known] = [:]
  /// The functions and tables that the file returns, by their places.
  var returned: Set<Int> = []
  /// The keys under which a table holds functions, by its place.
  var functionKeys: [Int: Set<String>] = [:]
  /// Whether the text is a desk's.
  var isDesk = false

  mutating func give(_ known: Known, to parameter: Int) {
    given[parameter] = given[parameter, default: .nothing].joined(with: known)
  }
}
