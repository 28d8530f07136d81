/// A pattern of the filter `like`: `*` stands for any text, also across lines, `?` for one character.
///
/// It has to fit the whole text. A backslash makes the next character literal.
package struct Wildcard: Equatable, Sendable {
  private enum Piece: Equatable {
    case literal(Character)
    case one
    case many
  }

  private let pieces: [Piece]

  package init(_ pattern: String) {
    var pieces: [Piece] = []
    var isEscaped = false
    for character in pattern {
      switch character {
      case _ where isEscaped:
        pieces.append(.literal(character))
        isEscaped = false
      case "\\": isEscaped = true
      case "*": if pieces.last != .many { pieces.append(.many) }
      case "?": pieces.append(.one)
      default: pieces.append(.literal(character))
      }
    }
    if isEscaped { pieces.append(.literal("\\")) }
    self.pieces = pieces
  }

  /// Takes time in proportion to pattern times text at worst: only the last `*` is ever tried again.
  ///
  /// - Parameter steps: The most comparisons to make; what was spent is taken off, below zero when it was not
  ///   enough.
  package func matches(_ text: String, steps: inout Int) -> Bool {
    let text = Array(text)
    steps -= text.count / 4
    var (piece, place) = (0, 0)
    var retry: (piece: Int, place: Int)?
    while place < text.count {
      steps -= 1
      guard steps >= 0 else { return false }
      if piece < pieces.count, pieces[piece] == .many {
        retry = (piece, place)
        piece += 1
      } else if piece < pieces.count, pieces[piece] == .one || pieces[piece] == .literal(text[place]) {
        piece += 1
        place += 1
      } else if let last = retry {
        retry = (last.piece, last.place + 1)
        (piece, place) = (last.piece + 1, last.place + 1)
      } else {
        return false
      }
    }
    return pieces[piece...].allSatisfy { $0 == .many }
  }
}
