import JSON
import Testing

@Suite struct JSONNodeTests {
  @Test(
    arguments: [
      ("7", 7, 7.0), ("-0", 0, 0), ("7.0", 7, 7), ("7.5", nil, 7.5), ("1e3", 1000, 1000),
      ("9223372036854775807", Int.max, 0x1p63),
      ("18446744073709551615", nil, 0x1p64), ("1e300", nil, 1e300), ("\"7\"", nil, nil),
      ("true", nil, nil),
    ] as [(String, Int?, Double?)])
  func `an integer accepts a whole number, a number accepts an integer, a text neither`(
    text: String, integer: Int?, number: Double?
  ) throws {
    let node = try JSONNode(parsing: "[\(text)]").elements[0]
    #expect(node.integer == integer)
    #expect(node.number == number)
  }

  @Test(
    arguments: [
      ("true", true), ("false", false), ("1", true), ("0", false), ("1.0", true), ("2", nil),
      ("\"true\"", nil),
      ("[]", nil),
    ] as [(String, Bool?)])
  func `a boolean accepts the numbers 0 and 1`(text: String, bool: Bool?) throws {
    #expect(try JSONNode(parsing: "[\(text)]").elements[0].bool == bool)
  }

  @Test func `a null member and a member of the wrong kind count as absent`() throws {
    let node = try JSONNode(parsing: #"{"none":null,"text":"a","list":[1,null]}"#)
    #expect(node["none"] == nil)
    #expect(node["missing"] == nil)
    #expect(node["text"]?.integer == nil)
    #expect(node["text"]?["deeper"] == nil)
    #expect(node["list"]?.elements.map(\.value) == [1, .null])
    #expect(node["text"]?.elements.isEmpty == true)
    #expect(node.members.map(\.key) == ["none", "text", "list"])
  }

  @Test func `text keeps NUL, escapes and every script`() throws {
    let node = try JSONNode(parsing: #"{"a\u0000b":"\u0000 \"\\\/ \u00e9 \ud83d\ude00"}"#)
    #expect(node["a\0b"]?.string == "\0 \"\\/ é 😀")
  }

  @Test(arguments: ["", " ", "{", "[1,]", "{\"a\":}", "nul", "1 2", "\"a", "\"\\u12g4\"", "{'a':1}"])
  func `a text that is no JSON is an error`(text: String) {
    #expect(throws: JSONError.malformed) { try JSONNode(parsing: text) }
  }

  @Test(
    arguments: [
      (Array("\"a".utf8) + [0xFF] + Array("b\"".utf8), "a\u{FFFD}b"),
      (Array("\"a".utf8) + [0xC3] + Array("\"".utf8), "a\u{FFFD}"),
      (Array(#""cut \ud83d""#.utf8), "cut \u{FFFD}"), (Array(#""\ude00 cut""#.utf8), "\u{FFFD} cut"),
      (Array(#""\ud83d\ud83d\ude00 \\ud83d""#.utf8), "\u{FFFD}😀 \\ud83d"),
      ([0xEF, 0xBB, 0xBF] + Array("\"mark\"".utf8), "mark"),
    ] as [([UInt8], String)])
  func `a broken character costs itself and nothing else`(bytes: [UInt8], text: String) throws {
    #expect(try JSONNode(parsing: bytes).string == text)
  }

  @Test func `a node outlives the one it was taken from`() throws {
    func inner() throws -> JSONNode? { try JSONNode(parsing: #"{"a":{"b":["c"]}}"#)["a"]?["b"] }
    #expect(try inner()?.elements.first?.string == "c")
  }

  @Test func `a nest too deep is an error, one that is allowed can be copied`() throws {
    let deep = { (depth: Int) in String(repeating: "[", count: depth) + String(repeating: "]", count: depth) }
    #expect(throws: JSONError.self) { try JSONNode(parsing: deep(100_000)) }
    #expect(try JSONNode(parsing: deep(500)).value.text == deep(500))
  }
}
