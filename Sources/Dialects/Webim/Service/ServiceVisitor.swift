internal import Chat
internal import JSON

/// One visitor at the service: who it is, its chat, its messages.
///
/// Its methods say what a visitor's request or a desk's command does; changes go into the turn, from where
/// the service hands them to the visitor's pages.
struct ServiceVisitor {
  enum Standing {
    case welcome
    case banned
    case expired
  }

  let index: Int
  let id: String
  /// Seconds since the epoch.
  let createdAt: Double
  var name: String
  var fields: [String: String]
  /// Whether its application provided signed fields.
  let isProvided: Bool
  var location = ""
  var language: String?
  var standing = Standing.welcome

  var visitID: String
  var visitNumber = 1
  var sessionState = SessionState.idle
  /// Ids of its pages, oldest first.
  var pages: [String] = []
  /// Whether the desk believes it to be there.
  var isPresent = false
  /// Whether the service had seen this visitor before its latest coming.
  var isReturning = false

  /// The present chat, or the last one once it is closed.
  var chat: ServiceChat?
  /// The chats before that, as they ended.
  private(set) var formerChats: [ServiceChat] = []
  var survey: ServiceSurvey?
  /// Every message ever, the deleted ones too; number n is at n − 1.
  var messages: [ServiceMessage] = []
  var numbers: [String: Int] = [:]
  var historyRevision = 1
  private var lastTimestamp: Int64 = 0

  init(
    index: Int, id: String, visitID: String, name: String, fields: [String: String], isProvided: Bool,
    now: Double
  ) {
    self.index = index
    self.id = id
    self.visitID = visitID
    self.name = name
    self.fields = fields
    self.isProvided = isProvided
    createdAt = now
  }

  /// Why nothing of this visitor's is answered, if so.
  var refusal: ServiceRefusal? {
    switch standing {
    case .welcome: nil
    case .banned: ServiceRefusal(.visitorBanned)
    case .expired: ServiceRefusal(.fieldsExpired)
    }
  }

  mutating func enter(_ state: SessionState, _ turn: inout ServiceTurn) {
    guard state != sessionState else { return }
    sessionState = state
    turn.emit(.sessionState, id: visitID) { $0.value(state.wire) }
  }

  /// A chat of its own begins; the one before is over.
  mutating func begin(_ chat: ServiceChat) {
    if let former = self.chat { formerChats.append(former) }
    self.chat = chat
  }

  /// Microseconds since the epoch, later than those of every message before.
  private mutating func nextTimestamp(_ now: Double) -> Int64 {
    let wanted = now.isFinite ? Int64(min(max(now, 0), 9e9) * 1e6) : 0
    lastTimestamp = max(wanted, lastTimestamp + 1)
    return lastTimestamp
  }
}

// MARK: - Messages

extension ServiceVisitor {
  /// The position of the message with this server id.
  func position(_ messageID: String, _ turn: ServiceTurn) -> Int? {
    guard let (owner, number) = turn.ids.message(messageID), owner == index, number > 0,
      number <= messages.count
    else { return nil }
    return number - 1
  }

  /// Appends a message with its time and revision, tells the pages, and returns its position.
  @discardableResult
  mutating func append(_ draft: ServiceMessage, _ turn: inout ServiceTurn) -> Int {
    var message = draft
    message.id = turn.ids.message(index, number: messages.count + 1)
    message.timestamp = nextTimestamp(turn.now)
    historyRevision += 1
    message.revision = historyRevision
    numbers[message.clientID] = messages.count + 1
    messages.append(message)
    turn.counts.written += 1
    chat?.modifiedAt = turn.now
    turn.emit(.message, .add, id: message.id) { write(message, into: &$0) }
    announceHistory(&turn)
    return messages.count - 1
  }

  /// Marks a message as changed and tells the pages its new form.
  mutating func announceChange(at position: Int, _ turn: inout ServiceTurn) {
    touch(position)
    let message = messages[position]
    if message.isDeleted {
      turn.emit(.message, .delete, id: message.id)
    } else {
      turn.emit(.message, id: message.id) { write(message, into: &$0) }
    }
    announceHistory(&turn)
  }

  mutating func touch(_ position: Int) {
    historyRevision += 1
    messages[position].revision = historyRevision
  }

  func announceHistory(_ turn: inout ServiceTurn) {
    let revision = historyRevision
    turn.emit(.historyRevision, id: id) { $0.object { $0.member("revision", revision) } }
  }

  /// A message of this visitor in the present chat, not yet appended.
  func draft(_ kind: Message.Kind, clientID: String, text: String, chatID: Int) -> ServiceMessage {
    ServiceMessage(
      id: "", clientID: clientID, chatID: chatID, kind: kind, name: name, text: text, timestamp: 0,
      isRead: false)
  }
}
