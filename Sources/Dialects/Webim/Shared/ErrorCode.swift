package import Chat

/// A word by which the service refuses: what it means to a script and how a session reacts.
///
/// The one table of the protocol's sections 3.6 and 4.5; both ends read it.
package struct ErrorCode: Equatable, Sendable {
  /// Where a refusal arrives.
  package enum Place: Equatable, Sendable {
    case initialization, poll, action
  }

  package enum Reaction: Equatable, Sendable {
    /// The action that was refused raises an error; nothing else happens.
    case raise
    case fatal(SessionError.Code)
    /// A new init brings fresh credentials, then the request is repeated.
    case reinitialize
    /// The request is repeated after a pause that grows.
    case retry
    /// The init is repeated after a second, until the application's token is known.
    case awaitToken
  }

  /// The error enumeration of the handbook that an action answers with.
  package enum Context: Equatable, Sendable, CaseIterable {
    case chat, message, edit, delete, react, upload, uploadedFile, keyboard, rating, resolution, email
    case sticker, survey, surveyClose, location, contacts, offlineMessage, typing, read
  }

  /// As it stands on the wire.
  package let word: String
  /// The handbook's enum case in snake_case, `unknown` where the handbook has none.
  package let name: String
  /// The actions that the handbook documents the word for; it is raised from any other as well.
  package let contexts: [Context]
  /// Contexts whose enumeration calls the word differently.
  private let exceptions: [(context: Context, name: String)]
  private let reactions: (initialization: Reaction, poll: Reaction, action: Reaction)

  private init(
    _ word: String, _ name: String, _ contexts: [Context], except exceptions: [(Context, String)] = []
  ) {
    self.word = word
    self.name = name
    self.contexts = contexts
    self.exceptions = exceptions
    reactions = (.fatal(.unknown), .fatal(.unknown), .raise)
  }

  private init(
    session word: String, _ name: String, _ initialization: Reaction, _ poll: Reaction, _ action: Reaction
  ) {
    self.word = word
    self.name = name
    contexts = []
    exceptions = []
    reactions = (initialization, poll, action)
  }

  /// The row of a word, or one of its own for a word that no page lists.
  package init(_ word: String) {
    self = Self.rows[word] ?? ErrorCode(word, "unknown", [])
  }

  package func reaction(at place: Place) -> Reaction {
    switch place {
    case .initialization: reactions.initialization
    case .poll: reactions.poll
    case .action: reactions.action
    }
  }

  /// What a script reads in `error.code`.
  package func name(in context: Context) -> String {
    exceptions.first { $0.context == context }?.name ?? name
  }

  package static func == (left: ErrorCode, right: ErrorCode) -> Bool { left.word == right.word }

  private static let rows = Dictionary(uniqueKeysWithValues: all.map { ($0.word, $0) })

  /// Every row, in the order of the protocol.
  package static let all: [ErrorCode] = session + plain + messages + files + chat + surveys + others

  private static func fatal(_ word: String, _ code: SessionError.Code) -> ErrorCode {
    ErrorCode(session: word, code.rawValue, .fatal(code), .fatal(code), .fatal(code))
  }

  private static let session: [ErrorCode] = [
    ErrorCode(session: "reinit-required", "unknown", .reinitialize, .reinitialize, .reinitialize),
    ErrorCode(
      session: "provided-auth-token-not-found", "unknown", .awaitToken, .fatal(.unknown), .raise),
    fatal("account-blocked", .accountBlocked),
    fatal("visitor_banned", .visitorBanned),
    fatal("provided-visitor-expired", .providedVisitorFieldsExpired),
    fatal("wrong-provided-visitor-hash-value", .wrongProvidedVisitorHash),
    ErrorCode(
      session: "wrong-init", "unknown", .fatal(.initializationFailed), .fatal(.initializationFailed), .raise),
    ErrorCode(session: "server-not-ready", "unknown", .retry, .retry, .retry),
  ]

  private static let plain: [ErrorCode] = [
    "wrong-provided-visitor-expires-value", "domain-not-from-whitelist", "no-partner-option",
    "session_not_found", "unknown-method", "argument-missing", "setting_disabled", "internal_error",
    "wrong-argument-value", "chat-required", "no_previous_chats", "content_type_not_recognized",
  ].map { ErrorCode($0, "unknown", []) }

  private static let messages: [ErrorCode] = [
    ErrorCode("quoting-message-that-cannot-be-replied", "quoted_message_can_not_be_replied", [.message]),
    ErrorCode("quoting-message-from-another-visitor", "quoted_message_from_another_visitor", [.message]),
    ErrorCode("multiple-quoted-messages-found", "quoted_message_multiple_ids", [.message]),
    ErrorCode("required-quote-args-missing", "quoted_message_required_arguments_missing", [.message]),
    ErrorCode("corrupted-quoted-message-id", "quoted_message_wrong_id", [.message]),
    ErrorCode("quoted-message-not-found", "quoted_message_wrong_id", [.message]),
    ErrorCode("message_empty", "message_empty", [.edit]),
    ErrorCode(
      "max-message-length-exceeded", "max_length_exceeded", [.edit, .offlineMessage],
      except: [(.offlineMessage, "max_message_length_exceeded")]),
    ErrorCode(
      "message_not_found", "message_not_found", [.delete, .react, .edit], except: [(.edit, "unknown")]),
    ErrorCode("not_allowed", "not_allowed", [.delete, .react, .edit]),
    ErrorCode("message_not_owned", "message_not_owned", [.delete, .react, .edit]),
    // The handbook's own spelling.
    ErrorCode("wrong_message_kind", "wrong_mesage_kind", [.edit]),
  ]

  private static let files: [ErrorCode] = [
    ErrorCode("max_file_size_exceeded", "file_size_exceeded", [.upload]),
    ErrorCode("file_size_too_small", "file_size_too_small", [.upload]),
    ErrorCode("not_allowed_file_type", "file_type_not_allowed", [.upload]),
    ErrorCode("uploaded-file-not-found", "uploaded_file_not_found", [.upload]),
    ErrorCode("unauthorized", "unauthorized", [.upload]),
    ErrorCode("unathorized", "unauthorized", [.upload]),
    ErrorCode("malicious_file_detected", "malicious_file_detected", [.upload]),
    ErrorCode("max_files_count_per_chat_exceeded", "max_files_count_per_chat_exceeded", [.upload]),
    ErrorCode("not_allowed_mime_type", "unknown", [.upload]),
    ErrorCode("not_matching_magic_numbers", "unknown", [.upload]),
    ErrorCode("incorrect-file-name", "incorrect_file_name", [.upload]),
    ErrorCode("connection-timeout", "connection_timeout", [.upload]),
    ErrorCode("file-not-found", "file_not_found", [.uploadedFile]),
    ErrorCode("file_not_found", "file_not_found", [.uploadedFile]),
    ErrorCode("file-has-been-sent", "file_has_been_sent", [.uploadedFile]),
  ]

  private static let chat: [ErrorCode] = [
    ErrorCode("button-id-not-set", "button_id_not_set", [.keyboard]),
    ErrorCode("request-message-id-not-set", "request_message_id_not_set", [.keyboard]),
    ErrorCode("requset-message-id-not-set", "request_message_id_not_set", [.keyboard]),
    ErrorCode("cannot-create-response", "can_not_create_response", [.keyboard]),
    ErrorCode("can-not-create-response", "unknown", [.keyboard]),
    ErrorCode("no-chat", "no_chat", [.rating, .resolution, .keyboard, .message, .email, .sticker]),
    ErrorCode("operator-not-in-chat", "operator_not_in_chat", [.rating, .resolution]),
    ErrorCode("rate-disabled", "rate_disabled", [.rating, .resolution]),
    ErrorCode("operator-already-rated", "operator_already_rated", [.rating]),
    ErrorCode("note-is-too-long", "note_is_too_long", [.rating]),
    ErrorCode("rate-value-incorrect", "rate_value_incorrect", [.rating]),
    ErrorCode("wrong-operator-id", "wrong_operator_id", [.rating]),
    ErrorCode(
      "resolution-survey-value-incorrect", "resolution_survey_value_incorrect", [.resolution]),
    ErrorCode("rate-form-mismatch", "rate_form_mismatch", [.resolution]),
    ErrorCode("visitor-segment-mismatch", "visitor_segment_mismatch", [.resolution]),
    ErrorCode("rated-entity-mismatch", "rated_entity_mismatch", [.resolution]),
  ]

  private static let surveys: [ErrorCode] = [
    ErrorCode("survey_disabled", "survey_disabled", [.survey, .surveyClose]),
    ErrorCode("survey-disabled", "survey_disabled", [.survey, .surveyClose]),
    ErrorCode("no-current-survey", "no_current_survey", [.survey, .surveyClose]),
    ErrorCode("incorrect-survey-id", "incorrect_survey_id", [.survey, .surveyClose]),
    ErrorCode(
      "incorrect-stars-value", "incorrect_stars_value", [.survey, .surveyClose],
      except: [(.surveyClose, "unknown")]),
    ErrorCode(
      "max-comment-length-exceeded", "max_comment_length_exceeded", [.survey, .surveyClose],
      except: [(.surveyClose, "unknown")]),
    ErrorCode(
      "question-not-found", "question_not_found", [.survey, .surveyClose], except: [(.surveyClose, "unknown")]
    ),
    ErrorCode(
      "incorrect-radio-value", "incorrect_radio_value", [.survey, .surveyClose],
      except: [(.surveyClose, "unknown")]),
  ]

  private static let others: [ErrorCode] = [
    ErrorCode("chat-history-sent-too-many-times", "sent_too_many_times", [.email]),
    ErrorCode("no-sticker-id", "no_sticker_id", [.sticker]),
    ErrorCode("invalid-coordinates-received", "invalid_geolocation", [.location]),
    ErrorCode("email-changed-too-many-times", "email_changed_too_many_times", [.contacts]),
    ErrorCode("no-tariff-option", "no_tariff_option", [.offlineMessage]),
  ]
}

extension ErrorCode {
  /// What a session says when it ends for this word.
  package func sessionError(_ code: SessionError.Code) -> SessionError {
    SessionError(code: code, serverCode: word)
  }

  /// What an action raises for this word.
  package func actionError(for action: Action, argument: String? = nil) -> ActionError {
    ActionError(
      code: name(in: Context(action)), serverCode: word, action: action.name, detail: argument)
  }
}

extension ErrorCode.Context {
  package init(_ action: Action) {
    switch action {
    case .startChat, .closeChat: self = .chat
    case .send, .reply: self = .message
    case .edit: self = .edit
    case .delete: self = .delete
    case .pressButton: self = .keyboard
    case .rateOperator: self = .rating
    case .sendResolutionSurvey: self = .resolution
    case .answerSurvey: self = .survey
    case .closeSurvey: self = .surveyClose
    case .setVisitorTyping: self = .typing
    case .setChatRead: self = .read
    }
  }
}
