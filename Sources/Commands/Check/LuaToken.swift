/// A token of a Lua text, as far as ``LuaParser`` needs to tell tokens apart.
struct LuaToken: Equatable {
  enum Kind: Equatable {
    /// A name or a keyword.
    case name
    /// A string; `text` is what stands between its quotes, escapes as written.
    case string
    case number
    /// Punctuation; `text` is the sign, such as `:` or `..`.
    case sign
  }

  let kind: Kind
  let text: String
  /// Where it begins, in bytes; no two tokens of a text begin at one place.
  let offset: Int
  /// Counted from 1.
  let line: Int
  /// Counted from 1, in characters.
  let column: Int

  func isSign(_ sign: String) -> Bool { kind == .sign && text == sign }

  func isName(_ name: String) -> Bool { kind == .name && text == name }

  /// The text of a string, nil where escapes hide it.
  var plainText: String? { kind == .string && !text.contains("\\") ? text : nil }

  var isKeyword: Bool { kind == .name && Self.keywords.contains(text) }

  private static let keywords: Set = [
    "and", "break", "do", "else", "elseif", "end", "false", "for", "function", "goto", "if", "in", "local",
    "nil", "not", "or", "repeat", "return", "then", "true", "until", "while",
  ]
}
