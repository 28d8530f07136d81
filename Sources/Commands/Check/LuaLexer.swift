/// Cuts a Lua text into tokens and leaves out blanks and comments.
///
/// It never fails: what is no Lua has been found by Lua itself before, and here only ends a token early.
struct LuaLexer {
  private let bytes: [UInt8]
  private var index = 0
  private var line = 1

  static func tokens(of source: [UInt8]) -> [LuaToken] {
    var lexer = LuaLexer(bytes: source)
    lexer.skipFirstLineComment()
    var tokens: [LuaToken] = []
    while let token = lexer.next() { tokens.append(token) }
    return tokens
  }

  private init(bytes: [UInt8]) {
    self.bytes = bytes
  }

  private func peek(_ offset: Int = 0) -> UInt8? {
    index + offset < bytes.count ? bytes[index + offset] : nil
  }

  private mutating func advance() {
    if bytes[index] == UInt8(ascii: "\n") { line += 1 }
    index += 1
  }

  /// `#!` lines are no Lua, but allowed.
  private mutating func skipFirstLineComment() {
    if peek() == UInt8(ascii: "#") { skipLine() }
  }

  private mutating func skipLine() {
    while let byte = peek(), byte != UInt8(ascii: "\n") { advance() }
  }

  private mutating func next() -> LuaToken? {
    skipBlanks()
    guard let byte = peek() else { return nil }
    let start = line
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "'"):
      return LuaToken(kind: .string, text: quoted(by: byte), line: start)
    case UInt8(ascii: "[") where longBracketLevel() != nil:
      return LuaToken(kind: .string, text: longText(), line: start)
    case UInt8(ascii: "0")...UInt8(ascii: "9"):
      return LuaToken(kind: .number, text: word(dots: true), line: start)
    case _ where Self.isWord(byte): return LuaToken(kind: .name, text: word(dots: false), line: start)
    default: return LuaToken(kind: .sign, text: sign(), line: start)
    }
  }

  private mutating func skipBlanks() {
    while let byte = peek() {
      if byte == UInt8(ascii: "-"), peek(1) == UInt8(ascii: "-") {
        index += 2
        if peek() == UInt8(ascii: "["), longBracketLevel() != nil { _ = longText() } else { skipLine() }
      } else if byte == UInt8(ascii: " ") || (9...13).contains(byte) {
        advance()
      } else {
        return
      }
    }
  }

  /// The number of `=` in a long bracket that opens here.
  private func longBracketLevel() -> Int? {
    var level = 0
    while peek(1 + level) == UInt8(ascii: "=") { level += 1 }
    return peek(1 + level) == UInt8(ascii: "[") ? level : nil
  }

  private mutating func longText() -> String {
    let level = longBracketLevel() ?? 0
    let end = [UInt8(ascii: "]")] + [UInt8](repeating: UInt8(ascii: "="), count: level) + [UInt8(ascii: "]")]
    index += level + 2
    let start = index
    while index < bytes.count, !bytes[index...].starts(with: end) { advance() }
    let text = String(decoding: bytes[start..<index], as: UTF8.self)
    index = min(index + end.count, bytes.count)
    return text
  }

  private mutating func quoted(by quote: UInt8) -> String {
    advance()
    let start = index
    while let byte = peek(), byte != quote, byte != UInt8(ascii: "\n") {
      advance()
      // An escaped quote does not end the string, nor does an escaped end of line.
      if byte == UInt8(ascii: "\\"), peek() != nil { advance() }
    }
    let text = String(decoding: bytes[start..<index], as: UTF8.self)
    if peek() == quote { advance() }
    return text
  }

  private mutating func word(dots: Bool) -> String {
    let start = index
    while let byte = peek(), Self.isWord(byte) || (dots && byte == UInt8(ascii: ".") && peek(1) != byte) {
      advance()
    }
    return String(decoding: bytes[start..<index], as: UTF8.self)
  }

  private mutating func sign() -> String {
    for sign in ["...", "..", "::", "==", "~=", "<=", ">=", "//", "<<", ">>"] {
      if bytes[index...].starts(with: sign.utf8) {
        index += sign.utf8.count
        return sign
      }
    }
    let start = index
    advance()
    return String(decoding: bytes[start..<index], as: UTF8.self)
  }

  private static func isWord(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"):
      true
    default: false
    }
  }
}
