package import Chat
package import JSON

/// The fields of `visitor` that the host sets: what is known of the conversation, and who the visitor is.
package struct VisitorFields: Equatable, Sendable {
  /// What the conversation does not know.
  package struct Identity: Equatable, Sendable {
    package var account = ""
    package var location = ""
    package var pageTitle = ""
    /// What the run calls the visitor; the service's own name for it wins.
    package var name: String?
    /// 1…N in a run of several visitors.
    package var index = 1
    package var iteration = 1
    /// The visitor's row of a feeder.
    package var data = JSONValue.object([])

    package init() {}
  }

  private static let textKeys = [
    "id", "name", "chat_id", "chat_state", "session_state", "online_status", "language",
  ]
  private static let numberKeys = [
    "unread_by_operator_timestamp", "unread_by_visitor_timestamp", "unread_by_visitor_message_count",
  ]

  /// In the order of the keys.
  private var texts: [String?]
  private var numbers: [Double?]
  private var `operator`: Operator?
  private var departments: [Department]
  private var survey: Survey?
  private var locationSettings: String?
  private var profile: [String: String]
  private var identity: Identity
  private var isConnected: Bool

  package init(_ conversation: Conversation, identity: Identity, isConnected: Bool) {
    texts = [
      conversation.visitor?.id, conversation.visitor?.fields["name"] ?? identity.name,
      conversation.hasChat ? conversation.chat.map { String($0.id) } : nil, conversation.chatState.rawValue,
      conversation.sessionState.rawValue, conversation.onlineStatus.rawValue, conversation.language,
    ]
    numbers = [
      conversation.unreadByOperatorSince, conversation.unreadByVisitorSince,
      Double(conversation.unreadByVisitorMessageCount),
    ]
    self.operator = conversation.operator
    departments = conversation.departments
    survey = conversation.survey
    locationSettings = conversation.locationSettings
    profile = conversation.visitor?.fields ?? [:]
    self.identity = identity
    self.isConnected = isConnected
  }

  /// The fields that are no longer what they were, as the JSON of ``BotInput/fields(_:)``; all of them
  /// without an `old`, nil when there are none.
  package func changes(from old: VisitorFields?) -> [UInt8]? {
    guard self != old else { return nil }
    var writer = JSONWriter()
    writer.object { writer in
      for (index, key) in Self.textKeys.enumerated() where old == nil || old?.texts[index] != texts[index] {
        writer.member(key, texts[index].map { .string($0) } ?? .null)
      }
      for (index, key) in Self.numberKeys.enumerated()
      where old == nil || old?.numbers[index] != numbers[index] {
        writer.member(key, numbers[index].map(Self.number) ?? .null)
      }
      writeStructures(to: &writer, old)
      if old == nil || old?.identity != identity { writeIdentity(to: &writer) }
      if old?.isConnected != isConnected { writer.member("connected", isConnected) }
    }
    return writer.bytes
  }

  private func writeStructures(to writer: inout JSONWriter, _ old: VisitorFields?) {
    if old == nil || old?.operator != self.operator {
      writer.member("operator") { writer in
        if let value = self.operator { value.write(to: &writer, shape: .script) } else { writer.null() }
      }
    }
    if old?.departments != departments {
      writer.member("departments") { writer in
        writer.array { for department in departments { department.write(to: &$0, shape: .script) } }
      }
    }
    if old == nil || old?.survey != survey {
      writer.member("survey") { writer in
        if let survey { survey.write(to: &writer, shape: .script) } else { writer.null() }
      }
    }
    if old == nil || old?.locationSettings != locationSettings {
      let value = locationSettings.flatMap { try? JSONNode(parsing: $0).value }
      writer.member("location_settings", value ?? .null)
    }
    if old?.profile != profile {
      writer.member("fields", Self.object(profile))
    }
  }

  private func writeIdentity(to writer: inout JSONWriter) {
    writer.member("account", identity.account)
    writer.member("location", identity.location)
    writer.member("page_title", identity.pageTitle)
    writer.member("index", identity.index)
    writer.member("iteration", identity.iteration)
    writer.member("data", identity.data)
  }

  private static func number(_ value: Double) -> JSONValue {
    Int(exactly: value).map(JSONValue.integer) ?? .number(value)
  }
}
