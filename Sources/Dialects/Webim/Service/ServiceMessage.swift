package import Chat

/// A message as the service keeps it.
package struct ServiceMessage: Equatable, Sendable {
  /// The wire's kinds that the service makes (the Webim protocol, section 5.6).
  package enum Kind: String, Equatable, Sendable {
    case visitor
    case `operator`
    case operatorBusy = "operator_busy"
    case info
    case keyboard
    case keyboardResponse = "keyboard_response"
    case contactRequest = "cont_req"
    case contacts
  }

  /// The server id.
  package var id: String
  package var clientID: String
  package var chatID: WebimService.ChatID
  package var kind: Kind
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
  package var canBeEdited: Bool
  package var canBeReplied: Bool
  /// The server id of the message that this one answers.
  package var quotedID: String?
  package var keyboard: Keyboard?
  /// The button of a `keyboardResponse`; its keyboard is `quotedID`'s counterpart `requestID`.
  package var button: Button?
  package var requestID: String?
  /// The rich `data` of a visitor's message: compact JSON, an object.
  package var data: String?
  /// The history revision of the last change.
  var revision = 0
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
