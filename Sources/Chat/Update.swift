/// What a dialect has read off the wire: one neutral change of a conversation.
package enum Update: Equatable, Sendable {
  /// The complete state, which replaces what was known (the protocol's section 2.9).
  case snapshot(Snapshot)
  /// The current chat as a whole, or that there is none.
  case chat(ChatSnapshot?)
  case chatID(Int)
  case chatState(ChatState)
  case messageAdded(Message)
  case messageChanged(Message)
  case messageRemoved(serverID: String)
  case messageRead(serverID: String, Bool)
  case operatorChanged(Operator?)
  case operatorTyping(Bool)
  case readByVisitor(Bool)
  /// Seconds since the epoch of the oldest message that no operator has read.
  case unreadByOperator(since: Double?)
  case unreadByVisitor(count: Int, since: Double?)
  case departments([Department])
  /// Stars from 1 to 5.
  case rating(operatorID: String, stars: Int)
  /// 1 for yes, 0 for no.
  case resolution(operatorID: String, answer: Int)
  /// A survey that starts or starts again, or the end of one.
  case survey(Survey?)
  /// The answer to this question was accepted; nothing happens when the survey has moved past it already, as
  /// by a full update that overtakes the answer's success.
  case questionAnswered(surveyID: String, Survey.Position)
  case sessionState(SessionState)
  case visitor(VisitorProfile)
  case language(String?)
  case onlineStatus(OnlineStatus)
  case hintsEnabled(Bool)
  case greeting(String)
  /// The location's settings as compact JSON.
  case locationSettings(String)
  /// History after a revision: messages to upsert and ids to delete.
  ///
  /// An id is a server id or a client id; both are told where both are known, since a message that was
  /// deleted before its echo was seen is known by its client id alone.
  case history(messages: [Message], removed: [String])
  /// A page of history before a time; `isLast` when nothing older exists.
  case historyPage(messages: [Message], isLast: Bool)
  /// A message of the visitor that is about to be sent.
  case sending(Message)
  /// The message with this id will not be sent.
  case sendingFailed(Message.ID)
}

/// A full update (the protocol's section 2.7); absent members are unknown, not empty.
package struct Snapshot: Equatable, Sendable {
  package var sessionState: SessionState
  package var departments: [Department]?
  package var survey: Survey?
  package var visitor: VisitorProfile?
  package var chat: ChatSnapshot?
  package var hintsEnabled: Bool
  /// The greeting to show, when the service wants one and the chat is to start with the visitor's message.
  package var greeting: String?
  package var onlineStatus: OnlineStatus?

  package init(sessionState: SessionState) {
    self.sessionState = sessionState
    hintsEnabled = false
  }
}

/// A whole chat (the protocol's section 6.1).
package struct ChatSnapshot: Equatable, Sendable {
  package var id: Int
  package var clientID: String?
  package var state: ChatState
  package var messages: [Message]
  /// False when the wire carried no list at all, so that a message's absence says nothing.
  package var listsMessages = true
  package var `operator`: Operator?
  package var isOperatorTyping: Bool
  package var isReadByVisitor: Bool
  package var unreadByOperatorSince: Double?
  package var unreadByVisitorCount: Int
  package var unreadByVisitorSince: Double?
  /// Stars (1 to 5) by operator id.
  package var ratings: [String: Int]
  /// 1 or 0 by operator id.
  package var resolutions: [String: Int]
  package var language: String?

  package init(id: Int, state: ChatState) {
    self.id = id
    self.state = state
    messages = []
    isOperatorTyping = false
    isReadByVisitor = false
    unreadByVisitorCount = 0
    ratings = [:]
    resolutions = [:]
  }
}
