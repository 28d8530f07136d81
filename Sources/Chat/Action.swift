/// What a visitor does, with everything the wire needs already looked up in the conversation.
///
/// Ids are client ids where a visitor made the thing, server ids where the service did. Compact JSON text
/// stands for structured values that only the service understands.
package enum Action: Equatable, Sendable {
  case startChat(clientID: String, StartChat)
  case closeChat
  case send(clientID: Message.ID, text: String, hintQuestion: Bool?, data: String?)
  /// `quoted` is the server id of the message that is answered, `nil` when it has none.
  case reply(clientID: Message.ID, text: String, quoted: String?)
  case edit(Message.ID, text: String)
  case delete(Message.ID)
  /// `message` is the keyboard's server id, empty if it has none.
  case pressButton(button: String, message: String)
  case rateOperator(Rating)
  case sendResolutionSurvey(operatorID: String, answer: Int, threadID: Int?)
  case answerSurvey(surveyID: String, Survey.Position, value: String)
  case closeSurvey(surveyID: String)
  /// `nil` ends a draft, an empty text deletes it.
  case setVisitorTyping(draft: String?)
  /// Read up to the message with this server id, or the whole chat.
  case setChatRead(messageID: String?)

  package struct StartChat: Equatable, Sendable {
    package var department: String?
    package var firstQuestion: String?
    /// Compact JSON.
    package var customFields: String?
    package var isForced: Bool

    package init(
      department: String? = nil, firstQuestion: String? = nil, customFields: String? = nil,
      isForced: Bool = false
    ) {
      self.department = department
      self.firstQuestion = firstQuestion
      self.customFields = customFields
      self.isForced = isForced
    }
  }

  package struct Rating: Equatable, Sendable {
    /// As the script said it; the wire carries stars − 3.
    package var stars: Int
    /// nil: the current operator.
    package var operatorID: String?
    package var note: String?
    package var threadID: Int?

    package init(stars: Int, operatorID: String? = nil, note: String? = nil, threadID: Int? = nil) {
      self.stars = stars
      self.operatorID = operatorID
      self.note = note
      self.threadID = threadID
    }
  }

  /// The method of a script that asked for it.
  package var name: String {
    switch self {
    case .startChat: "start_chat"
    case .closeChat: "close_chat"
    case .send: "send"
    case .reply: "reply"
    case .edit: "edit"
    case .delete: "delete"
    case .pressButton: "send_keyboard_request"
    case .rateOperator: "rate_operator"
    case .sendResolutionSurvey: "send_resolution_survey"
    case .answerSurvey: "answer_survey"
    case .closeSurvey: "close_survey"
    case .setVisitorTyping: "set_visitor_typing"
    case .setChatRead: "set_chat_read"
    }
  }

  /// The client id under which a repeat is recognised by the service; nil for what has to be reconciled
  /// first.
  package var clientID: String? {
    switch self {
    case .startChat(let id, _), .send(let id, _, _, _), .reply(let id, _, _): id
    case .edit(let id, _), .delete(let id): id
    case .closeChat, .pressButton, .rateOperator, .sendResolutionSurvey, .answerSurvey, .closeSurvey,
      .setVisitorTyping, .setChatRead:
      nil
    }
  }
}
