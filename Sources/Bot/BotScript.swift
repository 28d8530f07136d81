internal import JSON
package import Lua
package import Script

/// What a bot's file returns: a function, a table of handlers, or a table with both.
package struct BotScript: Equatable, Sendable {
  /// What the bot is called in transcripts, nil when it does not say.
  package var name: String?
  package var run: LuaReference?
  /// By the names of their listeners, in the order of these names.
  package var handlers: [(listener: String, function: LuaReference)]

  /// What the table may hold.
  package static let table = TableShape.Record(
    "a bot",
    [.init("run", .function, given: ["visitor"]), .init("name", .text)]
      + Vocabulary.bot.listeners.map {
        .init("on_\($0.name)", .function, given: Vocabulary.bot.given(by: $0))
      })

  /// Reads the values that a file has returned.
  ///
  /// - Parameters:
  ///   - values: A JSON array.
  ///   - file: What errors call it.
  /// - Throws: ``ScriptFailure`` for whatever is no bot; an unknown key names the nearest one.
  package init(returned values: [UInt8], file: String) throws(ScriptFailure) {
    handlers = []
    let value = (try? JSONNode(parsing: values))?.elements.first?.value ?? .null
    if let function = value.function {
      run = function
      return
    }
    guard value.isNamed else {
      let got = value.luaType == "table" ? "a list" : value.luaType
      throw Self.failure(file, "a bot returns a function or a table of handlers, this file returns \(got)")
    }
    for member in value.members { try read(member, file: file) }
    guard run != nil || !handlers.isEmpty else {
      throw Self.failure(file, "the bot has neither a function run nor a handler")
    }
  }

  private mutating func read(_ member: JSONValue.Member, file: String) throws(ScriptFailure) {
    if member.key == "name" {
      guard let text = member.value.string else { throw Self.failure(file, "name is a text") }
      name = text
      return
    }
    let listener = member.key.hasPrefix("on_") ? String(member.key.dropFirst(3)) : nil
    guard member.key == "run" || listener.flatMap(Vocabulary.bot.listener) != nil else {
      if let listener, Vocabulary.bot.laterListeners.contains(listener) {
        throw Self.failure(file, "\(member.key): this version does not hear it yet")
      }
      throw Self.failure(
        file,
        "unknown key \"\(member.key)\" in the bot's table"
          + NearestWord.hint(member.key, among: Self.table.keys.map(\.name)))
    }
    guard let function = member.value.function else {
      throw Self.failure(file, "\(member.key) is a function, not a \(member.value.luaType)")
    }
    if let listener { handlers.append((listener, function)) } else { run = function }
  }

  private static func failure(_ file: String, _ message: String) -> ScriptFailure {
    ScriptFailure(kind: .script, message: "\(file): \(message)")
  }

  package static func == (a: BotScript, b: BotScript) -> Bool {
    a.name == b.name && a.run == b.run && a.handlers.elementsEqual(b.handlers, by: ==)
  }
}

extension JSONValue {
  /// Whether it may be a table of names; an empty table is a list to JSON.
  fileprivate var isNamed: Bool {
    if case .object = self { return true }
    return self == .array([])
  }
}
