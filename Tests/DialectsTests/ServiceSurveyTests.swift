import Chat
import Dialects
import JSON
import Testing

@Suite struct ServiceSurveyTests {
  private static let forms = [
    DeskForm(
      handle: "quality",
      questions: [
        Survey.Question(kind: .stars, text: "How was it?"),
        Survey.Question(kind: .radio, text: "Solved?", options: ["yes", "no"]),
      ]),
    DeskForm(handle: "words", questions: [Survey.Question(kind: .comment, text: "Anything to add?")]),
  ]

  /// A chat with a running survey, whose id is returned.
  private func start(_ page: inout ServiceBenchPage, in bench: inout ServiceBench) -> (id: String, chat: Int)
  {
    let chat = page.chat(with: "anna", in: &bench)
    guard case .success(.survey(let id)) = bench.desk(.survey(chat, forms: Self.forms)) else {
      return ("", chat)
    }
    _ = bench.takeEvents()
    return (id, chat)
  }

  private func answer(
    _ id: String, _ form: String, _ question: String, _ value: String, _ page: ServiceBenchPage,
    in bench: inout ServiceBench
  ) -> JSONValue {
    page.action(
      "survey.answer",
      [("survey-id", id), ("form-id", form), ("question-id", question), ("answer", value)], in: &bench)
  }

  @Test func `a survey runs through its forms and ends by itself`() {
    var bench = ServiceBench()
    var page = bench.enter()
    let (id, chat) = start(&page, in: &bench)
    let survey = page.changes(in: &bench).data("SURVEY") ?? .null
    #expect(survey["id"]?.string == id)
    #expect(survey["config"]?["id"]?.integer != nil)
    let forms = survey["config"]?["descriptor"]?["forms"]?.elements ?? []
    #expect(forms.map { $0["id"]?.integer } == [21, 22])
    #expect(forms.first?["questions"]?.elements.last?["options"] == ["yes", "no"])
    #expect(survey["current_question"] == ["form_id": 21, "question_id": 0])

    for (form, question, value) in [("21", "0", "5"), ("21", "1", "2")] {
      #expect(answer(id, form, question, value, page, in: &bench)["result"]?.string == "ok")
    }
    // No change between the answers: a client would show the question twice.
    #expect(page.changes(in: &bench).isEmpty)
    #expect(bench.enter().full["survey"]?["current_question"] == ["form_id": 22, "question_id": 0])
    // A repeat of what was answered is refused, and answers nothing twice.
    #expect(answer(id, "21", "1", "2", page, in: &bench)["error"]?.string == "question-not-found")
    _ = page.fetch(in: &bench)
    #expect(answer(id, "22", "0", "Fine", page, in: &bench)["result"]?.string == "ok")
    let end = page.changes(in: &bench)
    #expect(end.types == ["SURVEY"])
    #expect(end.first?["data"] == .null)
    #expect(answer(id, "22", "0", "Fine", page, in: &bench)["error"]?.string == "no-current-survey")

    expectStory(of: id, in: chat, &bench)
    #expect(bench.service.statistics.surveyAnswers == 3)
    #expect(bench.service.statistics.surveysFinished == 1)
    #expect(bench.enter().full["survey"] == nil)
  }

  /// What the desk heard of three answers.
  private func expectStory(of id: String, in chat: Int, _ bench: inout ServiceBench) {
    let events = bench.takeEvents()
    #expect(events.count == 4)
    guard events.count == 4, case .surveyAnswered(chat, let second) = events[1],
      case .surveyFinished(chat, id, let answers) = events[3]
    else {
      Issue.record("the desk was not told")
      return
    }
    #expect(second.form == "quality")
    #expect(second.questionText == "Solved?")
    #expect(second.option == "no")
    #expect(answers.map(\.value) == ["5", "2", "Fine"])
  }

  /// How many questions are answered before, then form, question, value and the refusal.
  @Test(
    arguments: [
      (0, "21", "0", "1", nil), (0, "21", "0", "0", "incorrect-stars-value"),
      (0, "21", "0", "6", "incorrect-stars-value"), (0, "21", "0", "good", "incorrect-stars-value"),
      (0, "21", "1", "1", "question-not-found"), (0, "22", "0", "1", "question-not-found"),
      (0, "0", "-1", "1", "question-not-found"), (0, "x", "0", "1", "wrong-argument-value"),
      (0, "", "0", "1", "argument-missing"), (0, "21", "", "1", "argument-missing"),
      (1, "21", "1", "2", nil), (1, "21", "1", "0", "incorrect-radio-value"),
      (1, "21", "1", "3", "incorrect-radio-value"), (1, "21", "1", "yes", "incorrect-radio-value"),
      (2, "22", "0", "1234567890", nil), (2, "22", "0", "12345678901", "max-comment-length-exceeded"),
    ] as [(Int, String, String, String, String?)])
  func `an answer is taken or refused by name`(
    answered: Int, form: String, question: String, value: String, code: String?
  ) {
    var bench = ServiceBench { $0.maxCommentLength = 10 }
    var page = bench.enter()
    let (id, _) = start(&page, in: &bench)
    for index in 0..<answered { _ = answer(id, "21", "\(index)", "1", page, in: &bench) }
    #expect(answer(id, form, question, value, page, in: &bench)["error"]?.string == code)
    #expect(bench.service.statistics.surveyAnswers == answered + (code == nil ? 1 : 0))
  }

  @Test(arguments: ["survey.cancel", "survey.answer"])
  func `a survey is closed by a cancel, or by an answer that says nothing`(action: String) {
    var bench = ServiceBench()
    var page = bench.enter()
    let (id, chat) = start(&page, in: &bench)
    _ = page.fetch(in: &bench)
    #expect(page.action(action, [], in: &bench)["argumentName"]?.string == "survey-id")
    #expect(
      page.action(action, [("survey-id", "other")], in: &bench)["error"]?.string == "incorrect-survey-id")
    #expect(page.action(action, [("survey-id", id)], in: &bench)["result"]?.string == "ok")
    #expect(page.changes(in: &bench).data("SURVEY") == .null)
    #expect(bench.takeEvents() == [.surveyCancelled(chat, surveyID: id, by: .visitor)])
    #expect(page.action(action, [("survey-id", id)], in: &bench)["error"]?.string == "no-current-survey")
    bench.desk(.accountConfig(key: "surveys", value: false))
    #expect(page.action(action, [("survey-id", id)], in: &bench)["error"]?.string == "survey_disabled")
  }

  @Test func `the desk cancels a survey and asks it again`() {
    var bench = ServiceBench()
    var page = bench.enter()
    let (id, chat) = start(&page, in: &bench)
    _ = answer(id, "21", "0", "5", page, in: &bench)
    #expect(bench.desk(.cancelSurvey(chat)).isSuccess)
    #expect(bench.desk(.cancelSurvey(chat)).failure?.code == .wrongState)
    _ = page.fetch(in: &bench)
    bench.desk(.survey(chat, forms: Self.forms))
    let again = page.changes(in: &bench).data("SURVEY")
    #expect(again?["id"]?.string != id)
    // A form keeps its number.
    #expect(again?["config"]?["descriptor"]?["forms"]?.elements.map { $0["id"]?.integer } == [21, 22])
    #expect(again?["current_question"] == ["form_id": 21, "question_id": 0])
  }

  @Test func `a survey that is asked while another runs takes its place`() {
    var bench = ServiceBench()
    var page = bench.enter()
    let (id, chat) = start(&page, in: &bench)
    bench.desk(.survey(chat, forms: Self.forms))
    #expect(bench.takeEvents() == [.surveyCancelled(chat, surveyID: id, by: .service)])
    #expect(answer(id, "21", "0", "5", page, in: &bench)["error"]?.string == "incorrect-survey-id")
  }

  @Test func `a survey outlives the chat in which it was asked`() {
    var bench = ServiceBench()
    var page = bench.enter()
    let (id, chat) = start(&page, in: &bench)
    bench.desk(.close(chat, isFinal: true))
    #expect(answer(id, "21", "0", "5", page, in: &bench)["result"]?.string == "ok")
  }

  @Test(arguments: [
    [], [DeskForm(handle: "a", questions: [])],
    [DeskForm(handle: "a", questions: [Survey.Question(kind: .radio, text: "?")])],
    [
      DeskForm(handle: "a", questions: [Survey.Question(kind: .stars, text: "?")]),
      DeskForm(handle: "a", questions: [Survey.Question(kind: .stars, text: "?")]),
    ],
  ])
  func `a survey that clients would drop is refused`(forms: [DeskForm]) {
    var bench = ServiceBench()
    var page = bench.enter()
    let chat = page.chat(with: "anna", in: &bench)
    #expect(bench.desk(.survey(chat, forms: forms)).failure?.code == .invalidArgument)
  }
}
