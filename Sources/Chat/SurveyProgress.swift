/// A survey with the place that the visitor has reached in it (the protocol's section 7.2).
///
/// The service names the question to show next; each accepted answer moves on by one, over empty forms and
/// into the next form, until the end is passed.
package struct SurveyProgress: Equatable, Sendable {
  package internal(set) var survey: Survey
  /// Index into the survey's forms; their count once all is answered.
  var form: Int
  /// Index into the form's questions.
  var question: Int
  /// Whether the latest full update still listed the survey.
  package internal(set) var isListed = true

  init(_ survey: Survey) {
    self.survey = survey
    form = survey.forms.firstIndex { $0.id == survey.current.formID } ?? 0
    question = max(0, survey.current.question)
    settle()
  }

  init(_ survey: Survey, form: Int, question: Int, isListed: Bool) {
    self.survey = survey
    self.form = max(0, form)
    self.question = max(0, question)
    self.isListed = isListed
    settle()
  }

  /// The question to answer next and its place; nil once all is answered.
  package var current: (question: Survey.Question, position: Survey.Position)? {
    guard form < survey.forms.count else { return nil }
    let place = survey.forms[form]
    return (place.questions[question], Survey.Position(formID: place.id, question: question))
  }

  /// Whether the present question is the last one.
  package var isAtLast: Bool {
    var next = self
    next.advance()
    return current != nil && next.current == nil
  }

  /// Whether the survey has got past a question.
  package func isPast(_ position: Survey.Position) -> Bool {
    guard let index = survey.forms.firstIndex(where: { $0.id == position.formID }) else { return false }
    return (index, position.question) < (form, question)
  }

  /// Whether two are of one survey, wherever each of them is.
  func isSame(as other: SurveyProgress) -> Bool {
    survey.id == other.survey.id && survey.forms == other.survey.forms
  }

  func isBehind(_ other: SurveyProgress) -> Bool {
    (form, question) < (other.form, other.question)
  }

  mutating func advance() {
    question += 1
    settle()
  }

  /// Moves over the ends of forms to the next question there is; the end itself is one place, whatever was
  /// named.
  private mutating func settle() {
    while form < survey.forms.count, question >= survey.forms[form].questions.count {
      form += 1
      question = 0
    }
    if form >= survey.forms.count { (form, question) = (survey.forms.count, 0) }
  }
}
