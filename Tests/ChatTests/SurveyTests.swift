import Chat
import Testing

@Suite struct SurveyTests {
  static func answered(_ form: Int, _ question: Int) -> Update {
    .questionAnswered(surveyID: "sv", Sample.position(form, question))
  }

  static let started = ["survey", "survey_question 21.0"]

  static let cases = [
    FoldCase("a survey is told with its first question", [.survey(Sample.survey())], started),
    FoldCase(
      "answers lead through the forms, over an empty one, to the end",
      [
        .survey(Sample.survey()), answered(21, 0), answered(21, 1), answered(23, 0), answered(23, 0),
        .survey(nil),
      ],
      started + ["survey_question 21.1", "survey_question 23.0", "survey_cancelled"]),
    FoldCase(
      "it starts where the service says", [.survey(Sample.survey(form: 21, question: 1))],
      ["survey", "survey_question 21.1"]),
    FoldCase(
      "past the last question of a form is the next form", [.survey(Sample.survey(form: 21, question: 2))],
      ["survey", "survey_question 23.0"]),
    FoldCase("a form that is not there is the first one", [.survey(Sample.survey(form: 99))], started),
    FoldCase("past the end nothing is asked", [.survey(Sample.survey(form: 23, question: 1))], ["survey"]),
    FoldCase("an index below 0 is 0", [.survey(Sample.survey(question: -5))], started),
    FoldCase(
      "the same survey at the same place says nothing new",
      [
        .survey(Sample.survey()), .survey(Sample.survey()),
        Sample.snapshot(Sample.chat(), survey: Sample.survey()),
      ], started),
    FoldCase(
      "a full update at a later place jumps there, and the answer's success then moves nothing",
      [
        .survey(Sample.survey()), Sample.snapshot(Sample.chat(), survey: Sample.survey(question: 1)),
        answered(21, 0), answered(21, 1),
      ], started + ["survey_question 21.1", "survey_question 23.0"]),
    FoldCase(
      "a full update at an earlier place is an old report",
      [.survey(Sample.survey()), answered(21, 0), Sample.snapshot(Sample.chat(), survey: Sample.survey())],
      started + ["survey_question 21.1"]),
    FoldCase(
      "but a start of it again leads back there, from any place and from its end",
      [
        .survey(Sample.survey()), answered(21, 0), answered(21, 1), .survey(Sample.survey()), answered(21, 0),
        .survey(Sample.survey(question: 1)), answered(21, 1), answered(23, 0),
        .survey(Sample.survey(question: 1)),
      ],
      started + ["survey_question 21.1", "survey_question 23.0"] + started
        + ["survey_question 21.1", "survey_question 23.0", "survey", "survey_question 21.1"]),
    FoldCase(
      "another survey starts anew",
      [.survey(Sample.survey()), answered(21, 0), .survey(Sample.survey("next"))],
      started + ["survey_question 21.1"] + started),
    FoldCase("what is not there cannot end or go on", [.survey(nil), answered(21, 0)], []),
    FoldCase(
      "it ends once", [.survey(Sample.survey()), .survey(nil), .survey(nil)], started + ["survey_cancelled"]),
    FoldCase(
      "a full update without it ends nothing that still has questions",
      [.survey(Sample.survey()), Sample.snapshot(Sample.chat()), answered(21, 0)],
      started + ["survey_question 21.1"]),
    FoldCase(
      "but what was answered to its end",
      [.survey(Sample.survey(form: 23)), answered(23, 0), Sample.snapshot(Sample.chat())],
      ["survey", "survey_question 23.0", "survey_cancelled"]),
    FoldCase(
      "or is, by an answer learnt to have been accepted",
      [
        .survey(Sample.survey(form: 23)), Sample.snapshot(Sample.chat()),
        answered(23, 0),
      ],
      ["survey", "survey_question 23.0", "survey_cancelled"]),
    FoldCase(
      "an answer to another survey moves nothing",
      [.survey(Sample.survey()), .questionAnswered(surveyID: "other", Sample.position(21, 0))], started),
  ]

  @Test(arguments: cases)
  func `the survey's place moves as the protocol says`(_ item: FoldCase) {
    var conversation = Conversation([Sample.snapshot(Sample.chat(), .idle)])
    #expect(conversation.apply(item.updates).map(\.brief) == item.events)
  }

  @Test func `the current question is to be had`() {
    var conversation = Conversation([Sample.snapshot(Sample.chat()), .survey(Sample.survey())])
    #expect(conversation.currentQuestion?.question == Sample.stars)
    conversation.apply([Self.answered(21, 0)])
    #expect(conversation.currentQuestion?.position == Sample.position(21, 1))
    conversation.apply([Self.answered(21, 1), Self.answered(23, 0)])
    #expect(conversation.currentQuestion == nil)
    #expect(conversation.survey?.id == "sv")
  }

  @Test(arguments: [(Int.max, 0), (Int.min, 1), (Int.max, 2)])
  func `no place that a service names traps`(question: Int, forms: Int) {
    var survey = Sample.survey(form: 21, question: question)
    survey.forms = Array(survey.forms.prefix(forms))
    let conversation = Conversation([.survey(survey)])
    #expect(conversation.survey == survey && conversation.surveyProgress?.isAtLast == false)
  }
}
