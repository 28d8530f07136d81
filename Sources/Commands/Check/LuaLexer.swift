/// Cuts a Lua text into tokens and leaves out blanks and comments.
///
/// It never fails: what is no Lua has been found by Lua itself before, and here only ends a token early.
struct LuaLexer {
  private let bytes: [UInt8]
  private var index = 0
  private var line = 1
  /// A place in the line, and the characters before it.
  private var mark = (index: 0, characters: 0)

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
    index += 1
    guard bytes[index - 1] == UInt8(ascii: "\n") else { return }
    line += 1
    mark = (index, 0)
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
    let (offset, line) = (index, line)
    // Bytes that go on with a character begin with the bits 10.
    mark = (index, mark.characters + bytes[mark.index..<index].count { $0 & 0xC0 != 0x80 })
    let column = mark.characters + 1
    let (kind, text) = part(beginningWith: byte)
    return LuaToken(kind: kind, text: text, offset: offset, line: line, column: column)
  }

  private mutating func part(beginningWith byte: UInt8) -> (LuaToken.Kind, String) {
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "'"): (.string, quoted(by: byte))
    case UInt8(ascii: "[") where longBracketLevel() != nil: (.string, longText())
    case UInt8(ascii: "0")...UInt8(ascii: "9"): (.number, word(dots: true))
    case UInt8(ascii: ".") where peek(1).map(Self.isDigit) ?? false: (.number, word(dots: true))
    case _ where Self.isWord(byte): (.name, word(dots: false))
    default: (.sign, sign())
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
      if byte == UInt8(ascii: "\\") { skipEscaped() }
    }
    let text = String(decoding: bytes[start..<index], as: UTF8.self)
    if peek() == quote { advance() }
    return text
  }

  /// An escaped quote does not end the string, nor does an escaped end of line, nor those that `\z` skips.
  private mutating func skipEscaped() {
    guard let escaped = peek() else { return }
    advance()
    if escaped == UInt8(ascii: "\r"), peek() == UInt8(ascii: "\n") { advance() }
    guard escaped == UInt8(ascii: "z") else { return }
    while let byte = peek(), byte == UInt8(ascii: " ") || (9...13).contains(byte) { advance() }
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

  private static func isDigit(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
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
