/// Gives each want of a wait an occurrence of its own, one by one as they come (Kuhn's algorithm from the
/// occurrences' side).
///
/// An occurrence for which no want can be freed will not be needed later either, so that there are never more
/// than wants kept, and what a further one costs does not grow with how many came before.
struct Assignment: Equatable, Sendable {
  private struct Candidate: Equatable, Sendable {
    var occurrence: Occurrence
    /// The wants that it meets, in the order in which that was found.
    var wants: [Int] = []
  }

  /// By sequence number: those that are assigned, and the one that was looked at last.
  private var candidates: [Int: Candidate] = [:]
  /// For each want the sequence number of its occurrence.
  private var taken: [Int?]

  init(wants: Int) {
    taken = Array(repeating: nil, count: wants)
  }

  /// Whether the want has no occurrence yet.
  func isMissing(_ want: Int) -> Bool { taken[want] == nil }

  /// Takes in that an occurrence meets a want: all that it meets come before the next occurrence.
  ///
  /// - Returns: An occurrence for each want, in the order of the wants; nil while there is none for some.
  mutating func take(_ match: Wait.Match) -> [Wait.Match]? {
    let sequence = match.occurrence.sequence
    if candidates[sequence] == nil {
      candidates = candidates.filter { taken.contains($0.key) }
      candidates[sequence] = Candidate(occurrence: match.occurrence)
    }
    candidates[sequence]?.wants.append(match.want)
    guard !taken.contains(sequence) else { return nil }
    var tried: Set<Int> = []
    guard place(sequence, &tried), !taken.contains(nil) else { return nil }
    return taken.enumerated().compactMap { want, sequence in
      sequence.flatMap { candidates[$0] }.map { Wait.Match(want: want, occurrence: $0.occurrence) }
    }
  }

  /// Finds a want for the occurrence, moving others to other wants where that helps.
  private mutating func place(_ sequence: Int, _ tried: inout Set<Int>) -> Bool {
    for want in candidates[sequence]?.wants ?? [] where tried.insert(want).inserted {
      if let other = taken[want], !place(other, &tried) { continue }
      taken[want] = sequence
      return true
    }
    return false
  }
}
