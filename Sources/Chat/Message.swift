/// One message of a conversation, as the handbook's `Message` tells it.
package struct Message: Equatable, Sendable {
  /// The public id: the client id (`clientSideId`), by which a visitor edits, deletes and recognises a
  /// message.
  package typealias ID = String

  package enum Kind: String, Equatable, Sendable, CaseIterable {
    case visitorMessage = "visitor_message"
    case operatorMessage = "operator_message"
    case operatorBusy = "operator_busy"
    case info
    case fileFromVisitor = "file_from_visitor"
    case fileFromOperator = "file_from_operator"
    case keyboard
    case keyboardResponse = "keyboard_response"
    case actionRequest = "action_request"
    case contactInformationRequest = "contact_information_request"
    case contacts
    case stickerVisitor = "sticker_visitor"
  }

  package enum SendStatus: String, Equatable, Sendable {
    case sending
    case sent
  }

  package var id: ID
  /// The service's id (`id` on the wire), absent while the message is being sent.
  package var serverID: String?
  package var chatID: String?
  package var kind: Kind
  package var senderID: String?
  package var senderName: String
  /// A path relative to the service's base URL.
  package var senderAvatar: String?
  /// What a person reads: for a file its name.
  package var text: String
  /// The text as it came, where it differs from `text` (the JSON of a file).
  package var rawText: String?
  /// Microseconds since the Unix epoch; unique in a visitor's history.
  package var timestamp: Int64
  package var isRead: Bool
  package var isEdited: Bool
  package var canBeEdited: Bool
  package var canBeReplied: Bool
  package var canVisitorReact: Bool
  package var canVisitorChangeReaction: Bool
  package var reaction: String?
  package var sendStatus: SendStatus
  package var keyboard: Keyboard?
  package var keyboardResponse: KeyboardResponse?
  package var quote: Quote?
  package var attachments: [Attachment]
  package var stickerID: Int?
  /// The rich `data` of the wire as compact JSON, kept for scripts that know it.
  package var data: String?
  /// Whether the message came as a robot's: its author's operator object carries `robotType`, or it came in
  /// the state `chatting_with_robot`.
  package var isFromRobot: Bool
  /// The wire object as compact JSON.
  package var raw: String?

  package init(
    id: ID, serverID: String? = nil, kind: Kind, senderName: String = "", text: String, timestamp: Int64,
    sendStatus: SendStatus = .sent
  ) {
    self.id = id
    self.serverID = serverID
    self.kind = kind
    self.senderName = senderName
    self.text = text
    self.timestamp = timestamp
    self.sendStatus = sendStatus
    isRead = false
    isEdited = false
    canBeEdited = false
    canBeReplied = false
    canVisitorReact = false
    canVisitorChangeReaction = false
    attachments = []
    isFromRobot = false
  }

  /// Who speaks, in the words of a filter's `from`.
  package var origin: Origin { kind.origin(isFromRobot: isFromRobot) }

  package enum Origin: String, Equatable, Sendable, CaseIterable {
    case visitor
    case `operator`
    case robot
    case system
  }
}

extension Message.Kind {
  /// Who speaks in a message of this kind.
  package func origin(isFromRobot: Bool) -> Message.Origin {
    switch self {
    case .visitorMessage, .fileFromVisitor, .keyboardResponse, .contacts, .stickerVisitor: .visitor
    case .operatorMessage, .keyboard, .fileFromOperator: isFromRobot ? .robot : .operator
    case .operatorBusy, .info, .actionRequest, .contactInformationRequest: .system
    }
  }
}

/// A file of a message (the protocol's section 8.3).
package struct Attachment: Equatable, Sendable {
  package var guid: String
  package var fileName: String
  package var contentType: String
  package var size: Int?
  package var imageWidth: Int?
  package var imageHeight: Int?
  /// `upload`, `ready`, `error`, `external_checks`.
  package var state: String

  package init(guid: String, fileName: String, contentType: String, size: Int? = nil, state: String = "ready")
  {
    self.guid = guid
    self.fileName = fileName
    self.contentType = contentType
    self.size = size
    self.state = state
  }
}

/// What a message answers (the protocol's section 5.10).
package struct Quote: Equatable, Sendable {
  package enum State: String, Equatable, Sendable {
    case pending
    case filled
    case notFound = "not_found"
  }

  package var state: State
  /// The quoted message's server id.
  package var messageID: String?
  package var authorID: String?
  package var kind: Message.Kind?
  package var senderName: String?
  package var text: String?
  /// Seconds since the Unix epoch.
  package var time: Double?

  package init(state: State) {
    self.state = state
  }
}
