/// A token of a Lua text, as far as ``ScriptCheck`` needs to tell tokens apart.
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
  /// Counted from 1.
  let line: Int

  func isSign(_ sign: String) -> Bool { kind == .sign && text == sign }

  func isName(_ name: String) -> Bool { kind == .name && text == name }
}
