internal import JSON

/// What meta and config tell before a session begins (the protocol's sections 2.1, 2.2 and 9.1).
struct AccountSettings: Equatable, Sendable {
  private(set) var historyPath = "/l/v/m/history"
  private(set) var configPath = "/api/visitor/v1/configs"
  private(set) var location: String
  private(set) var allowsEditing = true
  private(set) var allowsQuoting = true
  /// Compact JSON.
  private(set) var locationSettings: String?
  /// Whether a config was read.
  private(set) var isKnown = false

  init(location: String) {
    self.location = location
  }

  mutating func metaReceived(_ answer: JSONNode) {
    historyPath = Self.path(answer, "history_mobile") ?? historyPath
    configPath = Self.path(answer, "configs") ?? configPath
  }

  mutating func configReceived(_ answer: JSONNode, visitorFields: String?) {
    isKnown = true
    let account = answer["accountConfig"]
    allowsEditing = account?["visitor_message_editing"]?.bool ?? true
    allowsQuoting = account?["web_and_mobile_quoting"]?.bool ?? true
    if let settings = answer["locationSettings"], settings.isObject {
      locationSettings = Self.complete(settings, with: account).text
    }
    route(answer["routingRules"]?.elements ?? [], visitorFields)
  }

  /// The limits of uploads stand in the account's part and are handed out with the location's.
  private static func complete(_ settings: JSONNode, with account: JSONNode?) -> JSONValue {
    var members = settings.value.members
    for key in ["max_visitor_upload_file_size", "allowed_upload_file_types"] {
      guard let value = account?[key]?.value else { continue }
      members.removeAll { $0.key == key }
      members.append(JSONValue.Member(key, value))
    }
    return .object(members)
  }

  /// The last rule that fits the visitor's signed fields names the location.
  private mutating func route(_ rules: [JSONNode], _ visitorFields: String?) {
    // Fields that are no JSON fit no rule.
    guard let text = visitorFields, let fields = (try? JSONNode(parsing: text))?["fields"] else { return }
    for rule in rules {
      guard let field = rule["visitorField"]?.string, let value = rule["visitorFieldValue"]?.string,
        let key = rule["locationKey"]?.string, fields[field]?.string == value
      else { continue }
      location = key
    }
  }

  /// A path of ours, or none: another host or a query of its own is not followed.
  private static func path(_ answer: JSONNode, _ key: String) -> String? {
    guard let url = answer["endpoints"]?[key]?["url"]?.string, url.utf8.first == UInt8(ascii: "/"),
      !url.utf8.contains(UInt8(ascii: "?")), !url.utf8.contains(UInt8(ascii: "#"))
    else { return nil }
    return url.utf8.last == UInt8(ascii: "/") ? String(url.dropLast()) : url
  }
}
