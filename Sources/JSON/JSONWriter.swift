/// Writes compact JSON into bytes.
///
///     var writer = JSONWriter()
///     writer.object {
///       $0.member("text", "Hello")
///       $0.member("buttons") { $0.array { for id in ids { $0.value(id) } } }
///     }
///     send(writer.bytes)
package struct JSONWriter {
  package private(set) var bytes: [UInt8] = []
  /// Whether the value about to be written follows another one in its array or object.
  private var needsComma = false

  package init() {}

  package var text: String { String(decoding: bytes, as: UTF8.self) }

  package mutating func object(_ body: (inout JSONWriter) -> Void) {
    enclosed(by: UInt8(ascii: "{"), UInt8(ascii: "}"), body)
  }

  package mutating func array(_ body: (inout JSONWriter) -> Void) {
    enclosed(by: UInt8(ascii: "["), UInt8(ascii: "]"), body)
  }

  /// A member of the object being written; `body` writes exactly one value.
  package mutating func member(_ key: String, _ body: (inout JSONWriter) -> Void) {
    separate()
    quote(key)
    bytes.append(UInt8(ascii: ":"))
    needsComma = false
    body(&self)
    needsComma = true
  }

  package mutating func member(_ key: String, _ value: String) { member(key) { $0.value(value) } }
  package mutating func member(_ key: String, _ value: Int) { member(key) { $0.value(value) } }
  package mutating func member(_ key: String, _ value: Double) { member(key) { $0.value(value) } }
  package mutating func member(_ key: String, _ value: Bool) { member(key) { $0.value(value) } }
  package mutating func member(_ key: String, _ value: JSONValue) { member(key) { $0.value(value) } }

  /// The `optional` forms leave the member out when there is no value.
  package mutating func member(optional key: String, _ value: String?) {
    if let value { member(key, value) }
  }

  package mutating func member(optional key: String, _ value: Int?) {
    if let value { member(key, value) }
  }

  package mutating func member(optional key: String, _ value: Double?) {
    if let value { member(key, value) }
  }

  package mutating func member(optional key: String, _ value: Bool?) {
    if let value { member(key, value) }
  }

  package mutating func null() { word("null") }
  package mutating func value(_ value: Bool) { word(value ? "true" : "false") }
  package mutating func value(_ value: Int) { word(String(value)) }

  /// A number that is not finite is written as null: JSON has no word for it.
  package mutating func value(_ value: Double) {
    word(value.isFinite ? "\(value)" : "null")
  }

  package mutating func value(_ value: String) {
    separate()
    quote(value)
    needsComma = true
  }

  package mutating func value(_ value: JSONValue) {
    switch value {
    case .null: null()
    case .bool(let bool): self.value(bool)
    case .integer(let integer): self.value(integer)
    case .number(let number): self.value(number)
    case .string(let string): self.value(string)
    case .array(let elements): array { for element in elements { $0.value(element) } }
    case .object(let members): object { for member in members { $0.member(member.key, member.value) } }
    }
  }

  /// A value that is JSON already.
  package mutating func raw(_ json: [UInt8]) {
    separate()
    bytes.append(contentsOf: json)
    needsComma = true
  }

  private mutating func word(_ word: String) {
    separate()
    bytes.append(contentsOf: word.utf8)
    needsComma = true
  }

  private mutating func enclosed(by open: UInt8, _ close: UInt8, _ body: (inout JSONWriter) -> Void) {
    separate()
    bytes.append(open)
    needsComma = false
    body(&self)
    bytes.append(close)
    needsComma = true
  }

  private mutating func separate() {
    if needsComma { bytes.append(UInt8(ascii: ",")) }
  }

  private mutating func quote(_ text: String) {
    bytes.append(UInt8(ascii: "\""))
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "\""), UInt8(ascii: "\\"): escape(byte)
      case 0x0A: escape(UInt8(ascii: "n"))
      case 0x0D: escape(UInt8(ascii: "r"))
      case 0x09: escape(UInt8(ascii: "t"))
      case 0..<0x20, 0x7F: escape(code: byte)
      default: bytes.append(byte)
      }
    }
    bytes.append(UInt8(ascii: "\""))
  }

  private mutating func escape(_ letter: UInt8) {
    bytes.append(UInt8(ascii: "\\"))
    bytes.append(letter)
  }

  private mutating func escape(code: UInt8) {
    let digits: StaticString = "0123456789abcdef"
    bytes.append(contentsOf: "\\u00".utf8)
    bytes.append(digits.utf8Start[Int(code >> 4)])
    bytes.append(digits.utf8Start[Int(code & 15)])
  }
}
