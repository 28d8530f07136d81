import Script

/// The tables that words are given: options, filters, things of a desk.
extension ScriptCheck {
  mutating func lookAtOptions(_ table: LuaTable, of word: ScriptWord) {
    for entry in table.entries { lookAtOption(entry, of: word) }
  }

  private mutating func lookAtOption(_ entry: LuaTable.Entry, of word: ScriptWord) {
    guard let key = entry.key else { return useEntry(entry) }
    guard let option = word.method.options.first(where: { $0.name == key.text }) else {
      useEntry(entry)
      return findUnknown(key, of: word, among: word.method.options.map(\.name))
    }
    lookAtValue(entry.value, as: option, of: word)
  }

  private mutating func findUnknown(_ key: LuaToken, of word: ScriptWord, among known: [String]) {
    find("\(word.token.text): unknown key \"\(key.text)\"", at: key, among: known)
  }

  private mutating func useEntry(_ entry: LuaTable.Entry) {
    if let computed = entry.computed { use(computed) }
    use(entry.value)
  }

  // MARK: Filters

  /// A filter: a table, a predicate, or the text of a state. What it is about is nil where nobody knows.
  mutating func lookAtFilter(
    _ filter: LuaExpression, of word: ScriptWord, about listener: Vocabulary.Listener?
  ) {
    switch filter {
    case .table(let table): lookAtFilter(table, of: word, about: listener)
    case .string(let token):
      guard let listener, let name = Filter.key(ofState: listener.name),
        let key = Filter.key(name, for: listener)
      else { return }
      lookAtText(token, as: key, of: word)
    default: use(filter)
    }
  }

  private mutating func lookAtFilter(
    _ table: LuaTable, of word: ScriptWord, about listener: Vocabulary.Listener?
  ) {
    var listener = listener
    if let event = table.entries.first(where: { $0.key?.text == "event" }) {
      listener = nil
      if case .string(let token) = event.value, let name = token.plainText {
        listener = word.object.listener(name)
        if listener == nil { find(word.object.unknownEvent(name, in: word.token.text).message, at: token) }
      }
    }
    for entry in table.entries {
      guard let name = entry.key else {
        useEntry(entry)
        continue
      }
      guard let key = Filter.key(name.text, for: listener) else {
        useEntry(entry)
        findUnknown(name, of: word, among: Filter.keys)
        continue
      }
      if key.kind != .event { lookAtValue(entry.value, as: key, of: word) }
    }
  }

  /// A list of filters, with the options of the word.
  mutating func lookAtFilters(_ filters: LuaExpression, of word: ScriptWord) {
    guard case .table(let table) = filters else { return use(filters) }
    for entry in table.entries {
      if entry.isElement {
        lookAtFilter(entry.value, of: word, about: word.listener)
      } else {
        lookAtOption(entry, of: word)
      }
    }
  }

  // MARK: Values

  /// What a parameter, an option or a key is given.
  ///
  /// - Parameter thing: What the key belongs to, such as `a button`; nil for the word itself.
  mutating func lookAtValue(
    _ value: LuaExpression, as parameter: WordSpec.Parameter?, of word: ScriptWord, in thing: String? = nil
  ) {
    guard let parameter else { return use(value) }
    if let (token, type) = literal(value), !parameter.kind.accepts(type) {
      let place = parameter.name + (thing.map { " of \($0)" } ?? "")
      return find(
        "\(word.token.text): \(place): \(parameter.kind.noun) expected, got \(type.rawValue)", at: token)
    }
    switch value {
    case .string(let token): lookAtText(token, as: parameter, of: word, in: thing)
    case .table(let table):
      guard let shape = parameter.shape else { return use(value) }
      lookAtTable(table, as: shape, of: word)
    default: use(value)
    }
  }

  private mutating func lookAtText(
    _ token: LuaToken, as parameter: WordSpec.Parameter, of word: ScriptWord, in thing: String? = nil
  ) {
    guard let text = token.plainText, let complaint = parameter.complaint(about: text) else { return }
    let place = parameter.name + (thing.map { " of \($0)" } ?? "")
    find("\(word.token.text): \(place): \(complaint)", at: token)
  }

  private func literal(_ value: LuaExpression) -> (LuaToken, LuaLiteral)? {
    switch value {
    case .string(let token): (token, .text)
    case .number(let token): (token, .number)
    case .constant(let token) where token.text == "true" || token.text == "false": (token, .boolean)
    default: nil
    }
  }

  // MARK: Things of a desk

  private mutating func lookAtTable(_ table: LuaTable, as shape: TableShape, of word: ScriptWord) {
    switch shape {
    case .record(let record): lookAtRecord(table, as: record, of: word)
    case .list(let records):
      for entry in table.entries { lookAtElement(entry, as: records, of: word) }
    case .rows(let record):
      for entry in table.entries { lookAtRow(entry, as: record, of: word) }
    case .texts, .fields:
      for entry in table.entries { useEntry(entry) }
    }
  }

  private mutating func lookAtElement(
    _ entry: LuaTable.Entry, as records: [TableShape.Record], of word: ScriptWord
  ) {
    guard entry.isElement, case .table(let table) = entry.value,
      let record = TableShape.record(of: records, for: table.entries.compactMap(\.key?.text))
    else { return useEntry(entry) }
    lookAtRecord(table, as: record, of: word)
  }

  /// A button, or a row of buttons; what has a name is an option of the word.
  private mutating func lookAtRow(
    _ entry: LuaTable.Entry, as record: TableShape.Record, of word: ScriptWord
  ) {
    guard entry.isElement else { return lookAtOption(entry, of: word) }
    guard case .table(let table) = entry.value else { return useEntry(entry) }
    let isRow = table.entries.allSatisfy(\.isElement)
    guard isRow else { return lookAtRecord(table, as: record, of: word) }
    for button in table.entries {
      if case .table(let inner) = button.value {
        lookAtRecord(inner, as: record, of: word)
      } else {
        useEntry(button)
      }
    }
  }

  private mutating func lookAtRecord(_ table: LuaTable, as record: TableShape.Record, of word: ScriptWord) {
    for entry in table.entries {
      guard let name = entry.key else {
        useEntry(entry)
        continue
      }
      guard let key = record.key(name.text) else {
        useEntry(entry)
        find("\(word.token.text): \(record.unknownKey(name.text))", at: name)
        continue
      }
      lookAtValue(entry.value, as: key, of: word, in: record.thing)
    }
  }
}

/// The type of a value that stands in the text itself, as Lua calls it.
enum LuaLiteral: String {
  case text = "string"
  case number
  case boolean
}

extension WordSpec.Kind {
  fileprivate func accepts(_ literal: LuaLiteral) -> Bool {
    switch self {
    case .any: true
    case .text, .event: literal == .text
    case .number, .integer: literal == .number
    case .boolean: literal == .boolean
    case .reference: literal != .boolean
    case .table, .function, .filter, .filters: false
    }
  }
}
