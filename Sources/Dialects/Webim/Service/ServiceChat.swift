package import Chat

/// A chat as the service keeps it (the Webim protocol, section 6.1).
struct ServiceChat {
  /// An operator whom the visitor may rate.
  struct Rateable {
    let operatorID: Int
    /// 1 to 5; nil while the rating is only asked for.
    var stars: Int?
    var note: String?
  }

  let id: WebimService.ChatID
  let clientID: String
  /// The client id of the latest start, by which a repeat of it is known.
  var startID: String
  var state: ChatState
  var present: ServiceOperator?
  /// Everyone who took part, the latest last.
  var participants: [ServiceOperator] = []
  /// Seconds since the epoch.
  let createdAt: Double
  var modifiedAt: Double
  /// Position of the first message among the visitor's.
  let firstPosition: Int
  /// The present start's, if it brought them.
  var department: String?
  var firstQuestion: String?
  /// Whose doing the end was, the first end of a chat that both have closed; nil while it is open.
  var closedBy: DeskParty?

  var isOperatorTyping = false
  var isVisitorTyping = false
  var isReadByVisitor = true
  /// Position of the visitor's first message that no operator has read.
  var firstUnreadByOperator: Int?
  /// Position of the first message that the visitor has not read, and how many there are.
  var firstUnread: Int?
  var unreadCount = 0

  /// Positions of the keyboards that wait for an answer.
  var pendingKeyboards: [Int] = []
  var ratings: [Rateable] = []
  /// Answers by operator id.
  var resolutions: [Int: Bool] = [:]

  init(
    id: WebimService.ChatID, clientID: String, state: ChatState, createdAt: Double, firstPosition: Int
  ) {
    self.id = id
    self.clientID = clientID
    startID = clientID
    self.state = state
    self.createdAt = createdAt
    modifiedAt = createdAt
    self.firstPosition = firstPosition
  }

  /// As ids of changes carry it.
  var wireID: String { String(id) }
}

/// A chat as it is now, for its desk.
package struct DeskChatStanding: Equatable, Sendable {
  package var id: WebimService.ChatID
  package var visitorID: String
  package var state: ChatState
  /// Who has the chat, or had it last before it was closed.
  package var `operator`: ServiceOperator?
  /// Whose doing the end was; nil while the chat is open.
  package var closedBy: DeskParty?
  package var department: String?
  package var firstQuestion: String?

  init(_ chat: ServiceChat, visitorID: String) {
    id = chat.id
    self.visitorID = visitorID
    state = chat.state
    `operator` = chat.state.isClosed ? chat.present ?? chat.participants.last : chat.present
    closedBy = chat.closedBy
    department = chat.department
    firstQuestion = chat.firstQuestion
  }
}
