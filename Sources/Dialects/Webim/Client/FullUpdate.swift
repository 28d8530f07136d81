internal import Chat
internal import JSON

/// A full update with what the session keeps for itself (the protocol's section 2.7).
struct FullUpdate: Equatable, Sendable {
  var pageID: String?
  var authToken: String?
  var visitSessionID: String?
  /// Compact JSON.
  var visitor: String?
  var historyRevision: String?
  var snapshot: Snapshot

  init(wire node: JSONNode, chat: (JSONNode) -> ChatSnapshot) {
    pageID = node["pageId"]?.string
    authToken = node["authToken"]?.string
    visitSessionID = node["visitSessionId"]?.string
    visitor = node["visitor"].flatMap { $0.isObject ? $0.value.text : nil }
    historyRevision = node["historyRevision"]?.revision
    snapshot = Snapshot(sessionState: node["state"]?.string.map(SessionState.init(wire:)) ?? .unknown)
    snapshot.departments = node["departments"].flatMap {
      $0.isArray ? $0.elements.compactMap(Department.init(wire:)) : nil
    }
    snapshot.survey = node["survey"].flatMap(Survey.init(wire:))
    snapshot.visitor = node["visitorFull"].flatMap(VisitorProfile.init(wire:))
    snapshot.chat = node["chat"].flatMap { $0.isObject ? chat($0) : nil }
    snapshot.hintsEnabled = node["hintsEnabled"]?.bool ?? false
    snapshot.onlineStatus = node["onlineStatus"]?.string.flatMap(OnlineStatus.init(wire:))
    let isWanted = node["showHelloMessage"]?.bool == true && node["chatStartAfterMessage"]?.bool == true
    if isWanted, snapshot.chat?.messages.isEmpty ?? true {
      snapshot.greeting = node["helloMessageDescr"]?.string
    }
  }
}
