import Lua
import Script

/// Looks through one script for words that the Lua API does not have.
///
/// It follows `visitor`, `desk` and `chat` from where the script gets them: a file's function, the functions
/// of a bot's table, handlers and callbacks, names that stand for them, functions of the text that are called
/// with them. What a name may stand for besides is unknown, and of what is unknown nothing is said.
///
/// Each walk learns what the next one needs, such as what a function is called with further below, until one
/// learns nothing new. Then those who call are known, and walks go on with what is still open taken for
/// unknown, or for what it is by custom. The last walk has the findings.
struct ScriptCheck {
  private static let walks = 100

  let file: String
  let words: CheckedWords
  var facts: CheckedFacts
  /// Whether all those who call functions of the text are known.
  let isSettled: Bool
  var findings: Set<Finding> = []
  /// The functions of the text, by their places.
  var functions: [Int: LuaFunction] = [:]
  private var scopes: [[String: Binding]] = [[:]]
  /// How many functions enclose the statement.
  var depth = 0

  /// A name in its scope.
  struct Binding {
    let id: Int
    let known: Known
    /// Whether it is nil until it is given something.
    var isOpen = false
  }

  /// - Returns: What was found, in the order of the text.
  static func findings(in source: [UInt8], file: String, words: CheckedWords) -> [Finding] {
    do throws(LuaError) {
      _ = try LuaState(budget: .run, seed: 0).load(source, name: file)
    } catch {
      return [syntaxError(error, in: source, file: file)]
    }
    let statements = LuaParser.statements(of: source)
    var check = ScriptCheck(file: file, words: words, facts: CheckedFacts(), isSettled: false)
    var isSettled = false
    for _ in 0..<walks {
      let next = check.walked(through: statements, isSettled: isSettled)
      let isNew = next.facts != check.facts
      check = next
      if !isNew, isSettled { break }
      if !isNew { isSettled = true }
    }
    // What calls one another too deeply is told as far as it is known.
    if !check.isSettled { check = check.walked(through: statements, isSettled: true) }
    return check.findings.sorted()
  }

  /// The next walk, with what the walks before have learnt.
  private func walked(through statements: [LuaStatement], isSettled: Bool) -> ScriptCheck {
    var check = ScriptCheck(file: file, words: words, facts: facts, isSettled: isSettled)
    check.functions = functions
    check.walk(statements)
    return check
  }

  private init(file: String, words: CheckedWords, facts: CheckedFacts, isSettled: Bool) {
    self.file = file
    self.words = words
    self.facts = facts
    self.isSettled = isSettled
  }

  /// Lua tells the line and the word; the column is that of the word's first place in the line.
  private static func syntaxError(_ error: LuaError, in source: [UInt8], file: String) -> Finding {
    let line = error.line ?? 1
    let tokens = LuaLexer.tokens(of: source).filter { $0.line == line }
    let parts = error.message.split(separator: "near '", maxSplits: 1)
    let near = parts.count == 2 ? String(parts[1].dropLast()) : nil
    let token = tokens.first { $0.text == near } ?? tokens.first
    return Finding(file: file, line: line, column: token?.column ?? 1, message: error.message)
  }

  mutating func find(_ message: String, at token: LuaToken) {
    findings.insert(Finding(file: file, line: token.line, column: token.column, message: message))
  }

  mutating func find(_ message: String, at token: LuaToken, among words: [String]) {
    find(message + NearestWord.hint(token.text, among: words.sorted()), at: token)
  }
}

// MARK: - Names

extension ScriptCheck {
  mutating func inScope(_ body: (inout ScriptCheck) -> Void) {
    scopes.append([:])
    body(&self)
    scopes.removeLast()
  }

  /// Makes a name of the present scope.
  mutating func bind(_ name: LuaToken, to known: Known) {
    let isFixed = !facts.reassigned.contains(name.offset)
    scopes[scopes.count - 1][name.text] = Binding(id: name.offset, known: isFixed ? known : .unknown)
  }

  /// Makes a name that is given something later.
  mutating func bindLater(_ name: LuaToken) {
    let known = facts.given[name.offset, default: .nothing]
    scopes[scopes.count - 1][name.text] = Binding(id: name.offset, known: known, isOpen: true)
  }

  func binding(_ name: String) -> Binding? {
    scopes.reversed().lazy.compactMap { $0[name] }.first
  }

  func known(_ name: String) -> Known {
    if let binding = binding(name) { return binding.known }
    if let global = facts.globals[name] { return global }
    return name == "visitant" ? .module(name) : .unknown
  }

  /// Gives a name something anew.
  mutating func assign(_ name: LuaToken, _ known: Known) {
    if let binding = binding(name.text), binding.isOpen {
      facts.give(known, to: binding.id)
    } else if let binding = binding(name.text) {
      facts.reassigned.insert(binding.id)
    } else {
      facts.globals[name.text] = facts.globals[name.text, default: .nothing].joined(with: known)
    }
  }
}
