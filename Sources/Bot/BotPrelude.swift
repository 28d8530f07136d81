internal import JSON
internal import Script

extension ScriptRunner.Prelude {
  /// The object `visitor`: `bot.lua`, given the names that it knows.
  static let bot = ScriptRunner.Prelude(
    name: "bot.lua", source: PackageResources.bot_lua,
    arguments: JSONValue.array([
      .string(" " + Vocabulary.bot.methods.joined(separator: " ") + " "),
      .string(" " + Vocabulary.bot.fields.joined(separator: " ") + " "),
    ]).bytes)
}
