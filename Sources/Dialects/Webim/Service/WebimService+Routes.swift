/// Which path does what (the Webim protocol, section 1.2); methods are not looked at, query and body are one.
extension WebimService {
  /// The answer, or nil when the request waits.
  mutating func route(
    _ exchange: ExchangeID, _ request: WireRequest, _ now: Double
  ) throws(ServiceRefusal) -> WireResponse? {
    let arguments = ServiceArguments(request)
    switch request.path {
    case "/l/v/m/delta":
      if arguments["event"] == "init" { return try initReceived(arguments, now) }
      return try pollReceived(exchange, arguments, now)
    case "/l/v/m/action": return try actionReceived(arguments, now)
    case "/l/v/m/init": return try initReceived(arguments, now)
    case "/l/v/m/history":
      let index = try visitor(arguments, now)
      return WireResponse(body: try visitors[index].history(arguments, pageSize: settings.historyPageSize))
    case "/l/v/m/search-messages":
      let index = try visitor(arguments, now)
      return WireResponse(body: try visitors[index].search(arguments))
    case "/l/v/m/get-online-status", "/l/v/get-online-status": return onlineStatusAnswer
    case "/api/visitor/meta": return Self.metaAnswer
    case "/l/v/m/upload", "/l/v/file-delete": throw .filesComeLater
    default: return try routeByFolder(request, arguments)
    }
  }

  /// Paths that end with a name.
  private func routeByFolder(
    _ request: WireRequest, _ arguments: ServiceArguments
  ) throws(ServiceRefusal) -> WireResponse {
    if request.path.hasPrefix("/api/visitor/v1/configs/") { return configAnswer }
    if request.path.hasPrefix("/x/js/v/all-settings-"), request.path.hasSuffix(".js") {
      return settingsScript(isRox: request.isFromRox)
    }
    if request.path.hasPrefix("/l/v/m/download/") {
      throw ServiceRefusal(
        .settingDisabled, explanation: ServiceRefusal.filesComeLater.explanation, status: 404)
    }
    throw ServiceRefusal(.unknownMethod, explanation: "no such path: \(request.path)", status: 404)
  }

  private mutating func visitor(
    _ arguments: ServiceArguments, _ now: Double
  ) throws(ServiceRefusal) -> Int {
    guard let page = pages[try page(arguments, now)] else { throw ServiceRefusal(.reinitRequired) }
    return page.visitor
  }

  /// An action of the visitor's (the Webim protocol, section 4.3).
  private mutating func actionReceived(
    _ arguments: ServiceArguments, _ now: Double
  ) throws(ServiceRefusal) -> WireResponse {
    let index = try visitor(arguments, now)
    let action = try arguments.filled("action")
    try turn(index, now) { (visitor, turn) throws(ServiceRefusal) in
      switch action {
      case "chat.start": try visitor.startReceived(arguments, &turn)
      case "chat.message": try visitor.messageReceived(arguments, &turn)
      case "chat.delete_message": try visitor.deletionReceived(arguments, &turn)
      case "chat.keyboard_response": try visitor.pressReceived(arguments, &turn)
      case "chat.visitor_typing": try visitor.typingReceived(arguments, &turn)
      case "chat.read_by_visitor": try visitor.readReceived(arguments, &turn)
      case "chat.close": try visitor.closeReceived(&turn)
      case "chat.operator_rate_select": try visitor.ratingReceived(arguments, &turn)
      case "chat.resolution_survey_select": try visitor.resolutionReceived(arguments, &turn)
      case "survey.answer": try visitor.surveyAnswerReceived(arguments, &turn)
      case "survey.cancel": try visitor.surveyCloseReceived(arguments, &turn)
      case "chat.cont_resp": try visitor.contactsReceived(arguments, &turn)
      // Taken, and of no consequence in a rehearsal.
      case "set_push_token", "chat.set_prechat_fields", "widget.update", "file_upload_progress": break
      case "chat.react_message", "sticker", "geo_response", "chat.send_chat_history",
        "chat.action_request.call_sentry_action_request", "chat.clear_history", "chat.offline_message":
        throw ServiceRefusal(
          .settingDisabled, argument: "action", explanation: "this rehearsal does not know \(action) yet")
      default: throw ServiceRefusal(.unknownMethod, argument: "action")
      }
    }
    return Self.ok
  }
}

extension WireRequest {
  /// Whether one of the sister brand's clients asks, whose settings script has a longer name.
  fileprivate var isFromRox: Bool {
    headers.contains { header in
      header.name.lowercased() == "x-roxchat-sdk-version"
        || header.name.lowercased() == "user-agent" && header.value.contains("Roxchat")
    }
  }
}

extension ServiceRefusal {
  static let filesComeLater = ServiceRefusal(
    .settingDisabled, explanation: "this rehearsal does not take files yet")
}
