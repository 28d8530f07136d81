extension ScriptRunner.Prelude {
  /// What bots and desks share: `shared.lua`.
  static let shared = ScriptRunner.Prelude(name: "shared.lua", source: PackageResources.shared_lua)
}
