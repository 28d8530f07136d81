import Bot
import JSON
import Rehearsal
import Script

/// The words that a check knows, from the tables that the scripts' own side is made of.
struct CheckedWords {
  let visitor = Vocabulary.bot
  let desk = Vocabulary.desk
  let chat = Vocabulary.deskChat
  /// What a bot's table may hold.
  let bot = BotScript.table
  /// The members of the module `visitant`, and of its members that are tables, such as `visitant.json`.
  let modules = moduleWords()

  /// The object that complaints call so.
  func object(_ name: String) -> Vocabulary? { [visitor, desk, chat].first { $0.object == name } }

  func methods(_ object: Vocabulary) -> [String] { object.methods + object.handlerMethods }

  /// What may be called on an object, and `on:` with the events that it hears.
  func names(of object: Vocabulary) -> Set<String> {
    Set(methods(object) + object.listeners.map { "on:\($0.name)" })
  }

  /// Asks the module itself; nothing, when it does not answer.
  private static func moduleWords() -> [String: [String]] {
    let source = """
      local modules = { visitant = {} }
      for word, value in pairs(visitant) do
        table.insert(modules.visitant, word)
        if type(value) == "table" then
          local words = {}
          for inner in pairs(value) do table.insert(words, inner) end
          modules["visitant." .. word] = words
        end
      end
      return modules
      """
    let runner = try? ScriptRunner(
      source: Array(source.utf8), name: "words", preludes: [], vocabulary: .bot,
      options: ScriptRunner.Options())
    guard let runner else { return [:] }
    runner.load()
    for case .returned(_, let values) in runner.run(now: 0) {
      let members = (try? JSONNode(parsing: values))?.elements.first?.value.members ?? []
      return Dictionary(
        members.map { ($0.key, $0.value.elements.compactMap(\.string)) }, uniquingKeysWith: { one, _ in one })
    }
    return [:]
  }
}
