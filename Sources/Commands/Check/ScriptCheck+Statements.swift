import Script

/// The statements of a text.
extension ScriptCheck {
  mutating func walk(_ statements: [LuaStatement]) {
    for statement in statements { walk(statement) }
  }

  private mutating func walk(_ statement: LuaStatement) {
    switch statement {
    case .local(let names, let values):
      let known = values.map { look(at: $0) }
      for (index, name) in names.enumerated() {
        if known.indices.contains(index) {
          bind(name, to: known[index])
        } else if values.isEmpty {
          bindLater(name)
        } else {
          bind(name, to: .unknown)
        }
      }
    case .localFunction(let name, let function):
      bind(name, to: .function(function.id))
      _ = look(at: .function(function))
    case .function(let name, let path, let function): walk(name, path, function)
    case .assignment(let targets, let values): walk(targets, values)
    case .expression(let expression): _ = look(at: expression)
    case .return(let values): walk(returned: values)
    case .block(let before, let names, let body, let until):
      for expression in before { use(expression) }
      inScope { check in
        for name in names { check.bind(name, to: .unknown) }
        check.walk(body)
        if let until { check.use(until) }
      }
    }
  }

  /// `function a.b() … end`.
  private mutating func walk(_ name: LuaToken, _ path: [LuaToken], _ function: LuaFunction) {
    _ = look(at: .function(function))
    if path.isEmpty {
      assign(name, .function(function.id))
    } else if path.count == 1, !function.isMethod, let key = path.first {
      hold(.function(function.id), under: key, in: known(name.text))
    }
  }

  private mutating func walk(_ targets: [LuaExpression], _ values: [LuaExpression]) {
    let known = values.map { look(at: $0) }
    for (index, target) in targets.enumerated() {
      let value = known.indices.contains(index) ? known[index] : .unknown
      switch target {
      case .name(let name): assign(name, value)
      case .chain(.name(let name), let suffixes) where suffixes.count == 1:
        _ = look(at: target)
        if case .field(let key) = suffixes[0] { hold(value, under: key, in: self.known(name.text)) }
      default: _ = look(at: target)
      }
    }
  }

  private mutating func walk(returned values: [LuaExpression]) {
    let known = values.map { look(at: $0) }
    guard depth == 0, let first = known.first else { return }
    switch first {
    case .function(let id):
      facts.returned.insert(id)
      if let parameter = functions[id]?.parameters.first { facts.give(main(parameter), to: parameter.offset) }
    case .table(let id): facts.returned.insert(id)
    default: break
    }
  }
}

// MARK: - What a file gives

extension ScriptCheck {
  /// What a file's function gets first: a desk or a visitor, whichever it is spoken to as.
  private mutating func main(_ parameter: LuaToken) -> Known {
    let said = facts.said[parameter.offset] ?? []
    let visitors = words.names(of: words.visitor)
    let desks = words.names(of: words.desk)
    let asVisitor = said.count { isTelling($0, of: visitors.subtracting(desks)) }
    let asDesk = said.count { isTelling($0, of: desks.subtracting(visitors)) || $0.hasPrefix("on_") }
    if asDesk > asVisitor || (parameter.text == words.desk.object && asDesk == asVisitor) {
      facts.isDesk = true
      return .object(words.desk.object)
    }
    // A module returns functions, too, and so does what says nothing of its own: they may be anything.
    return asVisitor > asDesk || parameter.text == words.visitor.object
      ? .object(words.visitor.object) : .nothing
  }

  /// Whether a word is one of these, or nearly.
  private func isTelling(_ word: String, of words: Set<String>) -> Bool {
    words.contains(word) || NearestWord.find(word, among: words, within: word.count < 5 ? 1 : 2) != nil
  }

  /// A table of the text gets a member; a bot's are its functions.
  mutating func hold(_ value: Known, under key: LuaToken, in table: Known) {
    guard case .table(let id) = table else { return }
    if case .function = value { facts.functionKeys[id, default: []].insert(key.text) }
    guard isBot(id) else { return }
    let meant = words.bot.key(key.text)
    if meant == nil { findUnknown(key) }
    // What was meant tells what the function gets.
    let nearest = NearestWord.find(key.text, among: words.bot.keys.map(\.name)).flatMap(words.bot.key)
    if let parameter = meant ?? nearest {
      call(value, with: parameter.given.map { .object($0) }, isWhole: false)
    }
  }

  private mutating func findUnknown(_ key: LuaToken) {
    if words.visitor.laterListeners.contains(where: { key.text == "on_\($0)" }) {
      find(words.visitor.unknownEvent(key.text, in: key.text).message, at: key)
    } else {
      find("a bot's table has no \"\(key.text)\"", at: key, among: words.bot.keys.map(\.name))
    }
  }

  /// Whether the file returns the table, and a key of it is a bot's or nearly: a module returns tables, too.
  private func isBot(_ table: Int) -> Bool {
    guard facts.returned.contains(table), !facts.isDesk else { return false }
    let known = Set(words.bot.keys.map(\.name))
    return facts.functionKeys[table, default: []].contains { isTelling($0, of: known) }
  }
}
