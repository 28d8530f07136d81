internal import Chat
internal import JSON

/// Answers that need no session (the Webim protocol, sections 2.2 and 9.1 to 9.3).
extension WebimService {
  static let metaAnswer: WireResponse = {
    var writer = JSONWriter()
    let endpoints: JSONValue = [
      "history_mobile": ["url": "/l/v/m/history", "metod": "GET", "params": ["since"]],
      "configs": ["url": "/api/visitor/v1/configs", "metod": "GET", "params": ["jsonp"]],
    ]
    writer.object { $0.member("endpoints", endpoints) }
    return WireResponse(body: writer.bytes)
  }()

  var configAnswer: WireResponse {
    WireResponse(body: config)
  }

  private var config: [UInt8] {
    var writer = JSONWriter()
    writer.object {
      $0.member("accountConfig", .object(settings.account.members))
      $0.member("locationSettings", settings.locationSettings)
      $0.member("routingRules", settings.routingRules)
    }
    return writer.bytes
  }

  /// Clients cut off a fixed number of characters at both ends and read the rest as JSON.
  func settingsScript(isRox: Bool) -> WireResponse {
    let name = isRox ? "roxchatApplyServerSideSettings" : "webimApplyServerSideSettings"
    let body = Array("\(name)(".utf8) + config + Array(");".utf8)
    return WireResponse(contentType: "application/javascript", body: body)
  }

  var onlineStatusAnswer: WireResponse {
    var writer = JSONWriter()
    writer.object {
      $0.member("onlineOperators", settings.onlineStatus == .online)
      $0.member("onlineStatus", settings.onlineStatus.wire)
    }
    return WireResponse(body: writer.bytes)
  }
}

extension [Department] {
  /// A list of department objects (the Webim protocol, section 6.5).
  func write(into writer: inout JSONWriter) {
    writer.array {
      for department in self {
        $0.object {
          $0.member("key", department.key)
          $0.member("name", department.name)
          $0.member("online", department.onlineStatus.wire)
          $0.member("order", department.order)
          $0.member(optional: "logo", department.logo)
          guard !department.localizedNames.isEmpty else { return }
          let names = department.localizedNames.sorted { $0.key < $1.key }
          $0.member("localeToName", .object(names.map { .init($0.key, .string($0.value)) }))
        }
      }
    }
  }
}
