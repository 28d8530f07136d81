/// What is known of one action since it began: whether the service took its request, and what changed.
struct ActionProgress: Sendable {
  var isAccepted = false
  /// The message or the confirmed value as it was when the action began.
  private let before: Before
  /// Whether an event told of a change that only this action can have meant.
  private var isSeen = false

  private struct Before: Sendable {
    var message: Message?
    var value: Int?
    var isChatClosed: Bool
    var isOffline: Bool
    var operatorID: String?
  }

  init(_ action: Action, in conversation: Conversation) {
    var before = Before(
      isChatClosed: conversation.chatState.isClosed, isOffline: conversation.sessionState == .offlineMessage)
    switch action {
    case .edit(let id, _), .delete(let id): before.message = conversation.message(id)
    case .pressButton(_, let id): before.message = id.isEmpty ? nil : conversation.message(id)
    case .rateOperator(let rating):
      before.operatorID = rating.operatorID ?? conversation.operator?.id
      before.value = before.operatorID.flatMap { conversation.lastRating(ofOperator: $0) }
    case .sendResolutionSurvey(let id, _, _): before.value = conversation.lastResolution(ofOperator: id)
    default: break
    }
    self.before = before
  }

  mutating func look(at events: [ChatEvent], for action: Action) {
    isSeen = isSeen || events.contains { isEffect($0, of: action) }
  }

  private func isEffect(_ event: ChatEvent, of action: Action) -> Bool {
    switch (action, event) {
    case (.edit(let id, _), .messageChanged(let old, let new)):
      new.id == id && (old.text != new.text || old.isEdited != new.isEdited)
    case (.rateOperator(let rating), .rated(let id, let stars)):
      stars == rating.stars && (before.operatorID == nil || before.operatorID == id)
    case (.sendResolutionSurvey(let id, let answer, _), .resolved(let other, let value)):
      id == other && answer == value
    default: false
    }
  }

  /// How the action has ended; nil while it has not.
  func result(of action: Action, in conversation: Conversation) -> Result<Settlement.Value, ActionError>? {
    switch action {
    case .send(let id, _, _, _), .reply(let id, _, _):
      return conversation.sentMessage(id).map { .success(.message($0)) }
    case .edit(let id, let text): return edited(id, text, conversation)
    case .delete(let id):
      let isGone = conversation.message(id) == nil
      return isGone && (isAccepted || before.message != nil) ? .success(.nothing) : nil
    case .pressButton(let button, let message): return pressed(button, message, conversation)
    case .rateOperator(let rating):
      let value = before.operatorID.flatMap { conversation.lastRating(ofOperator: $0) }
      let isConfirmed = value == rating.stars && (isAccepted || value != before.value)
      return isSeen || isConfirmed ? .success(.stars(rating.stars)) : nil
    case .sendResolutionSurvey(let id, let answer, _):
      let value = conversation.lastResolution(ofOperator: id)
      let isConfirmed = value == answer && (isAccepted || value != before.value)
      return isSeen || isConfirmed ? .success(.answer(answer)) : nil
    case .startChat(let clientID, let start): return started(clientID, start, conversation)
    case .closeChat:
      let isClosed = conversation.chatState.isClosed || !conversation.hasChat
      return isClosed && (isAccepted || !before.isChatClosed) ? .success(.nothing) : nil
    case .answerSurvey, .closeSurvey, .setVisitorTyping, .setChatRead:
      return isAccepted ? .success(.nothing) : nil
    }
  }

  private func edited(
    _ id: Message.ID, _ text: String, _ conversation: Conversation
  ) -> Result<Settlement.Value, ActionError>? {
    guard let message = conversation.message(id) else { return isAccepted ? .success(.nothing) : nil }
    return isSeen || isAccepted && message.text == text ? .success(.message(message)) : nil
  }

  /// A keyboard that was answered with another button or cancelled meanwhile says nothing of this press: the
  /// answer to the request does.
  private func pressed(
    _ button: String, _ message: String, _ conversation: Conversation
  ) -> Result<Settlement.Value, ActionError>? {
    guard !message.isEmpty, let target = conversation.message(message) else {
      return isAccepted ? .success(.nothing) : nil
    }
    if conversation.isAnswered(target, with: button) { return .success(.message(target)) }
    let isChanged = target.keyboard != before.message?.keyboard || !target.hasPendingKeyboard
    return isAccepted && isChanged ? .success(.message(target)) : nil
  }

  private func started(
    _ clientID: String, _ start: Action.StartChat, _ conversation: Conversation
  ) -> Result<Settlement.Value, ActionError>? {
    if conversation.hasChat, conversation.chat?.clientID == clientID { return .success(.nothing) }
    if conversation.hasChat, !conversation.chatState.isClosed, isAccepted || before.isChatClosed {
      return .success(.nothing)
    }
    return isAccepted ? obstacle(to: start, conversation).map { .failure($0) } : nil
  }

  /// What the service waits for in place of opening the chat; nil while it may still open it.
  ///
  /// A visit that was offline before says nothing: a start may end that, and its chat comes after the answer.
  private func obstacle(to start: Action.StartChat, _ conversation: Conversation) -> ActionError? {
    switch conversation.sessionState {
    case .departmentSelection where start.department == nil && !start.isForced:
      let keys = conversation.departments.map(\.key).joined(separator: ", ")
      return ActionError(
        code: "department_required", action: "start_chat",
        detail: "the service waits for a department: \(keys)")
    case .firstQuestion where start.firstQuestion == nil && !start.isForced:
      return ActionError(
        code: "first_question_required", action: "start_chat",
        detail: "the service waits for the first question")
    case .offlineMessage where !before.isOffline:
      return ActionError(
        code: "operators_offline", action: "start_chat", detail: "the service takes offline messages only")
    default: return nil
    }
  }

  func timeout(of action: Action) -> ActionError {
    ActionError(
      code: "timeout", action: action.name,
      detail: isAccepted
        ? "the service took it, but its effect did not show" : "the service did not answer in time")
  }
}

extension Conversation {
  /// The message with this client id once the service has it.
  func sentMessage(_ id: Message.ID) -> Message? {
    message(id).flatMap { $0.sendStatus == .sent ? $0 : nil }
  }

  /// Whether the service shows that a keyboard was answered with this button.
  func isAnswered(_ message: Message, with button: String) -> Bool {
    if let serverID = message.serverID, let response = keyboardResponse(toMessage: serverID),
      response.keyboardResponse?.button.id == button
    {
      return true
    }
    guard let keyboard = message.keyboard, keyboard.state == .completed else { return false }
    return keyboard.response.map { $0.buttonID == button } ?? true
  }
}
