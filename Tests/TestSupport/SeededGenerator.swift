internal import JSON

/// The product's own generator, with what tests draw from it.
package struct SeededGenerator: RandomNumberGenerator, Sendable {
  private var base: SplitMix64

  package init(seed: UInt64) {
    base = SplitMix64(seed: seed)
  }

  package mutating func next() -> UInt64 { base.next() }
}

extension SeededGenerator {
  /// True once in `count` times.
  package mutating func oneIn(_ count: Int) -> Bool {
    Int.random(in: 0..<count, using: &self) == 0
  }

  package mutating func integer(_ range: ClosedRange<Int>) -> Int {
    Int.random(in: range, using: &self)
  }

  /// One of the elements; `fallback` when there are none.
  package mutating func pick<Element>(_ elements: [Element], or fallback: Element) -> Element {
    elements.randomElement(using: &self) ?? fallback
  }

  /// A value half of the time.
  package mutating func maybe<Value>(_ make: (inout SeededGenerator) -> Value) -> Value? {
    oneIn(2) ? nil : make(&self)
  }

  /// A short text with what breaks careless code: quotes, controls, other scripts, joined emoji.
  package mutating func text() -> String {
    let pieces = [
      "a", "Z", "0", " ", "\"", "\\", "/", "\n", "\t", "\r", "\u{0}", "\u{1B}", "\u{7F}", "é", "Привет", "日本",
      "👩‍👩‍👧",
      "\u{202E}", "\u{FFFD}", "]]>", "{", "}",
    ]
    return (0..<integer(0...8)).map { _ in pick(pieces, or: "") }.joined()
  }
}
