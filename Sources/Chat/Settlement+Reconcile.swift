extension Settlement {
  /// What a comparison with the service's state says of an action that may have been delivered.
  package enum Reconciled: Equatable, Sendable {
    /// It has had its effect.
    case done(Value)
    /// It has not, or a repeat is recognised by its client id.
    case `repeat`
    case refused(ActionError)
  }

  /// Compares an action that may have been delivered with the service's state, before it is repeated: after a
  /// crash, and when no answer came. To be asked once a full update was applied.
  ///
  /// Without a client id a repeat would be a second effect, so these go by the state: a rating by its value,
  /// a survey answer by the survey's place, a press by its keyboard, a close by the chat's state. A survey
  /// that a full update no longer lists was answered to its end if the answer was the last one; else it ended
  /// otherwise, and the service says so to the repeat.
  package static func reconcile(_ action: Action, with conversation: Conversation) -> Reconciled {
    switch action {
    case .send(let id, _, _, _), .reply(let id, _, _):
      return conversation.sentMessage(id).map { .done(.message($0)) } ?? .repeat
    case .edit(let id, let text):
      return conversation.sentMessage(id).flatMap { $0.text == text ? .done(.message($0)) : nil } ?? .repeat
    case .delete(let id): return conversation.message(id) == nil ? .done(.nothing) : .repeat
    case .pressButton(let button, let message): return press(button, message, conversation)
    case .rateOperator(let rating):
      let id = rating.operatorID ?? conversation.operator?.id
      let value = id.flatMap { conversation.lastRating(ofOperator: $0) }
      return value == rating.stars ? .done(.stars(rating.stars)) : .repeat
    case .sendResolutionSurvey(let id, let answer, _):
      return conversation.lastResolution(ofOperator: id) == answer ? .done(.answer(answer)) : .repeat
    case .startChat(let clientID, _):
      let isOpen = conversation.hasChat && !conversation.chatState.isClosed
      return isOpen || conversation.chat?.clientID == clientID ? .done(.nothing) : .repeat
    case .closeChat:
      return conversation.chatState.isClosed || !conversation.hasChat ? .done(.nothing) : .repeat
    case .answerSurvey(let id, let position, _): return surveyAnswer(id, position, conversation)
    case .closeSurvey(let id):
      guard let progress = conversation.surveyProgress, progress.survey.id == id else {
        return .done(.nothing)
      }
      return progress.isListed ? .repeat : .done(.nothing)
    case .setVisitorTyping, .setChatRead: return .repeat
    }
  }

  private static func press(_ button: String, _ id: String, _ conversation: Conversation) -> Reconciled {
    guard !id.isEmpty, let message = conversation.message(id), let keyboard = message.keyboard else {
      return .repeat
    }
    if conversation.isAnswered(message, with: button) { return .done(.message(message)) }
    if keyboard.state == .pending { return .repeat }
    return .refused(
      ActionError(
        code: "stale_keyboard", action: "send_keyboard_request",
        detail: keyboard.state == .canceled ? "it was cancelled" : "it was answered with another button"))
  }

  private static func surveyAnswer(
    _ id: String, _ position: Survey.Position, _ conversation: Conversation
  ) -> Reconciled {
    guard let progress = conversation.surveyProgress, progress.survey.id == id else { return .done(.nothing) }
    if progress.isPast(position) { return .done(.nothing) }
    return !progress.isListed && progress.isAtLast ? .done(.nothing) : .repeat
  }
}
