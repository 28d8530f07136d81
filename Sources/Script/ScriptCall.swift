package import JSON
package import Lua

/// A word that a script has said and that the host has to answer: checked, in one shape whatever alias was
/// used.
package struct ScriptCall: Equatable, Sendable {
  /// The word's own name, such as `send` for a script's `say`.
  package var word: String
  /// Whose word it is: 0 for the visitor or the desk itself, a desk's number of the chat for a chat's.
  package var subject: Int
  /// One value for each parameter of the word, null where the script gave none.
  package var arguments: [JSONValue]
  /// The members of the table of options, by their names.
  package var options: JSONValue
  /// Where the script stood.
  package var position: LuaPosition?

  package init(
    word: String, subject: Int = 0, arguments: [JSONValue] = [], options: JSONValue = .object([]),
    position: LuaPosition? = nil
  ) {
    self.word = word
    self.subject = subject
    self.arguments = arguments
    self.options = options
    self.position = position
  }

  /// The value of a parameter, null when there is none.
  package subscript(_ index: Int) -> JSONValue {
    arguments.indices.contains(index) ? arguments[index] : .null
  }

  /// The value of an option, nil when the script gave none.
  package subscript(_ option: String) -> JSONValue? { options[option] }
}
