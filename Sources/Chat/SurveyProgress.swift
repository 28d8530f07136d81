/// A survey with the place that the visitor has reached in it (the protocol's section 7.2).
package struct SurveyProgress: Equatable, Sendable {
  package internal(set) var survey: Survey
  /// Index into the survey's forms; their count once all is answered.
  var form: Int
  /// Index into the form's questions.
  var question: Int
  /// Whether the latest full update still listed the survey.
  package internal(set) var isListed: Bool
}
