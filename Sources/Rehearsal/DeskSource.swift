package import Script

/// Who plays the service's side.
package enum DeskSource: Equatable, Sendable {
  /// The short conversation that is part of the program.
  case builtIn
  /// A desk file: its text, what errors call it, the folder where its `require` looks (nil reads no files),
  /// and what else the user lets it see.
  case script(source: [UInt8], name: String, folder: String?, access: ScriptAccess = ScriptAccess())
}

extension DeskSource {
  /// The desk's text.
  var text: [UInt8] {
    switch self {
    case .builtIn: PackageResources.builtin_desk_lua
    case .script(let source, _, _, _): source
    }
  }

  /// What its `require` and `visitant.read` find; nil when it has no folder.
  var files: ScriptFiles? {
    guard case .script(_, _, let folder?, let access) = self else { return nil }
    return ScriptFiles(project: ".", script: folder + "/desk.lua", access: access)
  }

  /// What errors call it.
  var name: String {
    switch self {
    case .builtIn: "the built-in desk"
    case .script(_, let name, _, _): name
    }
  }
}
