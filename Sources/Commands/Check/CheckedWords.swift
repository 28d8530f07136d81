import Bot
import Chat
import JSON
import Rehearsal
import Script

/// The words that a check knows, from the tables that the scripts' own side is made of.
struct CheckedWords {
  /// One object's.
  struct Object {
    let methods: Set<String>
    let fields: Set<String>
    private let vocabulary: Vocabulary?

    init(_ vocabulary: Vocabulary, takesHandlers: Bool) {
      self.vocabulary = vocabulary
      methods = Set(vocabulary.methods + (takesHandlers ? vocabulary.listeners.map { "on_\($0.name)" } : []))
      fields = Set(vocabulary.fields)
    }

    init(fields: Set<String>) {
      vocabulary = nil
      methods = []
      self.fields = fields
    }

    func spec(_ word: String) -> WordSpec? { vocabulary?.spec(word) }
  }

  let visitor = Object(.bot, takesHandlers: false)
  let chat = Object(.deskChat, takesHandlers: true)
  let desk = Object(.desk, takesHandlers: true)
  /// The module `visitant`.
  let visitant = Object(fields: moduleWords())
  /// The names of events, without `on_`.
  let events = Vocabulary.bot.listeners.map(\.name)
  /// What a bot's table may hold.
  let botKeys = ["run", "name"] + Vocabulary.bot.listeners.map { "on_\($0.name)" }
  let filterKeys = Filter.keys
  let chatStates = ChatState.allCases.map(\.rawValue)

  /// Asks the module itself; nothing, when it does not answer.
  private static func moduleWords() -> Set<String> {
    let source = "local words = {} for word in pairs(visitant) do words[#words + 1] = word end return words"
    let runner = try? ScriptRunner(
      source: Array(source.utf8), name: "words", preludes: [], vocabulary: .bot,
      options: ScriptRunner.Options())
    guard let runner else { return [] }
    runner.load()
    for case .returned(_, let values) in runner.run(now: 0) {
      let words = (try? JSONNode(parsing: values))?.elements.first?.elements ?? []
      return Set(words.compactMap(\.string))
    }
    return []
  }
}
