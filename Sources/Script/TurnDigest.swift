/// What a turn asked for, short enough to stand in a journal beside the input that began it.
///
/// Two turns agree when they asked the same words with the same arguments in the same order; lines may move.
package struct TurnDigest: Equatable, Sendable {
  package struct Entry: Equatable, Sendable {
    package var word: String
    /// 0 when no line is known.
    package var line: Int
    /// Of the word with its arguments.
    package var hash: UInt64
  }

  /// Entries beyond this many are folded into the last one.
  private static let limit = 16

  package private(set) var entries: [Entry] = []

  package init() {}

  package mutating func append(word: String, line: Int?, arguments: String) {
    let hash = Self.hash(arguments.utf8, from: Self.hash(word.utf8))
    if entries.count < Self.limit {
      entries.append(Entry(word: word, line: line ?? 0, hash: hash))
    } else {
      let folded = entries[Self.limit - 1].hash
      entries[Self.limit - 1].hash = (folded &* 31) ^ hash
    }
  }

  /// FNV-1a.
  package static func hash(_ bytes: some Sequence<UInt8>, from start: UInt64 = 0xCBF2_9CE4_8422_2325)
    -> UInt64
  {
    bytes.reduce(start) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
  }

  /// Why this turn is not the one of the journal, and at which line of the script; nil when it is.
  package func difference(from journal: TurnDigest) -> (message: String, line: Int?)? {
    for index in 0..<max(entries.count, journal.entries.count) {
      let now = entries.indices.contains(index) ? entries[index] : nil
      let then = journal.entries.indices.contains(index) ? journal.entries[index] : nil
      if now?.word == then?.word, now?.hash == then?.hash { continue }
      return (Self.difference(then, now), now?.line ?? then?.line)
    }
    return nil
  }

  private static func difference(_ then: Entry?, _ now: Entry?) -> String {
    let journal = then.map { "the journal has \($0.place)" } ?? "the journal has nothing more in this turn"
    guard let now else { return "\(journal), the script now asks nothing" }
    guard now.word == then?.word else { return "\(journal), the script now asks \(now.place)" }
    return "\(journal), the script now asks it with other arguments"
  }
}

extension TurnDigest.Entry {
  fileprivate var place: String { line == 0 ? word : "\(word) at line \(line)" }
}

extension TurnDigest: LosslessStringConvertible {
  package var description: String {
    entries.map { "\($0.word):\($0.line):\(String($0.hash, radix: 16))" }.joined(separator: " ")
  }

  package init?(_ description: String) {
    for part in description.split(separator: " ") {
      let fields = part.split(separator: ":")
      guard fields.count == 3, let line = Int(fields[1]), let hash = UInt64(fields[2], radix: 16) else {
        return nil
      }
      entries.append(Entry(word: String(fields[0]), line: line, hash: hash))
    }
  }
}
