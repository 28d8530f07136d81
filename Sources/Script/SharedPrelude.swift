internal import JSON

extension ScriptRunner {
  /// The program's version, as scripts read it in `visitant.version`.
  package static let version = "0.1.0"
}

extension ScriptRunner.Prelude {
  /// What bots and desks share: `shared.lua`.
  static let shared = ScriptRunner.Prelude(
    name: "shared.lua", source: PackageResources.shared_lua,
    arguments: JSONValue.array([.string(ScriptRunner.version)]).bytes)
}
