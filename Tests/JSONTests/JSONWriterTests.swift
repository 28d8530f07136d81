import JSON
import Testing

@Suite struct JSONWriterTests {
  @Test func `members, elements and nests are parted by commas`() {
    var writer = JSONWriter()
    writer.object {
      $0.member("a", 1)
      $0.member("b") { $0.array { writer in [1, 2].forEach { writer.value($0) } } }
      $0.member("c") { $0.object { _ in } }
      $0.member(optional: "d", nil as String?)
      $0.member(optional: "e", true as Bool?)
      $0.member("f", JSONValue.null)
      $0.member("g") { $0.raw(Array("[3]".utf8)) }
      $0.member("h", 0.5)
    }
    #expect(writer.text == #"{"a":1,"b":[1,2],"c":{},"e":true,"f":null,"g":[3],"h":0.5}"#)
  }

  @Test(arguments: [
    ("\"\\/", #""\"\\/""#), ("\n\r\t", #""\n\r\t""#), ("\0\u{1B}\u{7F}", #""\u0000\u001b\u007f""#),
    ("é😀", "\"é😀\""),
  ])
  func `text is escaped where JSON or a terminal needs it`(text: String, json: String) {
    #expect(JSONValue.string(text).text == json)
  }

  @Test(arguments: [Double.nan, .infinity, -.infinity])
  func `a number that JSON has no word for is null`(number: Double) {
    #expect(JSONValue.number(number).text == "null")
  }

  @Test(arguments: [
    0.1, 1e21, -Double.leastNonzeroMagnitude, 1_700_000_000.25, Double.greatestFiniteMagnitude, -0.0,
  ])
  func `a number comes back exactly`(number: Double) throws {
    let read = try JSONNode(parsing: JSONValue.number(number).text).number
    #expect(read?.bitPattern == number.bitPattern)
  }
}
