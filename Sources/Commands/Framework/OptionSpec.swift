import Script

/// One option: a row that gives its parsing, its help and its name in `visitant.lua`.
package struct OptionSpec: Sendable {
  package enum Kind: Equatable, Sendable {
    /// Takes no value.
    case flag
    /// Any text; the word stands for it in help.
    case text(String)
    case integer(ClosedRange<Int>)
    /// A time; read in seconds.
    case duration
    /// A size; read in bytes.
    case size
    case choice([String])
  }

  /// Without the dashes.
  package let name: String
  package let kind: Kind
  /// What help says, in lower case and without a full stop.
  package let summary: String
  /// What holds when nobody says otherwise, as it would be typed.
  package let builtIn: String?
  /// Whether it may be given several times, each adding a value.
  package let isRepeated: Bool

  package init(
    _ name: String, _ kind: Kind, _ summary: String, builtIn: String? = nil, isRepeated: Bool = false
  ) {
    self.name = name
    self.kind = kind
    self.summary = summary
    self.builtIn = builtIn
    self.isRepeated = isRepeated
  }

  /// As `visitant.lua` names it.
  var settingName: String { name.replacing("-", with: "_") }

  /// How help shows what to type.
  var usage: String {
    switch kind {
    case .flag: "--\(name)"
    case .text(let word): "--\(name) \(word)"
    case .integer: "--\(name) N"
    case .duration: "--\(name) TIME"
    case .size: "--\(name) SIZE"
    case .choice(let words): "--\(name) \(words.joined(separator: "|"))"
    }
  }

  /// Throws a ``CommandFailure`` that says what is wrong with a value, unless it is right.
  func check(_ value: String) throws(CommandFailure) {
    switch kind {
    case .flag:
      guard value == "true" || value == "false" else { throw wrong(value, "is true or false") }
    case .text:
      guard !value.isEmpty else { throw .usage("--\(name) needs a value") }
    case .integer(let range):
      guard let number = Int(value), range.contains(number) else { throw wrong(value, Self.describe(range)) }
    case .duration:
      guard Quantity.seconds(value) != nil else {
        throw wrong(value, "is a time such as 250ms, 90s, 2m or 1h30m")
      }
    case .size:
      guard Quantity.bytes(value) != nil else { throw wrong(value, "is a size such as 64K or 2M") }
    case .choice(let words):
      guard !words.contains(value) else { return }
      let nearest = NearestWord.find(value, among: words)
      throw .usage("--\(name) \(value): it is one of \(words.joined(separator: ", "))", nearest: nearest)
    }
  }

  private func wrong(_ value: String, _ what: String) -> CommandFailure {
    .usage("--\(name) \(value): it \(what)")
  }

  private static func describe(_ range: ClosedRange<Int>) -> String {
    range.upperBound == .max
      ? "is a whole number from \(range.lowerBound)"
      : "is a whole number from \(range.lowerBound) to \(range.upperBound)"
  }
}
