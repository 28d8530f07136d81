internal import Chat
internal import JSON

extension ChatSnapshot {
  /// A chat without its messages (the protocol's section 6.1): without an id it has its creation time,
  /// negated.
  init(wire node: JSONNode) {
    let creation = node["creationTs"]?.number.flatMap { Int(exactly: $0.rounded()) } ?? 0
    self.init(
      id: node["id"]?.integer ?? 0 &- creation,
      state: node["state"]?.string.map(ChatState.init(wire:)) ?? .unknown)
    clientID = node["clientSideId"]?.string
    self.operator = node["operator"].flatMap(Operator.init(wire:))
    isOperatorTyping = node["operatorTyping"]?.bool ?? false
    isReadByVisitor = node["readByVisitor"]?.bool ?? false
    unreadByOperatorSince = node["unreadByOperatorSinceTs"]?.number
    unreadByVisitorCount = node["unreadByVisitorMsgCnt"]?.integer ?? 0
    unreadByVisitorSince = node["unreadByVisitorSinceTs"]?.number
    for entry in Self.entries(node["operatorIdToRate"]) {
      ratings[entry.id] = entry.node["rating"]?.integer.map { $0 &+ 3 }
    }
    for entry in Self.entries(node["operatorIdToResolutionSurvey"]) {
      resolutions[entry.id] = entry.node["answer"]?.integer
    }
    language = node["translationOptions"]?["language"]?.string
  }

  /// The entries of a map by operator; one without a whole `operatorId` is dropped.
  private static func entries(_ node: JSONNode?) -> [(id: String, node: JSONNode)] {
    (node?.members ?? []).compactMap { member in
      member.value["operatorId"]?.integer.map { (String($0), member.value) }
    }
  }
}

extension Operator {
  init?(wire node: JSONNode) {
    guard let id = node["id"]?.integer, let name = node["fullname"]?.string else { return nil }
    self.init(id: String(id), name: name)
    avatar = node["avatar"]?.string
    title = node["title"]?.string
    info = node["additionalInfo"]?.string
    robotType = node["robotType"]?.string
  }
}

extension Department {
  init?(wire node: JSONNode) {
    guard let key = node["key"]?.string, let name = node["name"]?.string,
      let online = node["online"]?.string, let order = node["order"]?.integer
    else { return nil }
    self.init(key: key, name: name, onlineStatus: OnlineStatus(wire: online) ?? .unknown, order: order)
    for member in node["localeToName"]?.members ?? [] {
      localizedNames[member.key] = member.value.string
    }
    logo = node["logo"]?.string
  }
}

extension VisitorProfile {
  init?(wire node: JSONNode) {
    guard let id = node["id"]?.string else { return nil }
    self.init(id: id)
    for member in node["fields"]?.members ?? [] {
      fields[member.key] = member.value.string
    }
  }
}
