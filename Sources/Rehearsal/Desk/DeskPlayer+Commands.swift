import Dialects
import JSON

/// What a command of the desk has brought about, for the report and the script.
extension DeskPlayer {
  func commandDone(_ command: DeskCommand, _ answer: DeskAnswer, by host: any DeskHost) -> JSONValue {
    switch (command, answer) {
    case (.edit, .message(let message)):
      report(.messageEdited(text: message.text, clientID: message.clientID), of: message, to: host)
    case (.delete(let id), _):
      if let message = host.service.message(id) {
        report(.messageDeleted(clientID: message.clientID), of: message, to: host)
      }
    case (.invite, .chat(let chat)):
      for message in host.service.messages(of: chat) { said(message, to: host) }
    case (_, .message(let message)): said(message, to: host)
    default: break
    }
    return value(of: answer, at: host.service)
  }

  private func said(_ message: ServiceMessage, to host: any DeskHost) {
    host.messageSaid(message, visitor: host.service.chat(message.chatID)?.visitorID)
  }

  private func report(_ event: RehearsalReport.Event, of message: ServiceMessage, to host: any DeskHost) {
    host.deskDid(event, visitor: host.service.chat(message.chatID)?.visitorID, chat: message.chatID)
  }

  private func value(of answer: DeskAnswer, at service: WebimService) -> JSONValue {
    switch answer {
    case .done: .null
    case .message(let message): DeskValues.message(message, at: service)
    case .operator(let made): DeskValues.operator(made)
    case .chat(let id): DeskValues.chat(id, at: service)
    case .survey(let id): ["id": .string(id)]
    }
  }
}
