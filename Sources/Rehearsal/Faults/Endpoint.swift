/// The doors of the service (the protocol's section 1.2), in the words of a fault's `on`.
package enum Endpoint: String, Equatable, Sendable, CaseIterable {
  case meta, config, settings, `init`, delta, action, upload, download, history, search, faq, auth, info
  case onlineStatus = "online_status"
  case fileDelete = "file_delete"
  /// A path that no client of the protocol asks for.
  case other

  /// - Parameter event: The request's `event` parameter: older clients ask for `init` on the delta's path.
  package init(path: String, event: String?) {
    self = Self.exact[path] ?? Self.prefixed.first { path.hasPrefix($0.0) }?.1 ?? .other
    if self == .delta, event == "init" { self = .`init` }
  }

  private static let exact: [String: Endpoint] = [
    "/api/visitor/meta": .meta, "/l/v/m/init": .`init`, "/l/v/m/delta": .delta, "/l/v/m/action": .action,
    "/l/v/m/upload": .upload, "/l/v/m/history": .history, "/l/v/m/search-messages": .search,
    "/l/v/m/get-online-status": .onlineStatus, "/l/v/get-online-status": .onlineStatus,
    "/l/v/file-delete": .fileDelete, "/l/v/m/auth": .auth, "/l/v/m/info": .info,
  ]

  private static let prefixed: [(String, Endpoint)] = [
    ("/api/visitor/v1/configs/", .config), ("/x/js/v/all-settings-", .settings),
    ("/l/v/m/download/", .download), ("/services/faq/", .faq),
  ]
}
