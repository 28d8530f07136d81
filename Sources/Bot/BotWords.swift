package import Script

extension Vocabulary {
  /// What a bot's `visitor` understands: one row for each word, its fields, its listeners.
  package static let bot = Vocabulary(
    object: "visitor", words: BotWords.actions + BotWords.questions + BotWords.later,
    hostWords: BotWords.host, preludeWords: BotWords.prelude, fields: BotWords.fields,
    listeners: BotWords.listeners,
    laterListeners: ["all_messages_removed", "authorization_token", "push", "upload_progress", "info"])
}

/// The rows of ``Script/Vocabulary/bot``.
enum BotWords {
  private static func text(_ name: String, isRequired: Bool = true) -> WordSpec.Parameter {
    WordSpec.Parameter(name, .text, isRequired: isRequired)
  }

  private static func reference(_ name: String, isRequired: Bool = true) -> WordSpec.Parameter {
    WordSpec.Parameter(name, .reference, isRequired: isRequired)
  }

  static let actions = [
    WordSpec(
      "start_chat",
      options: [text("department"), text("first_question"), WordSpec.Parameter("custom_fields", .table)],
      summary: "Starts a chat, or does nothing when one is open."),
    WordSpec(
      "force_start_chat", [text("department", isRequired: false)],
      summary: "Starts a chat even where the account starts none by itself."),
    WordSpec("close_chat", summary: "Closes the chat."),
    WordSpec(
      "send", alias: "say", [text("text")],
      options: [WordSpec.Parameter("hint_question", .boolean), WordSpec.Parameter("data", .table)],
      summary: "Sends a text and returns the message once the service has it; starts a chat if none is open."),
    WordSpec(
      "reply", [reference("message"), text("text")],
      summary: "Answers a message with a quote of it and returns the new message."),
    WordSpec(
      "edit", [reference("message"), text("text")],
      summary: "Changes the text of a message of the visitor's own and returns it."),
    WordSpec("delete", [reference("message")], summary: "Takes a message of the visitor's own back."),
    WordSpec(
      "send_keyboard_request", alias: "press", [reference("message"), reference("button")],
      summary: "Presses a button of a message's keyboard, named by its object, its id or its text."),
    WordSpec(
      "set_visitor_typing", [text("draft", isRequired: false)],
      summary: "Shows the operator what the visitor is typing; without a draft the typing ends."),
    WordSpec(
      "set_chat_read", [reference("before", isRequired: false)],
      summary: "Marks the chat read, or all up to a message."),
    WordSpec(
      "rate_operator", [WordSpec.Parameter("rating", .integer)],
      options: [reference("operator"), text("note")],
      summary: "Rates an operator of the chat with 1 to 5 stars, the present one if none is named."),
    WordSpec(
      "send_resolution_survey", [WordSpec.Parameter("answer", .integer)], options: [reference("operator")],
      summary: "Says whether the question was solved: 1 for yes, 0 for no."),
    WordSpec(
      "answer_survey", [WordSpec.Parameter("value", .any)],
      summary: "Answers the survey's present question: stars 1 to 5, the number of a choice, or a comment."),
    WordSpec("close_survey", summary: "Closes the survey without further answers."),
    WordSpec("pause", summary: "Stops listening to the service until resume."),
    WordSpec("resume", summary: "Listens to the service again."),
    WordSpec(
      "destroy", options: [WordSpec.Parameter("clear_visitor_data", .boolean)],
      summary: "Ends the session, and with it the visit."),
  ]

  static let questions = [
    WordSpec(
      "last_rating_of_operator", role: .fetch, [reference("operator", isRequired: false)],
      summary:
        "The stars that the service has confirmed for an operator, the present one if none is named, or nil."),
    WordSpec(
      "last_resolution_survey", role: .fetch, [reference("operator", isRequired: false)],
      summary: "The confirmed answer to the resolution survey, 1 or 0, or nil."),
    WordSpec(
      "last_messages", role: .query, [WordSpec.Parameter("limit", .integer)],
      summary: "The newest messages, oldest first."),
    WordSpec(
      "next_messages", role: .query, [WordSpec.Parameter("limit", .integer)],
      summary: "The messages before those that were read last, oldest first."),
    WordSpec("all_messages", role: .query, summary: "All messages of the visitor's history, oldest first."),
  ]

  /// What the preludes ask of the host on a script's behalf.
  static let host = [
    WordSpec("messages", role: .fetch, summary: "The feed as tracked now, oldest first."),
    WordSpec("raw", role: .fetch, [reference("message")], summary: "A message as it stood on the wire."),
    WordSpec("module", role: .fetch, [text("name")], summary: "A module's text: `source` and `path`."),
    WordSpec("read", role: .fetch, [text("path")], summary: "The text of a file below the project's folder."),
    WordSpec("env", role: .fetch, [text("name")], summary: "A variable of the environment, or nil."),
  ]

  /// Words of the handbook that a later version understands.
  static let later = [
    "resend", "cancel_resend", "react", "send_sticker", "send_file", "send_files", "upload_file",
    "delete_uploaded_file", "download", "send_dialog_to", "send_contacts", "send_offline_message",
    "search_messages", "reset_to", "raw_config", "server_side_settings", "set_force_online",
    "set_device_token", "set_request_header", "change_location", "hints", "faq_item", "faq_category",
    "faq_structure", "faq_search", "faq_like", "faq_dislike", "online_status_of", "send_geolocation",
    "set_prechat_fields", "answer_action_request", "update_widget", "clear_history", "new_device",
  ].map { WordSpec($0, role: .later, summary: "Comes later.") }

  static let fields = [
    "id", "name", "fields", "account", "location", "page_title", "chat_id", "chat_state", "session_state",
    "online_status", "operator", "departments", "location_settings", "language",
    "unread_by_operator_timestamp", "unread_by_visitor_timestamp", "unread_by_visitor_message_count",
    "survey",
    "messages", "connected", "index", "iteration", "data", "state", "resumed",
  ]
}
