import JSON
import Script

extension Vocabulary {
  /// Everything that a desk's prelude may ask: the documented words of desk and chat, and its own.
  static let deskWords = Vocabulary(
    object: "desk", words: desk.words + deskChat.words, hostWords: preludesOwn, preludeWords: [], fields: [],
    listeners: desk.listeners)

  private static let preludesOwn: [WordSpec] = [
    WordSpec("module", role: .fetch, [.init("name", .text)], summary: "A module's text and path."),
    WordSpec("read", role: .fetch, [.init("path", .text)], summary: "The text of a file."),
    WordSpec("env", role: .fetch, [.init("name", .text)], summary: "A variable of the environment, or nil."),
    WordSpec("fields", role: .fetch, summary: "The fields of a chat as they are now."),
    WordSpec("history", role: .fetch, summary: "The messages of a chat, oldest first."),
    WordSpec("list_chats", role: .fetch, summary: "The chats that are open."),
    WordSpec("list_visitors", role: .fetch, summary: "The visitors seen so far."),
    WordSpec("typing", [.init("flag", .boolean)], summary: "Shows or hides that somebody types."),
    WordSpec(
      "keyboard", [.init("buttons", .table, shape: .rows(DeskTables.button))],
      options: [.init("text", .text)], summary: "Offers buttons."),
    WordSpec("no_such_word", role: .fetch, [.init("name", .text)], summary: "Says what was meant."),
    WordSpec("played", role: .fetch, summary: "A chat's play has ended."),
    WordSpec(
      "play_failed", role: .fetch, [.init("message", .text)],
      options: [.init("source", .text), .init("line", .integer), .init("kind", .text)],
      summary: "A chat's play has failed."),
  ]

  /// Why there is no such word, field or handler.
  func unknownMember(_ name: String) -> ScriptError {
    name.hasPrefix("on_") ? unknownEvent(name, in: name) : unknownName(name)
  }

  /// What the prelude makes an object of: its methods and its listeners.
  var deskNames: JSONValue {
    [
      "words": .array(words.flatMap { [$0.name] + ($0.alias.map { [$0] } ?? []) }.map(JSONValue.string)),
      "own": .array(preludeWords.map { .string($0.name) }), "fields": .array(fields.map(JSONValue.string)),
      "listeners": .array(listeners.map { .string($0.name) }),
    ]
  }
}
