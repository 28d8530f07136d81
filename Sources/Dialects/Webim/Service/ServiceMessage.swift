package import Chat

/// A message as the service keeps it.
package struct ServiceMessage: Equatable, Sendable {
  /// The server id.
  package var id: String
  package var clientID: String
  package var chatID: WebimService.ChatID
  package var kind: Message.Kind
  /// The wire id of the operator who wrote it.
  package var authorID: Int?
  package var name: String
  package var avatar: String?
  package var text: String
  /// Microseconds since the Unix epoch, unique for its visitor.
  package var timestamp: Int64
  /// Read by an operator; what did not come from the visitor always is.
  package var isRead: Bool
  package var isEdited = false
  package var isDeleted = false
  package var canBeEdited = false
  package var canBeReplied = false
  /// The server id of the message that this one answers.
  package var quotedID: String?
  /// Where the quoted message stands among the visitor's.
  var quotedPosition: Int?
  package var keyboard: Keyboard?
  /// The button and the keyboard's message of a `keyboardResponse`.
  package var response: KeyboardResponse?
  /// The rich `data` of a visitor's message: compact JSON, an object.
  package var data: String?
  /// The history revision of the last change.
  var revision = 0

  mutating func quote(_ message: ServiceMessage, at position: Int) {
    quotedID = message.id
    quotedPosition = position
  }

  /// Whether it counts among the messages that the visitor has to read.
  var isFromOperator: Bool {
    switch kind {
    case .operatorMessage, .keyboard, .operatorBusy, .contactInformationRequest, .fileFromOperator: true
    default: false
    }
  }
}

/// An operator or a robot of the account.
package struct ServiceOperator: Equatable, Sendable {
  /// The desk's word.
  package var handle: String
  /// The wire's stable number.
  package var id: Int
  package var name: String
  package var title: String?
  package var avatar: String?
  package var robotType: String?
}
