/// The tokens of a Lua text, and which bracket or block each stands in.
struct LuaOutline {
  let tokens: [LuaToken]
  /// The token that opens what a token stands in, such as `{`, `(` or `function`; `nil` at the top.
  private let enclosing: [Int?]

  init(_ source: [UInt8]) {
    tokens = LuaLexer.tokens(of: source)
    var open: [Int] = []
    enclosing = tokens.indices.map { [tokens] index in
      if Self.closes(tokens[index]) { _ = open.popLast() }
      defer { if Self.opens(tokens[index]) { open.append(index) } }
      return open.last
    }
  }

  // `while` and `for` open nothing: their `do` does.
  private static func opens(_ token: LuaToken) -> Bool {
    switch token.kind {
    case .sign: ["(", "{", "["].contains(token.text)
    case .name: ["function", "if", "do", "repeat"].contains(token.text)
    default: false
    }
  }

  private static func closes(_ token: LuaToken) -> Bool {
    switch token.kind {
    case .sign: [")", "}", "]"].contains(token.text)
    case .name: ["end", "until"].contains(token.text)
    default: false
    }
  }

  subscript(index: Int) -> LuaToken? { tokens.indices.contains(index) ? tokens[index] : nil }

  func isSign(_ sign: String, at index: Int) -> Bool { self[index]?.isSign(sign) ?? false }

  func isName(_ name: String, at index: Int) -> Bool { self[index]?.isName(name) ?? false }

  func isAtTop(_ index: Int) -> Bool { enclosing[index] == nil }

  /// Whether a name is a key of a table constructor, as in `{ name = 1 }`.
  func isKey(at index: Int) -> Bool {
    guard tokens[index].kind == .name, isSign("=", at: index + 1) else { return false }
    return enclosing[index].map { tokens[$0].isSign("{") } ?? false
  }

  /// The keys of a table constructor, those of inner ones left out.
  func keys(ofTableAt index: Int) -> [LuaToken] {
    tokens.indices.filter { enclosing[$0] == index && isKey(at: $0) }.map { tokens[$0] }
  }

  /// Where the tables begin that are arguments of a call themselves; `(` or `{` at the index.
  func tables(inArgumentsAt index: Int) -> [Int] {
    if isSign("{", at: index) { return [index] }
    guard isSign("(", at: index) else { return [] }
    return tokens.indices.filter { place in
      enclosing[place] == index && isSign("{", at: place)
        && (isSign("(", at: place - 1) || isSign(",", at: place - 1))
    }
  }

  /// Where the tables begin that are elements of a table themselves.
  func tables(inTableAt index: Int) -> [Int] {
    tokens.indices.filter { place in
      enclosing[place] == index && isSign("{", at: place) && !isSign("=", at: place - 1)
    }
  }

  /// The names of a function's parameters, `function` at the index.
  func parameters(ofFunctionAt index: Int) -> [String] {
    guard let open = tokens.indices.first(where: { $0 > index && isSign("(", at: $0) }) else { return [] }
    return tokens[(open + 1)...].prefix { !$0.isSign(")") }.filter { $0.kind == .name }.map(\.text)
  }
}
