extension StringProtocol {
  /// How far a word is from another: insertions, deletions, replacements and swaps of neighbours, each
  /// counted as one.
  ///
  /// It takes time with the product of the two lengths: bound what strangers say.
  package func editDistance(to other: some StringProtocol) -> Int {
    let a = Array(self)
    let b = Array(other)
    var before: [Int] = []
    var previous = Array(0...b.count)
    for i in a.indices {
      var row = [i + 1]
      for j in b.indices {
        var best = Swift.min(previous[j + 1] + 1, row[j] + 1, previous[j] + (a[i] == b[j] ? 0 : 1))
        if i > 0, j > 0, a[i] == b[j - 1], a[i - 1] == b[j] { best = Swift.min(best, before[j - 1] + 1) }
        row.append(best)
      }
      (before, previous) = (previous, row)
    }
    return previous[b.count]
  }
}
