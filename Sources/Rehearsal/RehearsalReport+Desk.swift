import Chat
import Dialects

extension RehearsalReport.Event {
  /// What a visitor did; nil for what is not worth a line.
  init?(_ event: DeskEvent, at service: WebimService) {
    switch event {
    case .visitorArrived: self = .visitorArrived
    case .chatStarted: self = .chatStarted
    case .message(_, let message): self.init(message, at: service)
    case .messageEdited(_, let message, _):
      self = .messageEdited(text: message.text, clientID: message.clientID)
    case .messageDeleted(_, let message): self = .messageDeleted(clientID: message.clientID)
    case .pressed(_, let press): self = .pressed(button: press.buttonID, text: press.text)
    case .rated(_, let rated, let stars, _): self = .rated(operator: rated.name, stars: stars)
    case .resolved(_, let rated, let answer):
      self = .resolved(operator: rated.name, answer: answer ? 1 : 0)
    case .surveyAnswered(_, let answer):
      self = .surveyAnswered(question: answer.questionText, answer: answer.value)
    case .surveyFinished: self = .surveyEnded(finished: true)
    case .surveyCancelled: self = .surveyEnded(finished: false)
    case .closed(_, let party, _): self = .closed(by: party.rawValue)
    case .visitorLeft, .typing, .read, .contacts: return nil
    }
  }

  init(_ message: ServiceMessage, at service: WebimService) {
    let name = message.name.isEmpty ? service.origin(of: message).rawValue : message.name
    self = .message(
      from: name, kind: message.kind.wire, text: message.text, clientID: message.clientID)
  }
}

extension RehearsalStatistics {
  /// Keeps what a visitor did, if it is to be kept.
  mutating func keep(_ event: DeskEvent, visitor: String?) {
    let visitor = visitor ?? ""
    switch event {
    case .visitorArrived(let arrived): if !arrived.isReturning { keep(arrived.id, in: \.visitors) }
    case .message(_, let message): keep(message, visitor: visitor)
    case .messageEdited(_, let message, _):
      guard let index = messages.kept.firstIndex(where: { $0.clientID == message.clientID }) else { return }
      messages.kept[index].text = message.text
    case .messageDeleted(_, let message): messages.kept.removeAll { $0.clientID == message.clientID }
    case .pressed(_, let press): keep(press.text, in: \.presses)
    case .rated(_, let rated, let stars, _):
      keep(Rating(visitor: visitor, operatorID: rated.id, stars: stars), in: \.ratings)
    case .surveyAnswered(_, let answer):
      let effect = SurveyAnswer(
        visitor: visitor, survey: answer.surveyID, question: answer.questionText, answer: answer.value)
      keep(effect, in: \.surveyAnswers)
    case .chatStarted, .closed, .visitorLeft, .resolved, .surveyFinished, .surveyCancelled, .typing, .read,
      .contacts:
      break
    }
  }

  mutating func keep(_ message: ServiceMessage, visitor: String) {
    let effect = Message(
      visitor: visitor, chat: message.chatID, kind: message.kind.wire, clientID: message.clientID,
      text: message.text)
    keep(effect, in: \.messages)
  }
}
