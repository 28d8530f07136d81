package import JSON

extension Conversation: JSONCoded {
  /// The whole conversation, to go on with after a restart.
  package func write(to writer: inout JSONWriter, shape: JSONShape) {
    writer.object {
      $0.member("messages", feed.entries, shape)
      writeHeader(to: &$0, shape)
    }
  }

  /// The conversation without its feed, for a store that keeps each entry in a row of its own: its length
  /// does not grow with the feed's. ``init(header:entries:)`` puts the two together again.
  ///
  /// - Parameter hidden: Fields of the visitor that stay out where they have these values;
  ///   ``visitorFieldsGiven(_:)`` brings them back.
  package func headerJSON(hiding hidden: [String: String] = [:]) -> [UInt8] {
    var shown = self
    if let fields = visitor?.fields { shown.visitor?.fields = fields.filter { hidden[$0.key] != $0.value } }
    var writer = JSONWriter()
    writer.object { shown.writeHeader(to: &$0, .store) }
    return writer.bytes
  }

  /// The fields of the visitor that the header was written without are given anew.
  package mutating func visitorFieldsGiven(_ fields: [String: String]) {
    visitor?.fields.merge(fields) { told, _ in told }
  }

  private func writeHeader(to writer: inout JSONWriter, _ shape: JSONShape) {
    writer.member("session_state", sessionState.rawValue)
    writer.member("chat_state", chatState.rawValue)
    writer.member("online_status", onlineStatus.rawValue)
    writer.member(optional: "operator", self.operator, shape)
    writer.member("operator_typing", isOperatorTyping)
    writer.member(optional: "chat", chat, shape)
    writer.member("has_chat", hasChat)
    writer.member("deleted", ids: feed.tombstones.ids)
    writer.member("departments", departments, shape)
    writer.member("operators", operators, shape)
    writer.member(optional: "survey", surveyProgress, shape)
    writeMarks(to: &writer)
    writer.member(optional: "location_settings", json: locationSettings, shape)
    writer.member(optional: "visitor", visitor, shape)
  }

  private func writeMarks(to writer: inout JSONWriter) {
    writer.member(optional: "unread_by_operator_since", unreadByOperatorSince)
    writer.member(optional: "unread_by_visitor_since", unreadByVisitorSince)
    writer.member(optional: "unread_by_visitor_count", unreadByVisitorCount)
    writer.member("hints_enabled", hintsEnabled)
    writer.member(optional: "greeting", greeting)
    writer.member("history_complete", isHistoryComplete)
    writer.member(optional: "history_mark_us", historyMark.map { Int($0) })
    writer.member("begun", hasBegun)
    writer.member(optional: "session_language", sessionLanguage)
  }

  package init?(json: JSONNode) {
    self.init(header: json, entries: json.list("messages"))
  }

  /// - Parameters:
  ///   - header: As ``headerJSON()`` wrote it.
  ///   - entries: In any order; those still being sent in the order of their sending.
  package init?(header json: JSONNode, entries: [Feed.Entry]) {
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
    feed = Feed(entries, tombstones: json["deleted"]?.elements.compactMap(\.string) ?? [])
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

extension JSONWriter {
  fileprivate mutating func member(_ key: String, ids: [String]) {
    member(key) { writer in writer.array { for id in ids { $0.value(id) } } }
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
