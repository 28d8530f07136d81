import Chat
import Dialects
import JSON

/// What a command of the desk has brought about, for the roster, the report and the script.
extension DeskPlayer {
  func commandDone(_ command: DeskCommand, _ answer: DeskAnswer, in chat: WebimService.ChatID) -> JSONValue {
    switch answer {
    case .operator(let made): roster.operatorMade(made)
    case .message(let message): messageDone(command, message)
    case .done, .chat, .survey: break
    }
    changeMessage(command, in: chat)
    moveChat(command, answer)
    return value(of: answer)
  }

  private func value(of answer: DeskAnswer) -> JSONValue {
    switch answer {
    case .done: .null
    case .message(let message): roster.messageValue(message, in: message.chatID)
    case .operator(let made): DeskValues.operator(made)
    case .chat(let id): roster.chatValue(id)
    case .survey(let id): ["id": .string(id)]
    }
  }

  private func messageDone(_ command: DeskCommand, _ message: ServiceMessage) {
    let visitor = roster.chat(message.chatID)?.visitorID
    if case .edit = command {
      roster.messageChanged(message.chatID, message)
      host?.deskDid(
        .messageEdited(text: message.text, clientID: message.clientID), visitor: visitor,
        chat: message.chatID)
    } else {
      roster.messageAdded(message.chatID, message)
      host?.messageSaid(message, visitor: visitor)
    }
  }

  /// Messages that a command changed without telling how they are now.
  private func changeMessage(_ command: DeskCommand, in chat: WebimService.ChatID) {
    switch command {
    case .delete(let id):
      guard let message = roster.messageDeleted(id, in: chat) else { return }
      host?.deskDid(
        .messageDeleted(clientID: message.clientID), visitor: roster.chat(chat)?.visitorID, chat: chat)
    case .cancelKeyboard(let id): roster.keyboardChanged(id, in: chat) { $0.state = .canceled }
    case .selectButton(let id, _): roster.keyboardChanged(id, in: chat) { $0.state = .completed }
    default: break
    }
  }

  private func moveChat(_ command: DeskCommand, _ answer: DeskAnswer) {
    switch command {
    case .accept(let chat, let handle), .handOver(let chat, let handle):
      let isRobot = roster.operator(handle)?.robotType != nil
      roster.stateChanged(chat, to: isRobot ? .chattingWithRobot : .chatting, operator: handle)
    case .hold(let chat): roster.stateChanged(chat, to: .hold, operator: roster.chat(chat)?.operatorHandle)
    case .route(let chat): roster.stateChanged(chat, to: .routing, operator: nil)
    case .queue(let chat): roster.stateChanged(chat, to: .queue, operator: nil)
    case .close(let chat, let isFinal):
      guard roster.chat(chat)?.closedBy == nil else { return }
      roster.stateChanged(
        chat, to: isFinal ? .closed : .closedByOperator, operator: roster.chat(chat)?.operatorHandle,
        closedBy: .operator)
    case .invite(let visitor, let handle, _):
      if case .chat(let id) = answer { roster.chatInvited(id, visitorID: visitor, operator: handle) }
    default: break
    }
  }
}
