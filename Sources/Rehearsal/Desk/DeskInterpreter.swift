import Chat
import Dialects
import JSON
import Script

/// Turns a word of a desk's script into the service's command.
struct DeskInterpreter {
  private let arguments: DeskArguments
  private var call: ScriptCall { arguments.call }
  private var chat: WebimService.ChatID { arguments.chat }

  init(_ call: ScriptCall, at service: WebimService) {
    arguments = DeskArguments(call: call, service: service)
  }

  /// The commands of a chat's word, in order: what it returns is the first one's answer.
  func chatCommands() throws(ScriptError) -> [DeskCommand] {
    if call.word == "request_rating" { return try ratingRequest() }
    return try chatCommand().map { [$0] } ?? []
  }

  private func chatCommand() throws(ScriptError) -> DeskCommand? {
    if let command = try talkingCommand() { return command }
    switch call.word {
    case "accept", "hand_over":
      return .accept(chat, operator: try arguments.operatorHandle(call[0], "operator"))
    case "robot": return .robot(chat, name: try arguments.text(0, "name"))
    case "hold": return .hold(chat)
    case "route": return .route(chat)
    case "queue": return .queue(chat)
    case "close": return .close(chat, isFinal: call["final"]?.bool ?? false)
    case "mark_read": return .markRead(chat, upTo: arguments.optionalID(0))
    case "survey": return .survey(chat, forms: try arguments.surveyForms(call[0]))
    case "cancel_survey": return .cancelSurvey(chat)
    default: return try keyboardCommand()
    }
  }

  private func talkingCommand() throws(ScriptError) -> DeskCommand? {
    switch call.word {
    case "say": return .say(chat, text: try arguments.text(0, "text"), quoting: nil)
    case "quote":
      return .say(
        chat, text: try arguments.text(1, "text"), quoting: try arguments.id(0, "message"))
    case "info": return .info(chat, text: try arguments.text(0, "text"))
    case "busy": return .operatorBusy(chat, text: try arguments.text(0, "text"))
    case "typing": return .typing(chat, arguments.flag(0, default: true))
    case "edit":
      return .edit(messageID: try arguments.id(0, "message"), text: try arguments.text(1, "text"))
    case "delete": return .delete(messageID: try arguments.id(0, "message"))
    case "request_contacts":
      return .requestContacts(chat, text: arguments.optionalText(0) ?? "How can we reach you?")
    default: return nil
    }
  }

  /// The wire has no word for it: an operator's message asks, and the chat names whom to rate.
  private func ratingRequest() throws(ScriptError) -> [DeskCommand] {
    var handle: String?
    if let value = call["operator"] { handle = try arguments.operatorHandle(value, "operator") }
    let request = DeskCommand.requestRating(chat, operator: handle, text: nil)
    guard arguments.service.chat(chat)?.closedBy == nil else { return [request] }
    let text = arguments.optionalText(0) ?? "How did we do? Please rate our conversation."
    return [.say(chat, text: text, quoting: nil), request]
  }

  private func keyboardCommand() throws(ScriptError) -> DeskCommand? {
    switch call.word {
    case "keyboard":
      return .keyboard(
        chat, text: call["text"]?.string ?? "Please choose:", rows: try arguments.keyboardRows(call[0]))
    case "hide_keyboard":
      let message = try arguments.id(0, "message")
      let button = call[1] == .null ? nil : try arguments.buttonID(1, of: message)
      return .hideKeyboard(messageID: message, button: button)
    case "select_button":
      let message = try arguments.id(0, "message")
      return .selectButton(messageID: message, button: try arguments.buttonID(1, of: message))
    case "cancel_keyboard": return .cancelKeyboard(messageID: try arguments.id(0, "message"))
    default: return nil
    }
  }

  /// The commands of a desk's word, in order: what it returns is the last one's answer.
  func deskCommands() throws(ScriptError) -> [DeskCommand] {
    switch call.word {
    case "operator": return [try operatorDefinition()]
    case "invite":
      return [
        .invite(
          visitorID: try arguments.visitorID(0), operator: try arguments.operatorHandle(call[1], "operator"),
          text: arguments.optionalText(2))
      ]
    case "departments": return [.departments(try arguments.departments(call[0]))]
    case "online_status":
      return [.onlineStatus(try arguments.word(try arguments.text(0, "status"), "online status"))]
    case "location_settings": return [.locationSettings(call[0])]
    case "account": return call[0].members.map { .accountConfig(key: $0.key, value: $0.value) }
    case "limits": return try limits()
    case "register_token": return [.registerToken(try arguments.text(0, "token"))]
    default: return try visitorCommand().map { [$0] } ?? []
    }
  }

  private func operatorDefinition() throws(ScriptError) -> DeskCommand {
    guard let handle = call["id"]?.reference ?? call["name"]?.string else {
      throw arguments.missing("id", "a text")
    }
    return .defineOperator(
      handle: handle, name: call["name"]?.string ?? handle, title: call["title"]?.string,
      avatar: call["avatar"]?.string, robotType: call["robot_type"]?.string)
  }

  private func limits() throws(ScriptError) -> [DeskCommand] {
    call.options.members.compactMap { member in
      guard let limit = ServiceLimit(rawValue: member.key), let number = member.value.integer else {
        return nil
      }
      return .limit(limit, number)
    }
  }

  private func visitorCommand() throws(ScriptError) -> DeskCommand? {
    switch call.word {
    case "ban": return .ban(visitorID: try arguments.visitorID(0))
    case "expire": return .expireFields(visitorID: try arguments.visitorID(0))
    case "restore": return .restore(visitorID: try arguments.visitorID(0))
    case "reinit": return .requireReinit(visitorID: try arguments.visitorID(0))
    case "full_update": return .fullUpdate(visitorID: try arguments.visitorID(0))
    case "block": return .blockAccount
    case "unblock": return .unblockAccount
    case "language":
      return .language(visitorID: try arguments.visitorID(0), try arguments.text(1, "code"))
    case "session_state":
      return .sessionState(
        visitorID: try arguments.visitorID(0),
        try arguments.word(try arguments.text(1, "state"), "session state"))
    case "visitor_fields":
      return .visitorFull(visitorID: try arguments.visitorID(0), fields: arguments.fields(call[1]))
    default: return nil
    }
  }
}
