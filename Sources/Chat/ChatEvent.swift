internal import JSON

/// What happened in a conversation, as the handbook's listeners tell it: in the service's order, and once.
package enum ChatEvent: Equatable, Sendable {
  /// `previous` is the message after which the new one stands; nil when it is the oldest.
  case messageAdded(Message, previous: Message?)
  case messageChanged(from: Message, to: Message)
  case messageRemoved(Message)
  /// An added or changed message that carries a pending keyboard which was not pending before.
  case keyboard(Message)
  case chatState(from: ChatState, to: ChatState)
  case sessionState(from: SessionState, to: SessionState)
  case operatorChanged(from: Operator?, to: Operator?)
  case operatorTyping(Bool)
  case departments([Department])
  /// Compact JSON, as it came.
  case locationSettings(from: String?, to: String)
  case onlineStatus(from: OnlineStatus, to: OnlineStatus)
  /// Seconds since the epoch, or nil when everything is read.
  case unreadByOperator(since: Double?)
  case unreadByVisitor(since: Double?)
  case unreadCount(Int)
  case survey(Survey)
  case surveyQuestion(Survey.Question, Survey.Position)
  case surveyCancelled(Survey?)
  /// A rating or resolution answer that the service has confirmed.
  case rated(operatorID: String, stars: Int)
  case resolved(operatorID: String, answer: Int)
  case language(String?)
  case greeting(String)
  case connection(Bool)
  case notFatalError(SessionError)
  case fatalError(SessionError)

  /// The name of the handler without `on_`, as `event.name` and `wait_for` use it.
  package var name: String {
    switch self {
    case .messageAdded: "message"
    case .messageChanged: "message_changed"
    case .messageRemoved: "message_removed"
    case .keyboard: "keyboard"
    case .chatState: "chat_state"
    case .sessionState: "session_state"
    case .operatorChanged: "operator"
    case .operatorTyping: "operator_typing"
    case .departments: "departments"
    case .locationSettings: "location_settings"
    case .onlineStatus: "online_status"
    case .unreadByOperator: "unread_by_operator"
    case .unreadByVisitor: "unread_by_visitor"
    case .unreadCount: "unread_count"
    case .survey: "survey"
    case .surveyQuestion: "survey_question"
    case .surveyCancelled: "survey_cancelled"
    case .rated: "rated"
    case .resolved: "resolved"
    case .language: "language"
    case .greeting: "greeting"
    case .connection: "connection"
    case .notFatalError: "not_fatal_error"
    case .fatalError: "fatal_error"
    }
  }
}

/// Trouble of the whole session (the handbook's `FatalErrorType` and `NotFatalErrorType`).
package struct SessionError: Error, Equatable, Sendable, CustomStringConvertible {
  package enum Code: String, Equatable, Sendable, CaseIterable {
    case accountBlocked = "account_blocked"
    case initializationFailed = "initialization_failed"
    case noNetworkConnection = "no_network_connection"
    case providedVisitorFieldsExpired = "provided_visitor_fields_expired"
    case serverIsNotAvailable = "server_is_not_available"
    case unknown
    case visitorBanned = "visitor_banned"
    case wrongProvidedVisitorHash = "wrong_provided_visitor_hash"
  }

  package var code: Code
  /// The service's own word, or what the transport said.
  package var serverCode: String

  package init(code: Code, serverCode: String) {
    self.code = code
    self.serverCode = serverCode.abridged()
  }

  package var description: String {
    "\(code.rawValue) (the service said \"\(serverCode)\")"
  }
}
