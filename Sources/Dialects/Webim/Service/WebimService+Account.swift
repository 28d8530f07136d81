internal import Chat
internal import JSON

/// Commands about the account, the location and a visitor's standing.
extension WebimService {
  /// Settings; `nil` for a command that is none of them.
  mutating func set(_ command: DeskCommand, _ now: Double) throws(DeskError) -> DeskAnswer? {
    switch command {
    case .defineOperator(let handle, let name, let title, let avatar, let robotType):
      guard !handle.isEmpty, !name.isEmpty else {
        throw .invalid("the operator", "has no id or no name", "give it both")
      }
      return .operator(define(handle, name: name, title: title, avatar: avatar, robotType: robotType))
    case .departments(let departments):
      settings.departments = departments
      tellAll(now) { turn in turn.emit(.departments, id: "departments") { departments.write(into: &$0) } }
    case .onlineStatus(let status):
      // The wire has no change of its own for it.
      guard settings.onlineStatus != status else { break }
      settings.onlineStatus = status
      tellAll(now) { $0.needsFullUpdate = true }
    case .locationSettings(let value):
      guard case .object = value else {
        throw .invalid("the location's settings", "are no object", "give a table with names")
      }
      settings.locationSettings = value
    case .accountConfig(let key, let value): settings.account[key] = value
    case .limit(let limit, let value): try setLimit(limit, value)
    case .registerToken(let token):
      settings.authorizationTokens = (settings.authorizationTokens ?? []).union([token])
    default: return nil
    }
    return .done
  }

  private mutating func setLimit(_ limit: ServiceLimit, _ value: Int) throws(DeskError) {
    guard value > 0 else { throw .invalid("the limit \(limit.rawValue)", "is \(value)", "give at least 1") }
    switch limit {
    case .messageLength: settings.maxMessageLength = value
    case .noteLength: settings.maxNoteLength = value
    case .commentLength: settings.maxCommentLength = value
    }
  }

  private mutating func tellAll(_ now: Double, _ tell: (inout ServiceTurn) -> Void) {
    for index in visitors.indices where !visitors[index].pages.isEmpty {
      turn(index, now) { _, turn in tell(&turn) }
    }
  }

  /// What befalls one visitor, or the whole account.
  mutating func judge(_ command: DeskCommand, _ now: Double) throws(DeskError) -> DeskAnswer {
    switch command {
    case .sessionState(let id, let state):
      try withVisitor(id, now) { (visitor, turn) throws(DeskError) in visitor.enter(state, &turn) }
    case .language(let id, let code):
      try withVisitor(id, now) { (visitor, turn) throws(DeskError) in
        visitor.language = code
        turn.emit(.language, id: visitor.visitID) { $0.value(code) }
      }
    case .visitorFull(let id, let fields):
      try withVisitor(id, now) { (visitor, turn) throws(DeskError) in visitor.rename(fields, &turn) }
    case .fullUpdate(let id):
      try withVisitor(id, now) { (_, turn) throws(DeskError) in turn.needsFullUpdate = true }
    case .ban(let id): try setStanding(.banned, of: id)
    case .expireFields(let id): try setStanding(.expired, of: id)
    case .restore(let id): try setStanding(.welcome, of: id)
    case .requireReinit(let id):
      for page in visitors[try index(of: id)].pages {
        remove(page, answering: ServiceRefusal(.reinitRequired))
      }
    case .blockAccount:
      isBlocked = true
      for index in visitors.indices { refusePolls(of: index, ServiceRefusal(.accountBlocked)) }
    case .unblockAccount: isBlocked = false
    default: throw .invalid("the service", "does not know this command", "it is a fault of Visitant")
    }
    return .done
  }

  private mutating func setStanding(
    _ standing: ServiceVisitor.Standing, of id: String
  ) throws(DeskError) {
    let index = try index(of: id)
    visitors[index].standing = standing
    if let refusal = visitors[index].refusal { refusePolls(of: index, refusal) }
  }
}

extension ServiceVisitor {
  fileprivate mutating func rename(_ changes: [String: String], _ turn: inout ServiceTurn) {
    fields.merge(changes) { _, new in new }
    if let newName = changes["name"] ?? changes["display_name"] { name = newName }
    turn.emit(.visitorFull, id: id) { writeFull(into: &$0) }
  }
}
