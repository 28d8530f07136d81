internal import Chat
internal import JSON

/// The start of a session: who is it, and the complete state (the Webim protocol, sections 2.3 to 2.7).
extension WebimService {
  /// What an init says of a visitor.
  private struct Introduction {
    /// Under which the visitor is known, if the application named it.
    var key: String?
    var name: String?
    var fields: [String: String] = [:]
    /// The visitor that the client believes to be.
    var claimed: Int?
    var deviceKey: String
    var location: String
    var visitID: String?
  }

  mutating func initReceived(
    _ arguments: ServiceArguments, _ now: Double
  ) throws(ServiceRefusal) -> WireResponse {
    if isBlocked { throw ServiceRefusal(.accountBlocked) }
    let introduction = try introduction(arguments, now)
    let known = introduction.key.map { identities[$0] } ?? introduction.claimed
    if let known, let refusal = visitors[known].refusal { throw refusal }
    let index = known ?? makeVisitor(introduction, now)
    visitors[index].location = introduction.location
    if !introduction.fields.isEmpty { visitors[index].fields = introduction.fields }
    if let name = introduction.name { visitors[index].name = name }
    renewVisit(of: index, introduction.visitID)
    let page = makePage(for: index, now)
    arrive(index, isReturning: known != nil)
    return fullUpdate(for: page)
  }

  private func introduction(
    _ arguments: ServiceArguments, _ now: Double
  ) throws(ServiceRefusal) -> Introduction {
    let device = try arguments.filled("device-id")
    var introduction = Introduction(
      deviceKey: "device:\(device)", location: arguments["location"] ?? "default")
    introduction.visitID = arguments["visit-session-id"].flatMap { $0.isEmpty ? nil : $0 }
    if let provided = try arguments.node("visitor-ext") {
      let signed = try ProvidedFields(provided)
      try signed.check(settings, now)
      introduction.key = "id:\(signed.id)"
      introduction.fields = signed.fields
      introduction.name = signed.fields["display_name"] ?? signed.fields["name"]
    } else if let token = arguments["provided_auth_token"], !token.isEmpty {
      if let known = settings.authorizationTokens, !known.contains(token) {
        throw ServiceRefusal(.tokenNotFound)
      }
      introduction.key = "token:\(token)"
    } else {
      let visitorID = try arguments.node("visitor")?["id"]?.string
      introduction.claimed = anonymousVisitor(visitorID, introduction)
    }
    return introduction
  }

  /// Whom a client without provided fields is: by what it kept of its last session, else by its device.
  private func anonymousVisitor(_ visitorID: String?, _ introduction: Introduction) -> Int? {
    let claims = [
      visitorID.flatMap { ids.visitorIndex($0) },
      introduction.visitID.flatMap { ids.visitIndex($0) },
      identities[introduction.deviceKey],
    ]
    return claims.compactMap { $0 }.first { visitors.indices.contains($0) && !visitors[$0].isProvided }
  }

  private mutating func makeVisitor(_ introduction: Introduction, _ now: Double) -> Int {
    let index = visitors.count
    visitors.append(
      ServiceVisitor(
        index: index, id: ids.visitor(index), visitID: ids.visit(index, number: 1),
        name: introduction.name ?? settings.visitorName, fields: introduction.fields,
        isProvided: introduction.key != nil, now: now))
    identities[introduction.key ?? introduction.deviceKey] = index
    return index
  }

  /// A client that comes back without the id of its visit, with nothing going on, begins a new visit.
  private mutating func renewVisit(of index: Int, _ visitID: String?) {
    let visitor = visitors[index]
    let isQuiet = visitor.pages.isEmpty && visitor.chat?.state.isClosed ?? true && visitor.survey == nil
    guard isQuiet, visitID != visitor.visitID, visitor.isPresent || visitor.sessionState != .idle else {
      return
    }
    visitors[index].visitNumber += 1
    visitors[index].visitID = ids.visit(index, number: visitors[index].visitNumber)
    visitors[index].sessionState = .idle
  }
}

/// The visitor fields of an application (the Webim protocol, section 2.4).
private struct ProvidedFields {
  let id: String
  var fields: [String: String] = [:]
  private let hash: String?
  private let expires: JSONNode?

  /// The current form has its values in `fields`, the old one at top level.
  init(_ node: JSONNode) throws(ServiceRefusal) {
    let holder = node["fields"] ?? node
    for (key, value) in holder.members {
      if let text = value.string {
        fields[key] = text
      } else if node["fields"] != nil {
        throw ServiceRefusal(.wrongArgument, argument: "visitor-ext", explanation: "\(key) is no string")
      }
    }
    guard let id = fields["id"], !id.isEmpty else {
      throw ServiceRefusal(.wrongArgument, argument: "visitor-ext", explanation: "id is missing")
    }
    self.id = id
    hash = node["hash"]?.string ?? node["crc"]?.string
    expires = node["expires"]
  }

  /// The values in the order of their keys and the expiry are what the hash signs.
  func check(_ settings: WebimService.Settings, _ now: Double) throws(ServiceRefusal) {
    if let expires {
      guard let expiry = expires.integer else { throw ServiceRefusal(.wrongExpiry, argument: "expires") }
      guard Double(expiry) > now else { throw ServiceRefusal(.fieldsExpired) }
    }
    guard settings.account.checksVisitorAuth else { return }
    let values = fields.sorted { $0.key < $1.key }.map(\.value).joined()
    let text = values + (expires?.integer.map { String($0) } ?? "")
    guard let hash, !hash.isEmpty, settings.isSigned?(text, hash) ?? true else {
      throw ServiceRefusal(.wrongHash)
    }
  }
}

extension WebimService {
  /// The complete state of a visitor, as an init or a poll answers it.
  func fullUpdate(for page: ServicePage) -> WireResponse {
    let visitor = visitors[page.visitor]
    var writer = JSONWriter()
    writer.object {
      $0.member("revision", String(page.revision))
      $0.member("fullUpdate") {
        $0.object {
          $0.member("pageId", page.id)
          $0.member("authToken", page.token)
          write(visitor, into: &$0)
        }
      }
    }
    return WireResponse(body: writer.bytes)
  }

  private func write(_ visitor: ServiceVisitor, into writer: inout JSONWriter) {
    writer.member("visitSessionId", visitor.visitID)
    writer.member("visitor") { visitor.writeIdentity(into: &$0) }
    writer.member("visitorFull") { visitor.writeFull(into: &$0) }
    writer.member("state", visitor.sessionState.wire)
    writer.member("onlineStatus", settings.onlineStatus.wire)
    writer.member("chat") {
      guard let chat = visitor.chat else { return $0.null() }
      visitor.write(chat, into: &$0)
    }
    writer.member("departments") { settings.departments.write(into: &$0) }
    writer.member("hintsEnabled", settings.hintsEnabled)
    writer.member("historyRevision", visitor.historyRevision)
    if let survey = visitor.survey { writer.member("survey") { survey.write(into: &$0) } }
    writer.member("showHelloMessage", settings.greeting != nil)
    writer.member("chatStartAfterMessage", settings.greeting != nil)
    writer.member("helloMessageDescr", settings.greeting ?? "")
  }
}
