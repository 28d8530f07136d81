/// The known word that somebody probably meant.
enum NearestWord {
  /// - Returns: The word with the fewest slips of the pen, or `nil` when none is close enough to be meant.
  static func to(_ word: String, in known: some Sequence<String>) -> String? {
    let word = word.lowercased()
    var best: (word: String, distance: Int)?
    for candidate in known {
      var distance = slips(Array(word.utf8), Array(candidate.lowercased().utf8))
      // What was cut short is meant even where many letters are missing.
      if word.utf8.count > 2, candidate.lowercased().hasPrefix(word) { distance = min(distance, 1) }
      if distance < best?.distance ?? .max { best = (candidate, distance) }
    }
    guard let best, best.distance <= max(1, (word.utf8.count + 1) / 3) else { return nil }
    return best.word
  }

  /// Letters put in, left out, exchanged or swapped with a neighbour, the fewest that lead from one word to the other.
  private static func slips(_ from: [UInt8], _ to: [UInt8]) -> Int {
    var earlier: [Int] = []
    var last = Array(0...to.count)
    for (row, letter) in from.enumerated() {
      var next = [row + 1]
      next.reserveCapacity(to.count + 1)
      for (column, other) in to.enumerated() {
        var cost = min(last[column] + (letter == other ? 0 : 1), last[column + 1] + 1, next[column] + 1)
        if row > 0, column > 0, letter == to[column - 1], from[row - 1] == other {
          cost = min(cost, earlier[column - 1] + 1)
        }
        next.append(cost)
      }
      earlier = last
      last = next
    }
    return last[to.count]
  }
}
