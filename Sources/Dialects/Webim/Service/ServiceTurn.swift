internal import JSON

/// What one request or command works with, and what it leaves behind for the pages and the desk.
struct ServiceTurn {
  /// The wire's names of a change (the Webim protocol, section 3.4).
  enum Change: String {
    case chat = "CHAT"
    case message = "CHAT_MESSAGE"
    case `operator` = "CHAT_OPERATOR"
    case operatorTyping = "CHAT_OPERATOR_TYPING"
    case readByVisitor = "CHAT_READ_BY_VISITOR"
    case chatState = "CHAT_STATE"
    case unreadByOperator = "CHAT_UNREAD_BY_OPERATOR_SINCE_TS"
    case unreadByVisitor = "UNREAD_BY_VISITOR"
    case messageRead = "MESSAGE_READ"
    case departments = "DEPARTMENT_LIST"
    case historyRevision = "HISTORY_REVISION"
    case rating = "OPERATOR_RATE"
    case survey = "SURVEY"
    case sessionState = "VISIT_SESSION_STATE"
    case visitorFull = "VISITOR_FULL"
    case language = "VISIT_SESSION_LANG"
  }

  enum Event: String {
    case add
    case update = "upd"
    case delete = "del"
  }

  /// Seconds since the epoch.
  let now: Double
  let settings: WebimService.Settings
  /// Operators by wire id.
  let operators: [Int: ServiceOperator]
  let visitorCount: Int
  /// Whether the visitor has a page; without one nothing is written.
  let isHeard: Bool
  var ids: ServiceIDs
  var counts: ServiceStatistics
  /// Delta items as JSON, in order.
  var deltas: [[UInt8]] = []
  var needsFullUpdate = false
  var events: [DeskEvent] = []

  /// Adds a change; a deletion carries no data.
  mutating func emit(
    _ change: Change, _ event: Event = .update, id: String, _ data: (inout JSONWriter) -> Void
  ) {
    guard isHeard else { return }
    var writer = JSONWriter()
    writer.object {
      $0.member("objectType", change.rawValue)
      $0.member("event", event.rawValue)
      $0.member("id", id)
      if event != .delete { $0.member("data", data) }
    }
    deltas.append(writer.bytes)
  }

  /// Adds a change whose data is null.
  mutating func emit(_ change: Change, _ event: Event = .update, id: String) {
    emit(change, event, id: id) { $0.null() }
  }
}
