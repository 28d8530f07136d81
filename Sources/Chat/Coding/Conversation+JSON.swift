package import JSON

extension Conversation: JSONCoded {
  /// The whole conversation, to go on with after a restart.
  package func write(to writer: inout JSONWriter, shape: JSONShape) {
    writer.object {
      $0.member("session_state", sessionState.rawValue)
      $0.member("chat_state", chatState.rawValue)
      $0.member("online_status", onlineStatus.rawValue)
      $0.member(optional: "operator", self.operator, shape)
      $0.member("operator_typing", isOperatorTyping)
      $0.member(optional: "chat", chat, shape)
      $0.member("has_chat", hasChat)
      $0.member("feed", feed.entries, shape)
      $0.member("deleted") { writer in writer.array { for id in feed.tombstones { $0.value(id) } } }
      $0.member("departments", departments, shape)
      $0.member("operators", operators, shape)
      $0.member(optional: "survey", surveyProgress, shape)
      writeMarks(to: &$0)
      $0.member(optional: "location_settings", json: locationSettings, shape)
      $0.member(optional: "visitor", visitor, shape)
    }
  }

  private func writeMarks(to writer: inout JSONWriter) {
    writer.member(optional: "unread_by_operator_since", unreadByOperatorSince)
    writer.member(optional: "unread_by_visitor_since", unreadByVisitorSince)
    writer.member(optional: "unread_by_visitor_count", unreadByVisitorCount)
    writer.member("hints_enabled", hintsEnabled)
    writer.member(optional: "greeting", greeting)
    writer.member("read_watermark_us", Int(readWatermark))
    writer.member("history_complete", isHistoryComplete)
    writer.member(optional: "history_mark_us", historyMark.map { Int($0) })
    writer.member("begun", hasBegun)
    writer.member(optional: "session_language", sessionLanguage)
  }

  package init?(json: JSONNode) {
    guard let sessionState: SessionState = json.word("session_state"),
      let chatState: ChatState = json.word("chat_state")
    else { return nil }
    self.init()
    self.sessionState = sessionState
    self.chatState = chatState
    onlineStatus = json.word("online_status") ?? .unknown
    self.operator = json.decoded("operator")
    isOperatorTyping = json["operator_typing"]?.bool ?? false
    chat = json.decoded("chat")
    hasChat = json["has_chat"]?.bool ?? false
    feed.entries = json.list("feed")
    feed.tombstones = json["deleted"]?.elements.compactMap(\.string) ?? []
    departments = json.list("departments")
    operators = json.list("operators")
    surveyProgress = json.decoded("survey")
    locationSettings = json.jsonText("location_settings")
    visitor = json.decoded("visitor")
    readMarks(json)
  }

  private mutating func readMarks(_ json: JSONNode) {
    unreadByOperatorSince = json["unread_by_operator_since"]?.number
    unreadByVisitorSince = json["unread_by_visitor_since"]?.number
    unreadByVisitorCount = json["unread_by_visitor_count"]?.integer
    hintsEnabled = json["hints_enabled"]?.bool ?? false
    greeting = json["greeting"]?.string
    readWatermark = Int64(json["read_watermark_us"]?.integer ?? 0)
    isHistoryComplete = json["history_complete"]?.bool ?? false
    historyMark = json["history_mark_us"]?.integer.map { Int64($0) }
    hasBegun = json["begun"]?.bool ?? false
    sessionLanguage = json["session_language"]?.string
  }
}

extension Conversation.ChatRecord: JSONCoded {
  package func write(to writer: inout JSONWriter, shape: JSONShape) {
    writer.object {
      $0.member("id", id)
      $0.member(optional: "client_id", clientID)
      $0.member("ratings", ratings)
      $0.member("resolutions", resolutions)
      $0.member(optional: "language", language)
    }
  }

  package init?(json: JSONNode) {
    guard let id = json["id"]?.integer else { return nil }
    self.init(id: id, clientID: json["client_id"]?.string)
    ratings = json["ratings"]?.integers ?? [:]
    resolutions = json["resolutions"]?.integers ?? [:]
    language = json["language"]?.string
  }
}

extension Feed.Entry: JSONCoded {
  package func write(to writer: inout JSONWriter, shape: JSONShape) {
    writer.object {
      $0.member("message", message, shape)
      $0.member("announced", isAnnounced)
      $0.member("live", isLive)
    }
  }

  package init?(json: JSONNode) {
    guard let message: Message = json.decoded("message") else { return nil }
    self.init(
      message: message, isAnnounced: json["announced"]?.bool ?? true, isLive: json["live"]?.bool ?? false)
  }
}

extension SurveyProgress: JSONCoded {
  package func write(to writer: inout JSONWriter, shape: JSONShape) {
    writer.object {
      $0.member("survey", survey, shape)
      $0.member("form", form)
      $0.member("question", question)
      $0.member("listed", isListed)
    }
  }

  package init?(json: JSONNode) {
    guard let survey: Survey = json.decoded("survey") else { return nil }
    self.init(
      survey, form: json["form"]?.integer ?? 0, question: json["question"]?.integer ?? 0,
      isListed: json["listed"]?.bool ?? true)
  }
}
