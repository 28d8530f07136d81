package import Chat
internal import JSON
internal import Script

extension BotCall {
  /// What the service has to be asked for, with everything looked up in the conversation.
  ///
  /// Whether the visitor may do it is the service's to say; refused here is only what cannot be said at all:
  /// a press that is certain to be a mistake, an answer to a survey that is not there.
  ///
  /// - Parameter newClientID: A fresh client id, drawn where the action makes something new.
  /// - Returns: nil for a word that is no action of the service: `pause`, `resume`, `destroy`, the reading of
  ///   messages, questions to the host.
  package func resolve(
    in conversation: Conversation, newClientID: () -> String
  ) -> Result<Action, ActionError>? {
    switch word {
    case "start_chat", "force_start_chat", "send", "reply":
      return .success(message(in: conversation, clientID: newClientID()))
    case "close_chat": return .success(.closeChat)
    case "edit" where conversation.message(text(0)) == nil:
      // On the wire an edit is a message with a known id: one with an unknown id would be said anew.
      return .failure(
        ActionError(code: "message_not_found", action: word, detail: "no message has the id \"\(text(0))\""))
    case "edit": return .success(.edit(clientID(conversation), text: text(1)))
    case "delete": return .success(.delete(clientID(conversation)))
    case "send_keyboard_request": return conversation.press(text(1), onMessage: text(0))
    case "set_visitor_typing": return .success(.setVisitorTyping(draft: self[0].string))
    case "set_chat_read":
      let id = self[0].string
      return .success(.setChatRead(messageID: id.map { conversation.message($0)?.serverID ?? $0 }))
    case "rate_operator": return .success(.rateOperator(rating(conversation)))
    case "send_resolution_survey":
      let operatorID =
        operatorID(conversation) ?? conversation.operator?.id ?? conversation.operators.last?.id
      return .success(
        .sendResolutionSurvey(
          operatorID: operatorID ?? "", answer: self[0].integer ?? 0, threadID: conversation.threadID))
    case "answer_survey", "close_survey": return survey(conversation)
    default: return nil
    }
  }

  /// The actions that have a client id of their own.
  private func message(in conversation: Conversation, clientID: String) -> Action {
    switch word {
    case "start_chat":
      return .startChat(
        clientID: clientID,
        Action.StartChat(
          department: self["department"]?.string, firstQuestion: self["first_question"]?.string,
          customFields: self["custom_fields"]?.text))
    case "force_start_chat":
      return .startChat(
        clientID: clientID, Action.StartChat(department: self[0].string, isForced: true))
    case "reply":
      let quoted = conversation.message(text(0))?.serverID ?? text(0)
      return .reply(clientID: clientID, text: text(1), quoted: quoted)
    default:
      return .send(
        clientID: clientID, text: text(0), hintQuestion: self["hint_question"]?.bool,
        data: self["data"]?.text)
    }
  }

  private func rating(_ conversation: Conversation) -> Action.Rating {
    Action.Rating(
      stars: self[0].integer ?? 0, operatorID: operatorID(conversation), note: self["note"]?.string,
      threadID: conversation.threadID)
  }

  private func survey(_ conversation: Conversation) -> Result<Action, ActionError> {
    guard let survey = conversation.survey else {
      return .failure(
        ActionError(code: "no_current_survey", action: word, detail: "no survey is open"))
    }
    if word == "close_survey" { return .success(.closeSurvey(surveyID: survey.id)) }
    let current = conversation.currentQuestion
    // Past the last question the wire says so: form 0, question -1.
    let position = current?.position ?? Survey.Position(formID: 0, question: -1)
    let value = answer(to: current?.question)
    return .success(.answerSurvey(surveyID: survey.id, position, value: value))
  }

  /// What the wire carries: a choice by its number, whether the script named the number or the option.
  private func answer(to question: Survey.Question?) -> String {
    switch self[0] {
    case .string(let text):
      guard question?.kind == .radio, let option = question?.options.firstIndex(of: text) else { return text }
      return String(option + 1)
    case let value: return value.integer.map(String.init) ?? value.text
    }
  }

  private func text(_ index: Int) -> String { self[index].string ?? "" }

  private func clientID(_ conversation: Conversation) -> Message.ID {
    conversation.message(text(0))?.id ?? text(0)
  }

  /// The operator that an option names; as the script said it when nobody of that name was seen.
  private func operatorID(_ conversation: Conversation) -> String? {
    self["operator"]?.string.map { conversation.operatorID(named: $0) ?? $0 }
  }
}

extension BotCall {
  /// The answer to a question that the conversation alone can answer: `messages`, `raw`, confirmed ratings.
  ///
  /// - Returns: JSON; nil for a word that needs more.
  package func answer(in conversation: Conversation) -> [UInt8]? {
    switch word {
    case "messages": return conversation.messages.scriptJSON
    case "raw":
      let raw = conversation.message(text(0))?.raw
      return raw.flatMap { try? JSONNode(parsing: $0).value.bytes } ?? Array("null".utf8)
    case "last_rating_of_operator": return confirmed(conversation, conversation.lastRating)
    case "last_resolution_survey": return confirmed(conversation, conversation.lastResolution)
    default: return nil
    }
  }

  /// Of the operator that is named, else of the present one, else of the last one seen.
  private func confirmed(_ conversation: Conversation, _ value: (String) -> Int?) -> [UInt8] {
    let named = self[0].string.map { conversation.operatorID(named: $0) ?? $0 }
    let id = named ?? conversation.operator?.id ?? conversation.operators.last?.id ?? ""
    return value(id).map { JSONValue.integer($0).bytes } ?? Array("null".utf8)
  }
}

extension Sequence<Message> {
  /// Messages as a script gets them, as JSON.
  package var scriptJSON: [UInt8] {
    var writer = JSONWriter()
    writer.array { for message in self { message.write(to: &$0, shape: .script) } }
    return writer.bytes
  }
}

extension Settlement.Value {
  /// What the action returns to its script, as JSON.
  package var scriptJSON: [UInt8] {
    switch self {
    case .nothing: Array("null".utf8)
    case .message(let message): message.json(.script)
    case .stars(let value), .answer(let value): JSONValue.integer(value).bytes
    }
  }
}
