/// What the service tells its desk: everything that a visitor did, and what became of it.
package enum DeskEvent: Equatable, Sendable {
  package typealias ChatID = WebimService.ChatID

  /// A visitor has opened a session, or is back after it had left.
  case visitorArrived(DeskVisitor)
  /// A poll broke off and the visitor stayed silent for ``WebimService/Settings/absenceSeconds``, or its last
  /// page expired.
  case visitorLeft(visitorID: String)
  case chatStarted(DeskChat)
  /// Also for a first question, right after its `chatStarted`.
  case message(ChatID, ServiceMessage)
  case messageEdited(ChatID, ServiceMessage, previousText: String)
  case messageDeleted(ChatID, ServiceMessage)
  case pressed(ChatID, DeskPress)
  /// `stars` from 1 to 5; told once for each rating that differs from the one before.
  case rated(ChatID, operator: ServiceOperator, stars: Int, note: String?)
  case resolved(ChatID, operator: ServiceOperator, answer: Bool)
  case surveyAnswered(ChatID, DeskSurveyAnswer)
  case surveyFinished(ChatID, surveyID: String, answers: [DeskSurveyAnswer])
  case surveyCancelled(ChatID, surveyID: String, by: DeskParty)
  /// `draft` is nil when the visitor's request carried none.
  case typing(ChatID, isTyping: Bool, draft: String?)
  /// Read up to the message with this server id, or the whole chat.
  case read(ChatID, upTo: String?)
  /// The chat is in a closed state now; `state` is the wire's word.
  case closed(ChatID, by: DeskParty, state: String)
  /// Contact fields as compact JSON, the answer to a request for contacts.
  case contacts(ChatID, fields: String)
}

/// Whose doing a change was.
package enum DeskParty: String, Equatable, Sendable {
  case visitor
  case `operator`
  /// The service itself: inactivity, a forced end.
  case service
}

package struct DeskVisitor: Equatable, Sendable {
  package var id: String
  package var name: String
  /// The fields that the visitor's application provided.
  package var fields: [String: String]
  package var location: String
  /// Whether the service had seen this visitor before.
  package var isReturning: Bool

  init(_ visitor: ServiceVisitor) {
    id = visitor.id
    name = visitor.name
    fields = visitor.fields
    location = visitor.location
    isReturning = visitor.isReturning
  }
}

package struct DeskChat: Equatable, Sendable {
  package var id: WebimService.ChatID
  package var visitorID: String
  package var firstQuestion: String?
  package var department: String?
  /// Compact JSON.
  package var customFields: String?
  package var isForced: Bool
  /// Whether this is a chat that a party had closed and the visitor has opened again.
  package var isReopened: Bool
}

package struct DeskPress: Equatable, Sendable {
  /// The keyboard's message, by server id.
  package var keyboardID: String
  package var buttonID: String
  package var text: String
  /// The `keyboard_response` message, by server id.
  package var responseID: String
}

package struct DeskSurveyAnswer: Equatable, Sendable {
  package var surveyID: String
  /// The desk's own word for the form.
  package var form: String
  package var formID: Int
  /// Index of the question in its form, counted from 0.
  package var question: Int
  package var questionText: String
  /// As the visitor sent it: stars and radio options are numbers counted from 1.
  package var value: String
  /// The text of the chosen option of a radio question.
  package var option: String?
}
