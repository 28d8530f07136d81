internal import JSON
internal import Lua

/// A wait as a script said it: the word tells what it is about, the arguments what has to come and how long.
///
///     wait_message(filter)              wait_chat_state(state, options)     wait_until(predicate, options)
///     wait_for(event, filter)           expect_any_of{ filter, …, within = }
///
/// Any event's name makes a word. `expect_` instead of `wait_` makes not getting it a failed expectation.
struct WaitRequest {
  let word: String
  let isExpectation: Bool
  private(set) var mode = Wait.Mode.one
  private(set) var takesStanding = false
  /// Whether it looks from the last action on, whatever other waits have returned since.
  private(set) var looksBack = false
  private(set) var wants: [Wait.Want] = []
  /// Seconds, nil where the script names none.
  private(set) var within: Double?
  /// Where the condition of `wait_until` begins, when it is a script's.
  private(set) var condition: LuaPosition?

  /// The events that wait for an answer. A full update tells them in an order of its own, before or after the
  /// messages that came with them: a wait for one must not miss it because a message was waited for first.
  private static let questions: Set = ["keyboard", "survey", "survey_question"]

  /// The most filters of a list: each looks at each occurrence.
  private static let longestList = 64

  /// - Parameter values: The word, its first and second argument, and the list that the first one was, if it
  ///   was one, or the place of a condition; `true` stands for a predicate.
  init(_ values: [JSONValue], vocabulary: Vocabulary) throws(ScriptError) {
    let values = values + Array(repeating: .null, count: max(0, 4 - values.count))
    word = values[0].string ?? ""
    isExpectation = word.hasPrefix("expect_")
    let what = String(word.dropFirst(isExpectation ? 7 : 5))
    switch what {
    case "until":
      mode = .until
      guard values[1] == .bool(true) else { throw refusal("a function expected, got \(values[1].luaType)") }
      within = try limit(values[2])
      if let source = values[3].elements.first?.string, let line = values[3].elements.last?.integer {
        condition = LuaPosition(source: source, line: line)
      }
    case "any_of", "in_any_order", "none_of":
      mode = what == "any_of" ? .any : what == "none_of" ? .none : .all
      guard case .array(let filters) = values[3] else {
        throw refusal("a list of filters expected, got \(values[1].luaType)")
      }
      guard (1...Self.longestList).contains(filters.count) else {
        throw refusal("a list of 1 to \(Self.longestList) filters expected, got \(filters.count)")
      }
      for filter in filters { try add(filter, event: "message", vocabulary) }
      within = try limit(values[2]) ?? within
    case "nothing_else":
      mode = .none
      for origin in ["operator", "robot"] {
        wants.append(Wait.Want(filter: Filter(event: "message", criteria: [.from(origin)])))
      }
      guard values[2] == .null else { throw refusal("one argument too many") }
      within = try limit(values[1])
    case "for":
      guard let event = values[1].string else {
        throw refusal("the name of an event expected, got \(values[1].luaType)")
      }
      try read(event: event, values[2], .null, vocabulary)
    default: try read(event: Filter.event(ofWait: word), values[1], values[2], vocabulary)
    }
  }

  /// Reads what is about one event: a filter, a predicate, or the text of a state.
  private mutating func read(
    event: String, _ first: JSONValue, _ options: JSONValue, _ vocabulary: Vocabulary
  ) throws(ScriptError) {
    guard vocabulary.listener(event) != nil else { throw vocabulary.unknownEvent(event, in: word) }
    takesStanding = Filter.key(ofState: event) != nil
    looksBack = Self.questions.contains(event)
    guard case .string = first, let key = Filter.key(ofState: event) else {
      try add(first, event: event, vocabulary)
      within = try limit(options) ?? within
      return
    }
    within = try limit(options)
    try add(.object([JSONValue.Member(key, first)]), event: event, vocabulary)
  }

  private mutating func add(
    _ json: JSONValue, event: String, _ vocabulary: Vocabulary
  ) throws(ScriptError) {
    if json == .bool(true) {
      let filter = Filter(event: event, criteria: [.others])
      wants.append(Wait.Want(filter: filter, hasPredicate: true))
      return
    }
    let filter = try Filter(json: json, event: event, word: word, vocabulary: vocabulary)
    wants.append(Wait.Want(filter: filter))
    within = within ?? filter.within
  }

  /// The limit that options name.
  private func limit(_ options: JSONValue) throws(ScriptError) -> Double? {
    guard options.isTable || options == .null else {
      throw refusal("the options are a table, not a \(options.luaType)")
    }
    guard options.elements.isEmpty else { throw refusal("the options are a table with names") }
    if let unknown = options.members.first(where: { $0.key != "within" }) {
      throw .unknownKey(unknown.key, of: word, among: ["within"])
    }
    guard let within = options["within"], within != .null else { return nil }
    return try Filter.seconds(within, "within", word)
  }

  private func refusal(_ complaint: String) -> ScriptError {
    ScriptError(code: "bad_argument", action: word, message: "\(word): \(complaint)")
  }
}
