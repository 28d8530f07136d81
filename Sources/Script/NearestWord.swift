internal import JSON

/// Finds the word that somebody meant.
package enum NearestWord {
  /// In bytes; what is longer is no slip of the pen.
  private static let longest = 200

  /// The word with the smallest edit distance, when it is small enough to be a slip.
  ///
  /// The handbook's spelling counts as the word itself: `getChatState` is `chat_state`.
  ///
  /// - Parameter limit: The largest distance; a third of the word and at least 2 when nil.
  package static func find(
    _ word: String, among words: some Sequence<String>, within limit: Int? = nil
  ) -> String? {
    guard word.utf8.count <= longest else { return nil }
    let meant = snakeCase(word)
    let limit = limit ?? max(2, meant.count / 3)
    var best: (word: String, distance: Int)?
    for candidate in words where abs(candidate.count - meant.count) <= limit {
      let distance = meant.editDistance(to: candidate)
      if distance <= limit, distance < best?.distance ?? .max { best = (candidate, distance) }
    }
    return best?.word
  }

  /// The end of a complaint: `; did you mean "from"?`, or what there is when nothing is near.
  package static func hint(_ word: String, among words: [String]) -> String {
    if let nearest = find(word, among: words) { return "; did you mean \"\(nearest)\"?" }
    return words.isEmpty || words.count > 12 ? "" : "; known are \(words.joined(separator: ", "))"
  }

  private static func snakeCase(_ word: String) -> String {
    var snake = ""
    for letter in word {
      if letter.isUppercase, !snake.isEmpty, snake.last != "_" { snake.append("_") }
      snake += letter.lowercased()
    }
    return snake.hasPrefix("get_") ? String(snake.dropFirst(4)) : snake
  }
}
