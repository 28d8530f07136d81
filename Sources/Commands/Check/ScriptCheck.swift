import Lua
import Script

/// Looks through one script for words that the Lua API does not have.
///
/// It knows no types: an object is recognised by the name that it has by custom (`visitor`, `chat`, `desk`), or by the
/// place where the script receives it. A name that the script gives to something else is left alone.
struct ScriptCheck {
  private let file: String
  private let words: CheckedWords
  private let outline: LuaOutline
  private var findings: [Finding] = []
  private var roles: [String: Role] = ["visitant": .visitant]

  private enum Role {
    case visitor, chat, desk, visitant
  }

  /// - Returns: What was found, in the order of the lines.
  static func findings(in source: [UInt8], file: String, words: CheckedWords) -> [Finding] {
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

  private init(source: [UInt8], file: String, words: CheckedWords) {
    self.file = file
    self.words = words
    outline = LuaOutline(source)
  }

  private mutating func find(_ message: String, at token: LuaToken) {
    findings.append(Finding(file: file, line: token.line, message: message))
  }

  private mutating func find(_ message: String, at token: LuaToken, among words: some Sequence<String>) {
    find(message + NearestWord.hint(token.text, among: words.sorted()), at: token)
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
      guard let word = outline[index + 2]?.text, words.desk.methods.contains(word) else { return false }
      return !words.visitor.methods.contains(word)
    }
  }
}

// MARK: - Words

extension ScriptCheck {
  private mutating func look(at index: Int) {
    let token = outline.tokens[index]
    if token.isName("return"), outline.isSign("{", at: index + 1), outline.isAtTop(index), !isDesk {
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

  private func vocabulary(_ role: Role) -> CheckedWords.Object {
    switch role {
    case .visitor: words.visitor
    case .chat: words.chat
    case .desk: words.desk
    case .visitant: words.visitant
    }
  }

  private mutating func lookAtCall(of word: LuaToken, on object: String, _ role: Role, at index: Int) {
    let known = vocabulary(role)
    if known.methods.contains(word.text) {
      lookAtArguments(of: word, known.spec(word.text), at: index + 1)
    } else if known.fields.contains(word.text) {
      find("\(object):\(word.text) is no method: write \(object).\(word.text)", at: word)
    } else {
      find("\(object) has no method \"\(word.text)\"", at: word, among: known.methods)
    }
  }

  private mutating func lookAtField(_ word: LuaToken, of object: String, _ role: Role, at index: Int) {
    let known = vocabulary(role)
    guard !known.fields.contains(word.text) else { return }
    guard known.methods.contains(word.text) else {
      return find("\(object) has no \"\(word.text)\"", at: word, among: known.fields.union(known.methods))
    }
    let isCalled = outline.isSign("(", at: index + 1) || outline.isSign("{", at: index + 1)
    if isCalled || outline[index + 1]?.kind == .string {
      find("call it with a colon: \(object):\(word.text)", at: word)
    }
  }

  /// The keys of a bot's table, `{` at the index.
  private mutating func lookAtBot(at index: Int) {
    for key in outline.keys(ofTableAt: index) where !words.botKeys.contains(key.text) {
      find("a bot's table has no \"\(key.text)\"", at: key, among: words.botKeys)
    }
  }

  /// What a call is given; the index is that of the token after its word.
  private mutating func lookAtArguments(of word: LuaToken, _ spec: WordSpec?, at index: Int) {
    if outline.isSign("(", at: index), let text = outline[index + 1], text.kind == .string {
      lookAtText(text, of: word.text)
    }
    let tables = outline.tables(inArgumentsAt: index)
    if let spec {
      // A table that is no argument of its own holds the options, and it is the last.
      let takesTables = spec.parameters.contains { [.table, .reference, .any].contains($0.kind) }
      guard !spec.options.isEmpty || !takesTables, let last = tables.last else { return }
      lookAtKeys(of: last, in: word, among: spec.options.map(\.name))
    } else if word.text == "metric", let last = tables.last {
      lookAtKeys(of: last, in: word, among: ["unit"])
    } else if ["any_of", "in_any_order", "none_of"].contains(where: { word.text.hasSuffix($0) }) {
      for list in tables {
        lookAtKeys(of: list, in: word, among: ["within"])
        for filter in outline.tables(inTableAt: list) {
          lookAtKeys(of: filter, in: word, among: words.filterKeys)
        }
      }
    } else if word.text.hasPrefix("wait_") || word.text.hasPrefix("expect_") {
      for filter in tables { lookAtKeys(of: filter, in: word, among: words.filterKeys) }
    }
  }

  private mutating func lookAtKeys(of table: Int, in word: LuaToken, among known: [String]) {
    for key in outline.keys(ofTableAt: table) where !known.contains(key.text) {
      find("\(word.text): unknown key \"\(key.text)\"", at: key, among: known)
    }
  }

  private mutating func lookAtText(_ text: LuaToken, of word: String) {
    switch word {
    case "on", "wait_for", "expect_for":
      guard !isDesk, !words.events.contains(text.text) else { return }
      find("there is no event \"\(text.text)\"", at: text, among: words.events)
    case "wait_chat_state", "expect_chat_state":
      guard !words.chatStates.contains(text.text) else { return }
      find("there is no chat state \"\(text.text)\"", at: text, among: words.chatStates)
    default: return
    }
  }
}
