import Dialects
import TestSupport
import Testing

/// What both ends of the wire share: form coding, parameters, bounds on rates.
@Suite struct ClientWireTests {
  @Test(arguments: [
    ("a b", "a%20b"), ("-._~?/", "-._~?/"), ("a+b&c=d", "a%2Bb%26c%3Dd"), ("é😀", "%C3%A9%F0%9F%98%80"),
    ("", ""),
    ("%", "%25"), ("\n", "%0A"),
  ])
  func `everything but the plain characters is encoded`(text: String, coded: String) {
    #expect(String(decoding: FormCoding.encode([.init("k", text)]), as: UTF8.self) == "k=" + coded)
  }

  @Test(arguments: [
    ("a=1&b=2", [WireRequest.Parameter("a", "1"), .init("b", "2")]), ("a=x+y%20z", [.init("a", "x y z")]),
    ("a", [.init("a", "")]), ("a=b=c", [.init("a", "b=c")]), ("&&a=1&", [.init("a", "1")]),
    ("a=%zz%4", [.init("a", "%zz%4")]), ("a=%FF", [.init("a", "\u{FFFD}")]), ("", []),
  ])
  func `a form is read tolerantly`(text: String, parameters: [WireRequest.Parameter]) {
    #expect(FormCoding.decode(text.utf8) == parameters)
  }

  @Test(arguments: 0..<200 as Range<UInt64>)
  func `what is encoded is decoded`(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let parameters = (0..<5).map { _ in
      WireRequest.Parameter(Self.text(&random), Self.text(&random))
    }
    #expect(FormCoding.decode(FormCoding.encode(parameters)) == parameters)
    let text = Self.text(&random)
    let segment = FormCoding.encodePathSegment(text)
    #expect(FormCoding.decodePath(segment) == text)
    #expect(!segment.utf8.contains(UInt8(ascii: "/")) && !segment.utf8.contains(UInt8(ascii: "?")))
  }

  private static func text(_ random: inout SeededGenerator) -> String {
    let characters = Array("aZ09 +&=%/?#\u{0}\n\"\\é😀я\u{301}")
    return String(
      (0..<Int.random(in: 1..<8, using: &random)).map { _ in
        characters[Int.random(in: 0..<characters.count, using: &random)]
      })
  }

  @Test func `a parameter is found in body and query, the body first`() {
    let request = WireRequest(
      .post, "/x", query: [.init("a", "1"), .init("b", "2")], form: [.init("a", "3"), .init("a", "4")],
      timeout: 1)
    #expect(request["a"] == "4" && request["b"] == "2" && request["c"] == nil)
  }

  @Test func `a rate is bounded in each second`() {
    var limit = RateLimit(perSecond: 3)
    for second in [10.0, 11, 20] {
      for _ in 0..<3 { #expect(limit.take(now: second) == nil) }
      #expect(limit.take(now: second + 0.25) == 0.75)
    }
    #expect(limit.take(now: 5) == nil)
  }
}
