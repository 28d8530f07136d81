import Script

/// Who plays the service's side.
package enum DeskSource: Equatable, Sendable {
  /// The short conversation that is part of the program.
  case builtIn
  /// A desk file: its text, what errors call it, and the folder where its `require` looks; nil reads no files.
  case script(source: [UInt8], name: String, folder: String?)
}

extension DeskSource {
  /// The desk's text.
  var text: [UInt8] {
    switch self {
    case .builtIn: PackageResources.builtin_desk_lua
    case .script(let source, _, _): source
    }
  }

  /// What its `require` and `visitant.read` find; nil when it has no folder.
  var files: ScriptFiles? {
    guard case .script(_, _, let folder?) = self else { return nil }
    return ScriptFiles(project: ".", script: folder + "/desk.lua")
  }

  /// What errors call it.
  var name: String {
    switch self {
    case .builtIn: "the built-in desk"
    case .script(_, let name, _): name
    }
  }
}
