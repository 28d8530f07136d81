package import Chat
package import JSON

/// Everything that an operator, a robot or the service itself can do.
///
/// Operators are named by the desk's local handles, chats by their ids, messages by server ids, visitors by
/// the ids that `visitorArrived` told.
package enum DeskCommand: Equatable, Sendable {
  package typealias ChatID = WebimService.ChatID

  /// Makes an operator known, or changes one; the handle keeps its wire id.
  case defineOperator(handle: String, name: String, title: String?, avatar: String?, robotType: String?)

  /// An operator takes the chat, or takes it over.
  case accept(ChatID, operator: String)
  /// A robot takes the chat: it is made known under its name.
  case robot(ChatID, name: String)
  case hold(ChatID)
  case route(ChatID)
  /// Back to the queue, without an operator.
  case queue(ChatID)
  /// Opens a chat from the operator's side.
  case invite(visitorID: String, operator: String, text: String?)
  /// Closes as the operator; `isFinal` makes it plain `closed` at once.
  case close(ChatID, isFinal: Bool)

  case typing(ChatID, Bool)
  case say(ChatID, text: String, quoting: String?)
  /// A system text.
  case info(ChatID, text: String)
  /// The system text that says that all operators are busy.
  case operatorBusy(ChatID, text: String)
  case edit(messageID: String, text: String)
  case delete(messageID: String)
  /// Marks the visitor's messages read, up to this one or all.
  case markRead(ChatID, upTo: String?)

  case keyboard(ChatID, text: String, rows: [[Button]])
  /// Hides all buttons, or one.
  case hideKeyboard(messageID: String, button: String?)
  /// Answers the keyboard in the visitor's place.
  case selectButton(messageID: String, button: String)
  case cancelKeyboard(messageID: String)

  /// The wire has no word for it: an operator's text, if given, and the operator in the chat's
  /// `operatorIdToRate`.
  case requestRating(ChatID, operator: String?, text: String?)
  case requestContacts(ChatID, text: String)
  case survey(ChatID, forms: [DeskForm])
  case cancelSurvey(ChatID)

  case departments([Department])
  case onlineStatus(OnlineStatus)
  /// The location's settings as JSON: an object.
  case locationSettings(JSONValue)
  /// One setting of the account, e.g. `visitor_message_editing`.
  case accountConfig(key: String, value: JSONValue)
  /// A setting of the service that the account's configuration does not hold.
  case limit(ServiceLimit, Int)
  case sessionState(visitorID: String, SessionState)
  case language(visitorID: String, String)
  /// Tells the visitor anew who it is, after laying `fields` over what is known.
  case visitorFull(visitorID: String, fields: [String: String])
  /// Pushes the complete state in the middle of the poll loop.
  case fullUpdate(visitorID: String)

  case ban(visitorID: String)
  case expireFields(visitorID: String)
  /// Takes a ban or an expiry back.
  case restore(visitorID: String)
  case requireReinit(visitorID: String)
  case blockAccount
  case unblockAccount
  /// Registers a token for token-based authorisation; from the first one on, only registered ones are taken.
  case registerToken(String)
}

/// A number that bounds what a visitor may send.
package enum ServiceLimit: String, Equatable, Sendable, CaseIterable {
  case messageLength = "message_length"
  case noteLength = "note_length"
  case commentLength = "comment_length"
}

/// A form of a survey under the desk's own name.
package struct DeskForm: Equatable, Sendable {
  package var handle: String
  package var questions: [Survey.Question]

  package init(handle: String, questions: [Survey.Question]) {
    self.handle = handle
    self.questions = questions
  }
}

/// What a command brought about.
package enum DeskAnswer: Equatable, Sendable {
  case done
  case message(ServiceMessage)
  case `operator`(ServiceOperator)
  case chat(WebimService.ChatID)
  case survey(id: String)
}

/// Why a command could not be carried out; whoever gave it knows by which word.
package struct DeskError: Error, Equatable, Sendable, CustomStringConvertible {
  package enum Code: String, Equatable, Sendable {
    case unknownChat = "unknown_chat"
    case unknownVisitor = "unknown_visitor"
    case unknownOperator = "unknown_operator"
    case unknownMessage = "unknown_message"
    /// The thing is there, but not in a state that allows the command.
    case wrongState = "wrong_state"
    case invalidArgument = "invalid_argument"
  }

  package var code: Code
  /// What it was about: "chat 9".
  package var object: String
  package var problem: String
  /// What to do about it.
  package var mend: String

  package var description: String { "\(object) \(problem); \(mend)" }
}
