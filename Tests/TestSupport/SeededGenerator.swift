/// A small generator that gives the same numbers for the same seed (SplitMix64).
package struct SeededGenerator: RandomNumberGenerator, Sendable {
  private var state: UInt64

  package init(seed: UInt64) {
    state = seed
  }

  package mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
  }
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
