internal import Chat
internal import JSON

extension Action {
  /// The parameters of the action's request, without credentials (the protocol's section 4.3).
  var form: [WireRequest.Parameter] {
    var form = ActionForm(actionName)
    switch self {
    case .startChat(let id, let start): form.add(start, id)
    case .closeChat: break
    case .send(let id, let text, let hintQuestion, let data):
      form.add("client-side-id", id)
      form.add("message", text)
      form.add("hint_question", hintQuestion.map { $0 ? "1" : "0" })
      form.add("data", data)
    case .reply(let id, let text, let quoted):
      form.add("client-side-id", id)
      form.add("message", text)
      form.add("quote", Self.quote(quoted))
    case .edit(let id, let text):
      form.add("client-side-id", id)
      form.add("message", text)
      form.add("hint_question", "0")
    case .delete(let id): form.add("client-side-id", id)
    case .pressButton(let button, let message):
      form.add("button-id", button)
      form.add("request-message-id", message)
    case .rateOperator(let rating): form.add(rating)
    case .sendResolutionSurvey(let operatorID, let answer, let threadID):
      form.add("operator_id", operatorID)
      form.add("answer", String(answer))
      form.add("thread_id", threadID.map(String.init))
    case .answerSurvey(let survey, let position, let value):
      form.add("survey-id", survey)
      form.add("form-id", String(position.formID))
      form.add("question-id", String(position.question))
      form.add("answer", value)
    case .closeSurvey(let survey): form.add("survey-id", survey)
    case .setVisitorTyping(let draft): return TypingCadence.Sign.draft(draft).form
    case .setChatRead(let message): form.add("message_id", message)
    }
    return form.parameters
  }

  private var actionName: String {
    switch self {
    case .startChat: "chat.start"
    case .closeChat: "chat.close"
    case .send, .reply, .edit: "chat.message"
    case .delete: "chat.delete_message"
    case .pressButton: "chat.keyboard_response"
    case .rateOperator: "chat.operator_rate_select"
    case .sendResolutionSurvey: "chat.resolution_survey_select"
    case .answerSurvey: "survey.answer"
    case .closeSurvey: "survey.cancel"
    case .setVisitorTyping: "chat.visitor_typing"
    case .setChatRead: "chat.read_by_visitor"
    }
  }

  private static func quote(_ message: String?) -> String {
    var writer = JSONWriter()
    writer.object {
      $0.member("ref") {
        $0.object {
          $0.member("msgId", message ?? "")
          $0.member("msgChannelSideId", .null)
          $0.member("chatId", .null)
        }
      }
    }
    return writer.text
  }

  /// Whether a closed chat has to be opened first (the protocol's section 4.2).
  var startsChat: Bool {
    switch self {
    case .send, .reply: true
    default: false
    }
  }

  /// Whether the same request twice does no more than once: by its client id or by its nature.
  var isRepeatable: Bool {
    switch self {
    case .setVisitorTyping, .setChatRead: true
    default: clientID != nil
    }
  }
}

extension ActionQueue.Item {
  /// Whether a refusal says that the action was carried out the first time: a message that is deleted is not
  /// found.
  func isDone(by refusal: ErrorCode) -> Bool {
    guard isRepeat, case .delete = action else { return false }
    return refusal == ErrorCode("message_not_found")
  }
}

extension TypingCadence.Sign {
  var form: [WireRequest.Parameter] {
    var form = ActionForm("chat.visitor_typing")
    switch self {
    case .draft(let text):
      let isEmpty = text?.isEmpty ?? true
      form.add("typing", isEmpty ? "0" : "1")
      form.add("del-message-draft", isEmpty ? "1" : "0")
      form.add("message-draft", text)
    case .idle:
      form.add("typing", "0")
      form.add("del-message-draft", "0")
    }
    return form.parameters
  }
}

/// The parameters of one action, in the order they were added.
private struct ActionForm {
  private(set) var parameters: [WireRequest.Parameter]

  init(_ action: String) {
    parameters = [WireRequest.Parameter("action", action)]
  }

  /// Leaves the parameter out when there is no value.
  mutating func add(_ name: String, _ value: String?) {
    if let value { parameters.append(WireRequest.Parameter(name, value)) }
  }

  mutating func add(_ start: Action.StartChat, _ id: String) {
    add("client-side-id", id)
    add("force-online", "1")
    add("first-question", start.firstQuestion)
    add("department-key", start.department)
    add("visitor-fields", start.customFields)
    add("force-start", start.isForced ? "1" : nil)
  }

  mutating func add(_ rating: Action.Rating) {
    add("rate", String(rating.stars &- 3))
    add("operator_id", rating.operatorID)
    add("visitor_note", rating.note)
    add("thread_id", rating.threadID.map(String.init))
  }
}
