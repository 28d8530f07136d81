/// Reads a Lua text that Lua itself has compiled.
///
/// It never fails: of what it does not understand it leaves out a token and goes on. Nesting is bounded by
/// Lua's own limit; chains and operators, which have none, are read in loops.
struct LuaParser {
  private let tokens: [LuaToken]
  private var index = 0

  static func statements(of source: [UInt8]) -> [LuaStatement] {
    var parser = LuaParser(tokens: LuaLexer.tokens(of: source))
    var statements: [LuaStatement] = []
    while parser.token != nil {
      statements += parser.block()
      parser.index += 1
    }
    return statements
  }

  private init(tokens: [LuaToken]) {
    self.tokens = tokens
  }

  private var token: LuaToken? { index < tokens.count ? tokens[index] : nil }

  private func isSign(_ sign: String) -> Bool { token?.isSign(sign) ?? false }

  private func isWord(_ word: String) -> Bool { token?.isName(word) ?? false }

  /// Passes over a sign or keyword, when it is there.
  private mutating func take(_ text: String) -> Bool {
    guard isSign(text) || isWord(text) else { return false }
    index += 1
    return true
  }

  private mutating func name() -> LuaToken? {
    guard let token, token.kind == .name, !token.isKeyword else { return nil }
    index += 1
    return token
  }

  private mutating func names() -> [LuaToken] {
    var names: [LuaToken] = []
    while let name = name() {
      names.append(name)
      if take("<") {
        _ = self.name()
        _ = take(">")
      }
      guard take(",") else { break }
    }
    return names
  }
}

// MARK: - Statements

extension LuaParser {
  private static let ends: Set = ["end", "else", "elseif", "until"]

  private mutating func block() -> [LuaStatement] {
    var statements: [LuaStatement] = []
    while let token, !(token.kind == .name && Self.ends.contains(token.text)) {
      let before = index
      statements += statement(token)
      if index == before { index += 1 }
    }
    return statements
  }

  private mutating func statement(_ token: LuaToken) -> [LuaStatement] {
    guard token.kind == .name else { return simpleStatement() }
    switch token.text {
    case "do", "while": return [loop()]
    case "repeat": return [repeatLoop()]
    case "if": return ifStatement()
    case "for": return [forLoop()]
    case "function": return functionStatement()
    case "local": return localStatement()
    case "return":
      index += 1
      let values = startsExpression ? expressions() : []
      return [.return(values)]
    case "goto":
      index += 2
      return []
    case "break":
      index += 1
      return []
    default: return simpleStatement()
    }
  }

  /// `do … end` and `while … do … end`.
  private mutating func loop() -> LuaStatement {
    let before = take("while") ? [expression()] : []
    _ = take("do")
    let body = block()
    _ = take("end")
    return .block(before: before, names: [], body, until: nil)
  }

  private mutating func repeatLoop() -> LuaStatement {
    index += 1
    let body = block()
    let condition = take("until") ? expression() : nil
    return .block(before: [], names: [], body, until: condition)
  }

  private mutating func ifStatement() -> [LuaStatement] {
    var branches: [LuaStatement] = []
    while take("if") || take("elseif") {
      let condition = expression()
      _ = take("then")
      branches.append(.block(before: [condition], names: [], block(), until: nil))
    }
    if take("else") { branches.append(.block(before: [], names: [], block(), until: nil)) }
    _ = take("end")
    return branches
  }

  private mutating func forLoop() -> LuaStatement {
    index += 1
    let names = names()
    if !take("=") { _ = take("in") }
    let values = expressions()
    _ = take("do")
    let body = block()
    _ = take("end")
    return .block(before: values, names: names, body, until: nil)
  }

  private mutating func functionStatement() -> [LuaStatement] {
    let start = index
    index += 1
    guard let first = name() else { return [] }
    var path: [LuaToken] = []
    while take("."), let name = name() { path.append(name) }
    let isMethod = take(":")
    if isMethod, let name = name() { path.append(name) }
    return [.function(first, path, function(at: start, isMethod: isMethod))]
  }

  private mutating func localStatement() -> [LuaStatement] {
    index += 1
    if isWord("function") {
      let start = index
      index += 1
      guard let name = name() else { return [] }
      return [.localFunction(name, function(at: start, isMethod: false))]
    }
    let names = names()
    return [.local(names, take("=") ? expressions() : [])]
  }

  /// A call, an assignment, or a sign of no account.
  private mutating func simpleStatement() -> [LuaStatement] {
    if take("::") {
      index += 2
      return []
    }
    guard startsExpression else { return [] }
    var targets = [chain()]
    while take(",") { targets.append(chain()) }
    if take("=") { return [.assignment(targets, expressions())] }
    return targets.map { .expression($0) }
  }
}

// MARK: - Expressions

extension LuaParser {
  private static let binary: Set = [
    "+", "-", "*", "/", "//", "%", "^", "&", "|", "~", "<<", ">>", "..", "==", "~=", "<", "<=", ">", ">=",
    "and", "or",
  ]
  private static let unary: Set = ["-", "#", "~", "not"]
  private static let constants: Set = ["nil", "true", "false"]

  private var startsExpression: Bool {
    guard let token else { return false }
    switch token.kind {
    case .string, .number: return true
    case .name:
      return !token.isKeyword || Self.constants.contains(token.text)
        || ["not", "function"].contains(token.text)
    case .sign: return ["(", "{", "...", "-", "#", "~"].contains(token.text)
    }
  }

  private mutating func expressions() -> [LuaExpression] {
    var expressions = [expression()]
    while take(",") { expressions.append(expression()) }
    return expressions
  }

  private mutating func expression() -> LuaExpression {
    var operands = [operand()]
    while let token, token.kind != .string, Self.binary.contains(token.text) {
      index += 1
      operands.append(operand())
    }
    return operands.count == 1 ? operands[0] : .operation(operands)
  }

  private mutating func operand() -> LuaExpression {
    var isChanged = false
    while let token, token.kind != .string, Self.unary.contains(token.text) {
      index += 1
      isChanged = true
    }
    let operand = simple()
    return isChanged ? .operation([operand]) : operand
  }

  private mutating func simple() -> LuaExpression {
    guard let token else { return .operation([]) }
    switch token.kind {
    case .string:
      index += 1
      return .string(token)
    case .number:
      index += 1
      return .number(token)
    case .name where token.text == "function":
      let start = index
      index += 1
      return .function(function(at: start, isMethod: false))
    case .name where Self.constants.contains(token.text), .sign where token.text == "...":
      index += 1
      return .constant(token)
    case .sign where token.text == "{": return .table(table())
    default: return chain()
    }
  }

  /// A name or parentheses, and the fields and calls that follow.
  private mutating func chain() -> LuaExpression {
    let head: LuaExpression
    if take("(") {
      // One value of many, so no function that is called with what the parentheses hold.
      head = .operation([expression()])
      _ = take(")")
    } else if let name = name() {
      head = .name(name)
    } else {
      return .operation([])
    }
    var suffixes: [LuaSuffix] = []
    while let suffix = suffix() { suffixes.append(suffix) }
    return suffixes.isEmpty ? head : .chain(head, suffixes)
  }

  private mutating func suffix() -> LuaSuffix? {
    if take(".") { return name().map { .field($0) } }
    if take("[") {
      let key = expression()
      _ = take("]")
      return .index(key)
    }
    if take(":") {
      guard let name = name() else { return nil }
      return .method(name, arguments() ?? [])
    }
    return arguments().map { .call($0) }
  }

  private mutating func arguments() -> [LuaExpression]? {
    guard let token else { return nil }
    if token.kind == .string {
      index += 1
      return [.string(token)]
    }
    if isSign("{") { return [.table(table())] }
    guard take("(") else { return nil }
    let arguments = isSign(")") ? [] : expressions()
    _ = take(")")
    return arguments
  }

  private mutating func table() -> LuaTable {
    let id = tokens[index].offset
    index += 1
    var entries: [LuaTable.Entry] = []
    while token != nil, !isSign("}") {
      let before = index
      entries.append(entry())
      if !take(",") { _ = take(";") }
      if index == before { index += 1 }
    }
    _ = take("}")
    return LuaTable(id: id, entries: entries)
  }

  private mutating func entry() -> LuaTable.Entry {
    if take("[") {
      let key = expression()
      _ = take("]")
      _ = take("=")
      let value = expression()
      if case .string(let token) = key { return LuaTable.Entry(key: token, computed: nil, value: value) }
      return LuaTable.Entry(key: nil, computed: key, value: value)
    }
    if index + 1 < tokens.count, tokens[index + 1].isSign("="), let key = name() {
      index += 1
      return LuaTable.Entry(key: key, computed: nil, value: expression())
    }
    return LuaTable.Entry(key: nil, computed: nil, value: expression())
  }

  /// Parameters and body; the index stands at the parenthesis.
  private mutating func function(at start: Int, isMethod: Bool) -> LuaFunction {
    _ = take("(")
    let parameters = names()
    _ = take("...")
    _ = take(")")
    let body = block()
    _ = take("end")
    return LuaFunction(id: tokens[start].offset, parameters: parameters, isMethod: isMethod, body: body)
  }
}
