import JSON
import TestSupport
import Testing

@Suite struct AbridgedTests {
  @Test func `a short text stays, a long one ends with how much was cut`() {
    #expect(String(repeating: "x", count: 2_000).abridged() == String(repeating: "x", count: 2_000))
    let cut = String(repeating: "x", count: 1_000_000).abridged()
    #expect(cut == String(repeating: "x", count: 1_950) + "… (998050 more bytes)")
  }

  @Test(arguments: 1...20 as ClosedRange<UInt64>)
  func `whatever the text, it is bounded, whole scalars, and cut once only`(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    let text = (0..<200).map { _ in generator.text() }.joined()
    let limit = generator.integer(100...3_000)
    let cut = text.abridged(to: limit)
    #expect(cut.utf8.count <= limit)
    if text.utf8.count > limit {
      let note = try #require(cut.unicodeScalars.lastIndex(of: "…"))
      // A scalar that was cut through would not be the text's.
      #expect(text.utf8.starts(with: cut[..<note].utf8))
      let rest = text.utf8.count - cut[..<note].utf8.count
      #expect(cut[note...] == "… (\(rest) more bytes)")
      #expect(cut.utf8.count > limit - 60)
    } else {
      #expect(cut == text)
    }
    #expect(cut.abridged(to: limit) == cut)
  }
}
