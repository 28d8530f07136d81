/// The state of the chat; the raw values are the words of a script (the protocol's section 6.2).
package enum ChatState: String, Equatable, Sendable, CaseIterable {
  case queue
  case routing
  case chatting
  case chattingWithRobot = "chatting_with_robot"
  case hold
  case invitation
  case closed
  case closedByOperator = "closed_by_operator"
  case closedByVisitor = "closed_by_visitor"
  case deleted
  case unknown

  /// Whether the next message has to start a chat first.
  package var isClosed: Bool {
    switch self {
    case .closed, .closedByOperator, .closedByVisitor, .unknown: true
    case .queue, .routing, .chatting, .chattingWithRobot, .hold, .invitation, .deleted: false
    }
  }
}

/// The state of the visit (the protocol's section 6.3).
package enum SessionState: String, Equatable, Sendable, CaseIterable {
  case chat
  case departmentSelection = "department_selection"
  case firstQuestion = "first_question"
  case idle
  case idleAfterChat = "idle_after_chat"
  case offlineMessage = "offline_message"
  case unknown
}

/// What the service can take at present (the protocol's section 6.4).
package enum OnlineStatus: String, Equatable, Sendable, CaseIterable {
  case online
  case offline
  case busyOnline = "busy_online"
  case busyOffline = "busy_offline"
  case unknown
}
