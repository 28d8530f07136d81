/// What a user lets scripts see beyond the project's folder.
package struct ScriptAccess: Equatable, Sendable {
  /// Files and folders.
  package var readable: [String]
  /// Variables of the environment; nil for one that is not set.
  package var environment: [String: String?]

  package init(readable: [String] = [], environment: [String: String?] = [:]) {
    self.readable = readable
    self.environment = environment
  }
}
