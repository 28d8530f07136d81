/// An operator of the chat (the protocol's section 6.6).
package struct Operator: Equatable, Sendable {
  /// The decimal id of the wire.
  package var id: String
  package var name: String
  /// A path relative to the service's base URL.
  package var avatar: String?
  package var title: String?
  package var info: String?
  /// Set for a robot.
  package var robotType: String?

  package init(id: String, name: String) {
    self.id = id
    self.name = name
  }

  /// Whether a listener would call the two the same: id, name and avatar agree.
  package func isSame(as other: Operator?) -> Bool {
    id == other?.id && name == other?.name && avatar == other?.avatar
  }
}

/// A department of the account (the protocol's section 6.5).
package struct Department: Equatable, Sendable {
  package var key: String
  package var name: String
  package var onlineStatus: OnlineStatus
  /// A larger order is a higher priority.
  package var order: Int
  package var localizedNames: [String: String]
  package var logo: String?

  package init(key: String, name: String, onlineStatus: OnlineStatus, order: Int) {
    self.key = key
    self.name = name
    self.onlineStatus = onlineStatus
    self.order = order
    localizedNames = [:]
  }
}

/// The visitor as the service knows it (the protocol's section 2.8).
package struct VisitorProfile: Equatable, Sendable {
  package var id: String
  package var fields: [String: String]

  package init(id: String, fields: [String: String] = [:]) {
    self.id = id
    self.fields = fields
  }
}
