/// What a script may say and hear: its words, the fields of its objects, the names of its handlers.
///
/// One table gives the methods, their checks and the nearest word for a wrong one.
package struct Vocabulary: Sendable {
  /// One listener: its name without `on_` and the names of what its handlers are given.
  package struct Listener: Equatable, Sendable {
    package var name: String
    package var arguments: [String]
    package var summary: String
    /// Whether its handlers get no object before their arguments.
    package var isAlone: Bool
    /// What the filters `type` and `state` may ask for; empty for any text.
    package var types: [String]
    package var states: [String]

    package init(
      _ name: String, _ arguments: [String] = [], isAlone: Bool = false, types: [String] = [],
      states: [String] = [], summary: String
    ) {
      self.name = name
      self.arguments = arguments
      self.isAlone = isAlone
      self.types = types
      self.states = states
      self.summary = summary
    }
  }

  /// What the object is called in complaints, such as `visitor`.
  package var object: String
  package var words: [WordSpec]
  /// Words that preludes ask of the host on a script's behalf; no methods of the object.
  package var hostWords: [WordSpec]
  /// The words that the preludes themselves define: waits, `sleep`, `log`.
  package var preludeWords: [WordSpec]
  package var fields: [String]
  package var listeners: [Listener]
  /// What handlers get before their arguments.
  package var handlerObject: String
  /// Whether `on_` and a listener's name make a method that adds a handler.
  package var hasHandlerMethods: Bool
  /// Names of the handbook that a later version will tell of.
  package var laterListeners: [String]
  private let specs: [String: WordSpec]

  package init(
    object: String, words: [WordSpec], hostWords: [WordSpec] = [], preludeWords: [WordSpec],
    fields: [String], listeners: [Listener], handlerObject: String? = nil, hasHandlerMethods: Bool = false,
    laterListeners: [String] = []
  ) {
    self.object = object
    self.words = words
    self.hostWords = hostWords
    self.preludeWords = preludeWords
    self.fields = fields
    self.listeners = listeners
    self.handlerObject = handlerObject ?? object
    self.hasHandlerMethods = hasHandlerMethods
    self.laterListeners = laterListeners
    var specs: [String: WordSpec] = [:]
    for word in words + hostWords {
      specs[word.name] = word
      if let alias = word.alias { specs[alias] = word }
    }
    self.specs = specs
  }

  package func spec(_ word: String) -> WordSpec? { specs[word] }

  package func listener(_ name: String) -> Listener? { listeners.first { $0.name == name } }

  /// Every name that may follow the object's colon: words and their aliases.
  package var methods: [String] {
    words.flatMap { [$0.name] + ($0.alias.map { [$0] } ?? []) } + preludeWords.map(\.name)
  }

  /// The methods that add a handler each.
  package var handlerMethods: [String] { hasHandlerMethods ? listeners.map { "on_\($0.name)" } : [] }

  /// What a method takes, whoever defines it.
  package func method(_ name: String) -> WordSpec? {
    if let word = words.first(where: { $0.name == name || $0.alias == name }) { return word }
    if let word = preludeWords.first(where: { $0.name == name }) { return word }
    guard hasHandlerMethods, name.hasPrefix("on_") else { return nil }
    return listener(String(name.dropFirst(3))).map(handlerMethod)
  }

  private func handlerMethod(_ listener: Listener) -> WordSpec {
    WordSpec(
      "on_\(listener.name)", role: .prelude, [.init("f", .function, given: given(by: listener))],
      summary: listener.summary)
  }

  /// The objects that a listener's handlers get before its arguments.
  package func given(by listener: Listener) -> [String] { listener.isAlone ? [] : [handlerObject] }

  /// Why there is no such method or field.
  package func unknownName(_ name: String) -> ScriptError {
    ScriptError(
      code: "unknown_name", action: name,
      message: "\(object) has no \"\(name)\"" + NearestWord.hint(name, among: methods + fields))
  }

  /// Why there is no such event.
  package func unknownEvent(_ name: String, in word: String) -> ScriptError {
    let plain = name.hasPrefix("on_") ? String(name.dropFirst(3)) : name
    if laterListeners.contains(plain) {
      return ScriptError(
        code: "not_supported", action: word, message: "\(word): this version does not hear \"\(plain)\" yet")
    }
    return ScriptError(
      code: "unknown_event", action: word,
      message: "\(word): there is no event \"\(name)\""
        + NearestWord.hint(plain, among: listeners.map(\.name)))
  }
}
