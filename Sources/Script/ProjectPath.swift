/// A path that a script may ask for: below the project's folder, in whatever way it is written.
package struct ProjectPath: Equatable, Sendable {
  /// The path relative to its folder, with `/` between its parts.
  package let relative: String

  /// - Throws: ``ScriptError`` with `path_refused` for a path that is absolute, empty, or leads out by `..`.
  package init(_ path: String, word: String) throws(ScriptError) {
    let parts = path.split(separator: "/", omittingEmptySubsequences: true).filter { $0 != "." }
    guard !path.hasPrefix("/"), !parts.isEmpty, !parts.contains(".."), !path.utf8.contains(0) else {
      throw ScriptError(
        code: "path_refused", action: word,
        message: "\(word): \(quoted(path)) is not below the project's folder")
    }
    relative = parts.joined(separator: "/")
  }

  /// Where a module may stand, relative to the script's folder or the project's `lib`: `a.b` is `a/b.lua` or
  /// `a/b/init.lua`.
  package static func module(_ name: String) throws(ScriptError) -> [ProjectPath] {
    var path = ""
    for character in name { path.append(character == "." ? "/" : character) }
    guard !name.isEmpty, !name.contains("..") else {
      throw ScriptError(
        code: "path_refused", action: "require",
        message: "require: \(quoted(name)) is not the name of a module")
    }
    return [
      try ProjectPath(path + ".lua", word: "require"), try ProjectPath(path + "/init.lua", word: "require"),
    ]
  }
}
