internal import Chat
internal import JSON

/// A survey that runs with a visitor, and what it has answered (the Webim protocol, section 7).
struct ServiceSurvey {
  struct Form {
    let handle: String
    let id: Int
    let questions: [Survey.Question]
  }

  let id: String
  let chatID: WebimService.ChatID
  let configID: Int
  let forms: [Form]
  private(set) var form = 0
  private(set) var question = 0
  private(set) var answers: [DeskSurveyAnswer] = []

  init(id: String, chatID: WebimService.ChatID, configID: Int, forms: [Form]) {
    self.id = id
    self.chatID = chatID
    self.configID = configID
    self.forms = forms
  }

  var isFinished: Bool { form >= forms.count }

  /// Takes an answer to the present question and moves on.
  mutating func answer(
    form formID: Int, question index: Int, _ value: String, commentLimit: Int
  ) throws(ServiceRefusal) -> DeskSurveyAnswer {
    guard !isFinished, forms[form].id == formID, question == index else {
      throw ServiceRefusal(.questionNotFound)
    }
    let asked = forms[form].questions[question]
    try Self.check(value, asked, commentLimit: commentLimit)
    let option = asked.kind == .radio ? Int(value).map { asked.options[$0 - 1] } : nil
    let answer = DeskSurveyAnswer(
      surveyID: id, form: forms[form].handle, formID: formID, question: index, questionText: asked.text,
      value: value, option: option)
    answers.append(answer)
    question += 1
    if question >= forms[form].questions.count {
      form += 1
      question = 0
    }
    return answer
  }

  private static func check(
    _ value: String, _ question: Survey.Question, commentLimit: Int
  ) throws(ServiceRefusal) {
    switch question.kind {
    case .stars:
      guard let stars = Int(value), (1...5).contains(stars) else {
        throw ServiceRefusal(.incorrectStars, argument: "answer")
      }
    case .radio:
      guard let option = Int(value), option >= 1, option <= question.options.count else {
        throw ServiceRefusal(.incorrectRadio, argument: "answer")
      }
    case .comment:
      guard value.scalarCount <= commentLimit else {
        throw ServiceRefusal(.commentTooLong, argument: "answer")
      }
    }
  }

  func write(into writer: inout JSONWriter) {
    writer.object {
      $0.member("id", id)
      $0.member("config") {
        $0.object {
          $0.member("id", configID)
          $0.member("version", "1")
          $0.member("descriptor") {
            $0.object { $0.member("forms") { $0.array { for form in forms { form.write(into: &$0) } } } }
          }
        }
      }
      $0.member("current_question") {
        $0.object {
          $0.member("form_id", forms[min(form, forms.count - 1)].id)
          $0.member("question_id", question)
        }
      }
    }
  }
}

extension ServiceSurvey.Form {
  fileprivate func write(into writer: inout JSONWriter) {
    writer.object {
      $0.member("id", id)
      $0.member("questions") {
        $0.array {
          for question in questions {
            $0.object {
              $0.member("type", question.kind.rawValue)
              $0.member("text", question.text)
              guard question.kind == .radio else { return }
              $0.member("options", .array(question.options.map { .string($0) }))
            }
          }
        }
      }
    }
  }
}

extension ServiceVisitor {
  /// An answer to the present question; with nothing but `survey-id` it closes the survey, as some clients
  /// do.
  mutating func surveyAnswerReceived(
    _ arguments: ServiceArguments, _ turn: inout ServiceTurn
  ) throws(ServiceRefusal) {
    let isClose = ["form-id", "question-id", "answer"].allSatisfy { arguments[$0] == nil }
    if isClose { return try surveyCloseReceived(arguments, &turn) }
    var running = try runningSurvey(arguments, turn)
    _ = try arguments.filled("form-id")
    _ = try arguments.filled("question-id")
    guard let form = try arguments.integer("form-id"), let question = try arguments.integer("question-id")
    else { throw ServiceRefusal(.argumentMissing, argument: "form-id") }
    let answer = try running.answer(
      form: form, question: question, try arguments.required("answer"),
      commentLimit: turn.settings.maxCommentLength)
    survey = running
    turn.counts.surveyAnswers += 1
    turn.events.append(.surveyAnswered(running.chatID, answer))
    guard running.isFinished else { return }
    endSurvey(&turn)
    turn.counts.surveysFinished += 1
    turn.events.append(.surveyFinished(running.chatID, surveyID: running.id, answers: running.answers))
  }

  mutating func surveyCloseReceived(
    _ arguments: ServiceArguments, _ turn: inout ServiceTurn
  ) throws(ServiceRefusal) {
    let running = try runningSurvey(arguments, turn)
    endSurvey(&turn)
    turn.events.append(.surveyCancelled(running.chatID, surveyID: running.id, by: .visitor))
  }

  private func runningSurvey(
    _ arguments: ServiceArguments, _ turn: ServiceTurn
  ) throws(ServiceRefusal) -> ServiceSurvey {
    let id = try arguments.filled("survey-id")
    guard turn.settings.account.allowsSurveys else { throw ServiceRefusal(.surveyDisabled) }
    guard let survey else { throw ServiceRefusal(.noCurrentSurvey) }
    guard survey.id == id else { throw ServiceRefusal(.incorrectSurveyID, argument: "survey-id") }
    return survey
  }

  mutating func start(_ newcomer: ServiceSurvey, _ turn: inout ServiceTurn) {
    if let survey {
      turn.events.append(.surveyCancelled(survey.chatID, surveyID: survey.id, by: .service))
    }
    survey = newcomer
    turn.emit(.survey, id: newcomer.id) { newcomer.write(into: &$0) }
  }

  mutating func endSurvey(_ turn: inout ServiceTurn) {
    guard let survey else { return }
    self.survey = nil
    turn.emit(.survey, id: survey.id)
  }
}
