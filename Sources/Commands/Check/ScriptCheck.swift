import Lua

/// Looks through one script for words that the Lua API does not have.
///
/// It knows no types: an object is recognised by the name that it has by custom (`visitor`, `chat`, `desk`), or by the
/// place where the script receives it. A name that the script gives to something else is left alone.
struct ScriptCheck {
  private let file: String
  private let words: Vocabularies
  private let outline: LuaOutline
  private var findings: [Finding] = []
  private var roles: [String: Role] = ["visitant": .visitant]

  private enum Role {
    case visitor, chat, desk, visitant
  }

  /// - Returns: What was found, in the order of the lines.
  static func findings(in source: [UInt8], file: String, words: Vocabularies) -> [Finding] {
    do throws(LuaError) {
      _ = try LuaState(budget: .run, seed: 0).load(source, name: file)
    } catch {
      return [Finding(file: file, line: error.line ?? 1, message: error.message)]
    }
    var check = ScriptCheck(source: source, file: file, words: words)
    check.assignRoles()
    for index in check.outline.tokens.indices { check.look(at: index) }
    return check.findings.sorted()
  }

  private init(source: [UInt8], file: String, words: Vocabularies) {
    self.file = file
    self.words = words
    outline = LuaOutline(source)
  }

  private mutating func find(_ message: String, at line: Int, nearest: String? = nil) {
    let hint = nearest.map { "; did you mean `\($0)`?" } ?? ""
    findings.append(Finding(file: file, line: line, message: message + hint))
  }
}

// MARK: - Who is who

extension ScriptCheck {
  private mutating func assignRoles() {
    for index in outline.tokens.indices where outline.isName("function", at: index) {
      let parameters = outline.parameters(ofFunctionAt: index)
      for name in parameters {
        if name == "visitor" { roles[name] = .visitor }
        if name == "desk" { roles[name] = .desk }
        if name == "chat", isDesk { roles[name] = .chat }
      }
      guard let first = parameters.first else { continue }
      if outline.isSign("=", at: index - 1), let key = outline[index - 2], key.text.hasPrefix("on_"), !isDesk
      {
        roles[first] = .visitor
      } else if outline.isSign("(", at: index - 1), outline.isName("on_chat", at: index - 2) {
        roles[first] = .chat
      } else if outline.isName("return", at: index - 1), outline.isAtTop(index) {
        roles[first] = isDesk(first) ? .desk : .visitor
      }
    }
    // A name that also stands for something else proves nothing.
    for (index, token) in outline.tokens.enumerated() where outline.isSign("=", at: index + 1) {
      if !outline.isSign(".", at: index - 1), !outline.isKey(at: index) { roles[token.text] = nil }
    }
  }

  private var isDesk: Bool { outline.tokens.contains { $0.isName("on_chat") } }

  /// Whether the object by this name is asked for what only a desk can do.
  private func isDesk(_ name: String) -> Bool {
    if name == "desk" { return true }
    return outline.tokens.indices.contains { index in
      guard outline.isName(name, at: index), outline.isSign(":", at: index + 1) else { return false }
      guard let word = outline[index + 2]?.text, words.desk.methods[word] != nil else { return false }
      return words.visitor.methods[word] == nil
    }
  }
}

// MARK: - Words

extension ScriptCheck {
  private mutating func look(at index: Int) {
    let token = outline.tokens[index]
    if token.isName("return"), outline.isSign("{", at: index + 1), outline.isAtTop(index) {
      lookAtBot(at: index + 1)
    }
    guard token.kind == .name, let role = roles[token.text], !outline.isKey(at: index) else { return }
    guard !outline.isSign(".", at: index - 1), !outline.isSign(":", at: index - 1) else { return }
    guard let word = outline[index + 2], word.kind == .name else { return }
    if outline.isSign(":", at: index + 1) {
      lookAtCall(of: word, on: token.text, role, at: index + 2)
    } else if outline.isSign(".", at: index + 1) {
      lookAtField(word, of: token.text, role, at: index + 2)
    }
  }

  private func vocabulary(_ role: Role) -> Vocabulary {
    switch role {
    case .visitor: words.visitor
    case .chat: words.chat
    case .desk: words.desk
    case .visitant: words.visitant
    }
  }

  private mutating func lookAtCall(of word: LuaToken, on object: String, _ role: Role, at index: Int) {
    let known = vocabulary(role)
    guard let members = known.methods[word.text] else {
      if known.fields.contains(word.text) {
        return find("\(object):\(word.text) is a field, read as \(object).\(word.text)", at: word.line)
      }
      let nearest = NearestWord.to(word.text, in: known.methods.keys.sorted())
      return find("\(object):\(word.text) is not known", at: word.line, nearest: nearest)
    }
    if role == .visitor || role == .chat || role == .desk {
      lookAtArguments(of: word, members, at: index + 1)
    }
  }

  private mutating func lookAtField(_ word: LuaToken, of object: String, _ role: Role, at index: Int) {
    let known = vocabulary(role)
    if known.fields.contains(word.text) { return }
    let isCalled =
      ["(", "{"].contains { outline.isSign($0, at: index + 1) } || outline[index + 1]?.kind == .string
    if known.methods[word.text] != nil {
      if isCalled {
        find("\(object).\(word.text): call it with a colon, \(object):\(word.text)", at: word.line)
      }
      return
    }
    let nearest = NearestWord.to(word.text, in: known.all.sorted())
    find("\(object).\(word.text) is not known", at: word.line, nearest: nearest)
  }

  /// The keys of a bot's table, `{` at the index.
  private mutating func lookAtBot(at index: Int) {
    let known = words.handlers.union(words.botKeys)
    for key in outline.keys(ofTableAt: index) where !known.contains(key.text) {
      let nearest = NearestWord.to(key.text, in: known.sorted())
      if key.text.hasPrefix("on_") {
        find("no event calls \(key.text)", at: key.line, nearest: nearest)
      } else if let nearest {
        find("a bot has no \(key.text)", at: key.line, nearest: nearest)
      }
    }
  }

  /// What a call is given, its first token after the word at the index.
  private mutating func lookAtArguments(of word: LuaToken, _ members: Set<String>?, at index: Int) {
    let isWait = word.text.hasPrefix("wait_") || word.text.hasPrefix("expect_")
    if let text = outline[index + 1], outline.isSign("(", at: index), text.kind == .string {
      if word.text == "on" { lookAtEvent(text) }
      if word.text.hasSuffix("_chat_state"), isWait { lookAtState(text) }
    }
    guard let known = members else { return }
    for table in outline.tables(inArgumentsAt: index) {
      for key in outline.keys(ofTableAt: table) where !known.contains(key.text) {
        let nearest = NearestWord.to(key.text, in: known.sorted())
        find("\(word.text) knows no \(key.text)", at: key.line, nearest: nearest)
      }
    }
  }

  private mutating func lookAtEvent(_ name: LuaToken) {
    guard !words.handlers.contains("on_" + name.text) else { return }
    let events = words.handlers.map { String($0.dropFirst(3)) }
    find(
      "there is no event \(name.text)", at: name.line, nearest: NearestWord.to(name.text, in: events.sorted())
    )
  }

  private mutating func lookAtState(_ state: LuaToken) {
    guard !words.chatStates.contains(state.text) else { return }
    let nearest = NearestWord.to(state.text, in: words.chatStates.sorted())
    find("there is no chat state \(state.text)", at: state.line, nearest: nearest)
  }
}
