internal import JSON

/// Why a visitor's request is refused.
struct ServiceRefusal: Error, Equatable {
  /// The service's words; each stands in the table of ``ErrorCode``.
  enum Code: String, CaseIterable {
    case reinitRequired = "reinit-required"
    case tokenNotFound = "provided-auth-token-not-found"
    case accountBlocked = "account-blocked"
    case visitorBanned = "visitor_banned"
    case fieldsExpired = "provided-visitor-expired"
    case wrongHash = "wrong-provided-visitor-hash-value"
    case wrongExpiry = "wrong-provided-visitor-expires-value"
    case unauthorized
    case unknownMethod = "unknown-method"
    case argumentMissing = "argument-missing"
    case wrongArgument = "wrong-argument-value"
    case settingDisabled = "setting_disabled"
    case chatRequired = "chat-required"
    case cannotBeReplied = "quoting-message-that-cannot-be-replied"
    case quotedFromAnotherVisitor = "quoting-message-from-another-visitor"
    case multipleQuoted = "multiple-quoted-messages-found"
    case quoteArgumentsMissing = "required-quote-args-missing"
    case corruptedQuotedID = "corrupted-quoted-message-id"
    case quotedNotFound = "quoted-message-not-found"
    case messageEmpty = "message_empty"
    case messageTooLong = "max-message-length-exceeded"
    case messageNotFound = "message_not_found"
    case notAllowed = "not_allowed"
    case messageNotOwned = "message_not_owned"
    case wrongMessageKind = "wrong_message_kind"
    case buttonNotSet = "button-id-not-set"
    case requestMessageNotSet = "request-message-id-not-set"
    case cannotCreateResponse = "cannot-create-response"
    case noChat = "no-chat"
    case operatorNotInChat = "operator-not-in-chat"
    case rateDisabled = "rate-disabled"
    case noteTooLong = "note-is-too-long"
    case rateValueIncorrect = "rate-value-incorrect"
    case wrongOperatorID = "wrong-operator-id"
    case resolutionValueIncorrect = "resolution-survey-value-incorrect"
    case surveyDisabled = "survey_disabled"
    case noCurrentSurvey = "no-current-survey"
    case incorrectSurveyID = "incorrect-survey-id"
    case incorrectStars = "incorrect-stars-value"
    case incorrectRadio = "incorrect-radio-value"
    case commentTooLong = "max-comment-length-exceeded"
    case questionNotFound = "question-not-found"
  }

  var code: Code
  /// The argument that is missing or wrong.
  var argument: String?
  /// A sentence for whoever reads the traffic; clients do not look at it.
  var explanation: String?
  var status = 200

  init(_ code: Code, argument: String? = nil, explanation: String? = nil, status: Int = 200) {
    self.code = code
    self.argument = argument
    self.explanation = explanation
    self.status = status
  }

  /// Quote errors come inside an answer that is well otherwise (the Webim protocol, section 1.5).
  private var isSecondary: Bool {
    switch code {
    case .cannotBeReplied, .quotedFromAnotherVisitor, .multipleQuoted, .quoteArgumentsMissing,
      .corruptedQuotedID, .quotedNotFound:
      true
    default: false
    }
  }

  var response: WireResponse {
    var writer = JSONWriter()
    writer.object {
      guard isSecondary else { return write(into: &$0) }
      $0.member("result", "ok")
      $0.member("data") { $0.object { write(into: &$0) } }
    }
    return WireResponse(status: status, body: writer.bytes)
  }

  private func write(into writer: inout JSONWriter) {
    writer.member("error", code.rawValue)
    writer.member(optional: "argumentName", argument)
    writer.member(optional: "description", explanation)
  }
}
