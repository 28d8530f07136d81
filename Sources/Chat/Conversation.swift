/// All that is known of one visitor's conversation: it folds updates into events, in order and once.
///
/// A value without clock, randomness or I/O. An update that says nothing new gives no event, so a replayed
/// delta, a full update in mid-flight and a new init produce only differences. The vendors' listener of the
/// session state is called at each full update; this one only when the state differs, and so is every other.
///
/// Which messages are *news* (give ``ChatEvent/messageAdded(_:previous:)``) and which only fill the feed:
///
///     a delta adds it                         news, also when the feed has it silently already
///     a later snapshot has it                 news, unless it is older than all that history has told
///     the very first snapshot has it          news if the service counts it as unread by the visitor
///     the first history batch has it          news if something older was news, or it is of the current chat
///     a later history batch has it            news if newer than all earlier batches
///     a page of older history has it          never
///
/// So a visitor who comes back after a crash is told once of each message that came meanwhile, by whichever
/// way it is learnt, and a new visitor is not told of what was read long ago.
///
/// A keyboard is pending, answered or cancelled as the service says; only when its chat is gone, or another
/// chat has taken its place, is a pending one cancelled here. (The vendors cancel at every change of state
/// and operator too, and take it back in the same breath: two changes that come to nothing.) Rights of a
/// message (`canBeEdited`) change only when the service says so.
///
/// The feed is ordered by time, with messages still being sent at its end; a change may move a message.
package struct Conversation: Equatable, Sendable {
  package internal(set) var sessionState = SessionState.unknown
  package internal(set) var chatState = ChatState.unknown
  package internal(set) var `operator`: Operator?
  package internal(set) var isOperatorTyping = false
  /// The current chat, or the last one once it is gone; its ratings and its id stay readable.
  package internal(set) var chat: ChatRecord?
  /// Whether `chat` is present at the service, not only remembered.
  package internal(set) var hasChat = false
  package internal(set) var feed = Feed()
  package internal(set) var departments: [Department] = []
  package internal(set) var onlineStatus = OnlineStatus.unknown
  package internal(set) var surveyProgress: SurveyProgress?
  /// Seconds since the epoch of the oldest message that no operator has read.
  package internal(set) var unreadByOperatorSince: Double?
  package internal(set) var unreadByVisitorSince: Double?
  var unreadByVisitorCount: Int?
  /// Compact JSON, as it came.
  package internal(set) var locationSettings: String?
  package internal(set) var visitor: VisitorProfile?
  package internal(set) var hintsEnabled = false
  package internal(set) var greeting: String?
  /// Whether nothing older than the feed exists at the service.
  package internal(set) var isHistoryComplete = false
  /// Whether a snapshot was ever applied.
  package internal(set) var hasBegun = false
  /// The time of the newest message that any history batch has told; nil before the first one.
  var historyMark: Int64?
  var sessionLanguage: String?
  /// The operators seen last, the latest version of each, in the order of their first appearance.
  package internal(set) var operators: [Operator] = []

  package init() {}

  /// Folds one update in.
  ///
  /// - Returns: What changed, in the order in which listeners are told.
  package mutating func apply(_ update: Update) -> [ChatEvent] {
    var events: [ChatEvent] = []
    switch update {
    case .snapshot(let snapshot): snapshotReceived(snapshot, &events)
    case .messageAdded, .messageChanged, .messageRemoved, .messageRead, .history, .historyPage, .sending,
      .sendingFailed:
      messageUpdate(update, &events)
    case .survey(let survey?): surveyStarted(survey, &events)
    case .survey(nil): surveyEnded(&events)
    case .questionAnswered(let id, let position): questionAnswered(id, position, &events)
    case .departments(let list): departmentsReceived(list, &events)
    case .sessionState(let state):
      sessionStateReceived(state, &events)
      if state == .offlineMessage { onlineStatusReceived(.offline, &events) }
    case .visitor(let profile): visitor = profile
    case .language(let code): languageReceived(code, &events)
    case .onlineStatus(let status): onlineStatusReceived(status, &events)
    case .hintsEnabled(let isEnabled): hintsEnabled = isEnabled
    case .greeting(let text): greetingReceived(text, &events)
    case .locationSettings(let settings): locationSettingsReceived(settings, &events)
    case .chat, .chatID, .chatState, .operatorChanged, .operatorTyping, .readByVisitor, .unreadByOperator,
      .unreadByVisitor, .rating, .resolution:
      chatUpdate(update, &events)
    }
    return events
  }

  /// What a store has to write of the feed to be level with it, since the last call.
  package mutating func takeFeedChanges() -> Feed.Changes { feed.takeChanges() }

  package var messages: [Message] { feed.messages }
  package var unreadByVisitorMessageCount: Int { unreadByVisitorCount ?? 0 }
  package var language: String? { chat?.language ?? sessionLanguage }
  package var survey: Survey? { surveyProgress?.survey }

  /// What stays of a chat beside its messages.
  package struct ChatRecord: Equatable, Sendable {
    package var id: Int
    package var clientID: String?
    /// Stars (1 to 5) by operator id.
    package var ratings: [String: Int] = [:]
    /// 1 or 0 by operator id.
    package var resolutions: [String: Int] = [:]
    package var language: String?

    package init(id: Int, clientID: String? = nil) {
      self.id = id
      self.clientID = clientID
    }

    /// Whether a snapshot shows this chat; a client id that either side lacks decides nothing.
    func isSame(as snapshot: ChatSnapshot) -> Bool {
      id == snapshot.id
        && (clientID == nil || snapshot.clientID == nil || clientID == snapshot.clientID)
    }
  }
}
