package import JSON
internal import Lua

extension Filter {
  /// The keys of a filter's table, in the order in which they are read.
  package static let table: [WordSpec.Parameter] = [
    .init("event", .event), .init("from", .text, values: ["visitor", "operator", "robot", "system"]),
    .init("type", .text), .init("operator", .reference), .init("text", .text), .init("contains", .text),
    .init("like", .text), .init("matches", .text), .init("button", .reference), .init("state", .text),
    .init("within", .number), .init("after", .reference),
  ]

  package static let keys = table.map(\.name)

  /// A key of a filter for an event, with what it may ask for there; nil when there is no such key.
  package static func key(_ name: String, for listener: Vocabulary.Listener?) -> WordSpec.Parameter? {
    guard var key = table.first(where: { $0.name == name }) else { return nil }
    if name == "type" { key.values = listener?.types ?? [] }
    if name == "state" { key.values = listener?.states ?? [] }
    return key
  }

  /// The event that a wait such as `expect_question` is about; lists of filters are about messages.
  package static func event(ofWait word: String) -> String {
    let what = word.hasPrefix("expect_") ? word.dropFirst(7) : word.dropFirst(5)
    switch what {
    case "question": return "survey_question"
    case "any_of", "in_any_order", "none_of": return "message"
    default: return String(what)
    }
  }

  /// The key that a text in place of a filter stands for, of an event that tells a lasting state.
  package static func key(ofState event: String) -> String? {
    switch event {
    case "chat_state": "state"
    case "operator": "operator"
    default: nil
    }
  }

  /// Reads a filter as a script wrote it.
  ///
  /// - Parameters:
  ///   - json: A table, or null for a filter that takes everything.
  ///   - event: What the filter is about unless it names an `event` itself.
  ///   - word: The word of the script, for complaints.
  /// - Throws: ``ScriptError`` with `unknown_option` that names the nearest key, or `bad_argument`.
  package init(
    json: JSONValue, event: String, word: String, vocabulary: Vocabulary
  ) throws(ScriptError) {
    self.init(event: event)
    guard json.isTable || json == .null else {
      throw ScriptError(
        code: "bad_argument", action: word,
        message: "\(word): a filter is a table or a function, not a \(json.luaType)")
    }
    if case .array(let elements) = json, !elements.isEmpty {
      throw ScriptError(
        code: "bad_argument", action: word, message: "\(word): a filter's table has names, not numbers")
    }
    if let unknown = json.members.first(where: { !Self.keys.contains($0.key) }) {
      throw ScriptError(
        code: "unknown_option", action: word,
        message: "\(word): unknown key \"\(unknown.key)\"" + NearestWord.hint(unknown.key, among: Self.keys))
    }
    // In one order, whatever order the script's table had: so that descriptions read alike.
    for key in Self.keys {
      if let value = json[key] { try read(key, value, word: word, vocabulary: vocabulary) }
    }
    if criteria.allSatisfy({ !$0.saysWho }) { criteria.append(.others) }
  }

  private mutating func read(
    _ key: String, _ value: JSONValue, word: String, vocabulary: Vocabulary
  ) throws(ScriptError) {
    switch key {
    case "from": criteria.append(.from(try known(value, key, word, vocabulary)))
    case "type": criteria.append(.type(try known(value, key, word, vocabulary)))
    case "text": criteria.append(.text(try Self.text(value, key, word)))
    case "contains": criteria.append(.contains(try Self.text(value, key, word)))
    case "like":
      let pattern = try Self.text(value, key, word)
      criteria.append(.like(pattern, Wildcard(pattern)))
    case "matches": criteria.append(.matches(try Self.pattern(value, key, word)))
    case "button": criteria.append(.button(try Self.reference(value, key, word)))
    case "operator": criteria.append(.operator(try Self.reference(value, key, word)))
    case "state": criteria.append(.state(try known(value, key, word, vocabulary)))
    case "within": within = try Self.seconds(value, key, word)
    case "after": after = try Self.reference(value, key, word)
    case "event":
      event = try Self.text(value, key, word)
      guard vocabulary.listener(event) != nil else { throw vocabulary.unknownEvent(event, in: word) }
    default: break
    }
  }

  /// A text that may come at all: what never comes would be waited for in vain.
  private func known(
    _ value: JSONValue, _ key: String, _ word: String, _ vocabulary: Vocabulary
  ) throws(ScriptError) -> String {
    let text = try Self.text(value, key, word)
    guard let complaint = Self.key(key, for: vocabulary.listener(event))?.complaint(about: text) else {
      return text
    }
    throw ScriptError(code: "bad_argument", action: word, message: "\(word): \(key): \(complaint)")
  }

  private static func text(_ value: JSONValue, _ key: String, _ word: String) throws(ScriptError) -> String {
    guard let text = value.string else { throw wrongKind(key, word, "text", value) }
    return text
  }

  /// A pattern that is malformed would otherwise be seen only when a text comes, or never.
  private static func pattern(
    _ value: JSONValue, _ key: String, _ word: String
  ) throws(ScriptError) -> String {
    let pattern = try text(value, key, word)
    do throws(LuaError) {
      try LuaPattern.check(Array(pattern.utf8))
    } catch {
      throw ScriptError(
        code: "bad_argument", action: word, message: "\(word): \(key): \(error.message) of \(quoted(pattern))"
      )
    }
    return pattern
  }

  private static func reference(
    _ value: JSONValue, _ key: String, _ word: String
  ) throws(ScriptError) -> String {
    guard let reference = value.reference else { throw wrongKind(key, word, "object, id or text", value) }
    return reference
  }

  static func seconds(_ value: JSONValue, _ key: String, _ word: String) throws(ScriptError) -> Double {
    guard let seconds = value.number, seconds >= 0 else {
      throw wrongKind(key, word, "seconds, 0 or more,", value)
    }
    return seconds
  }

  private static func wrongKind(
    _ key: String, _ word: String, _ wanted: String, _ value: JSONValue
  ) -> ScriptError {
    let got = value.number == nil ? value.luaType : value.text
    return ScriptError(
      code: "bad_argument", action: word, message: "\(word): \(key): \(wanted) expected, got \(got)")
  }
}

extension Filter.Criterion {
  /// Whether the criterion tells who may have written, so that the visitor's own messages need no exclusion.
  var saysWho: Bool {
    switch self {
    case .from, .type: true
    default: false
    }
  }
}
