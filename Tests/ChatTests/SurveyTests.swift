import Chat
import Testing

@Suite struct SurveyTests {
  static let started = ["survey", "survey_question 21.0"]

  static let cases = [
    FoldCase("a survey is told with its first question", [.survey(Sample.survey())], started),
    FoldCase(
      "answers lead through the forms, over an empty one, to the end",
      [
        .survey(Sample.survey()), .surveyAnswered, .surveyAnswered, .surveyAnswered, .surveyAnswered,
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
        .questionAnswered(surveyID: "sv", Sample.position(21, 0)),
        .questionAnswered(surveyID: "sv", Sample.position(21, 1)),
      ], started + ["survey_question 21.1", "survey_question 23.0"]),
    FoldCase(
      "a full update at an earlier place is an old report",
      [.survey(Sample.survey()), .surveyAnswered, Sample.snapshot(Sample.chat(), survey: Sample.survey())],
      started + ["survey_question 21.1"]),
    FoldCase(
      "another survey starts anew",
      [.survey(Sample.survey()), .surveyAnswered, .survey(Sample.survey("next"))],
      started + ["survey_question 21.1"] + started),
    FoldCase("what is not there cannot end or go on", [.survey(nil), .surveyAnswered], []),
    FoldCase(
      "it ends once", [.survey(Sample.survey()), .survey(nil), .survey(nil)], started + ["survey_cancelled"]),
    FoldCase(
      "a full update without it ends nothing that still has questions",
      [.survey(Sample.survey()), Sample.snapshot(Sample.chat()), .surveyAnswered],
      started + ["survey_question 21.1"]),
    FoldCase(
      "but what was answered to its end",
      [.survey(Sample.survey(form: 23)), .surveyAnswered, Sample.snapshot(Sample.chat())],
      ["survey", "survey_question 23.0", "survey_cancelled"]),
    FoldCase(
      "or is, by an answer learnt to have been accepted",
      [
        .survey(Sample.survey(form: 23)), Sample.snapshot(Sample.chat()),
        .questionAnswered(surveyID: "sv", Sample.position(23, 0)),
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
    conversation.apply([.surveyAnswered])
    #expect(conversation.currentQuestion?.position == Sample.position(21, 1))
    conversation.apply([.surveyAnswered, .surveyAnswered])
    #expect(conversation.currentQuestion == nil)
    #expect(conversation.survey?.id == "sv")
  }
}
