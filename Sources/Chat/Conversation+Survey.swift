extension Conversation {
  /// A survey starts, or the service shows again how far it has got.
  ///
  /// The same survey at the same place says nothing new. At a later place its question is announced: the answers until
  /// there were accepted. An earlier place is an old report.
  mutating func surveyReceived(_ survey: Survey, _ events: inout [ChatEvent]) {
    let received = SurveyProgress(survey)
    if let known = surveyProgress, known.survey.id == survey.id, known.survey.forms == survey.forms {
      surveyProgress?.isListed = true
      guard known.isBehind(received) else { return }
    } else {
      events.append(.survey(survey))
    }
    surveyProgress = received
    announceQuestion(&events)
  }

  mutating func surveyEnded(_ events: inout [ChatEvent]) {
    guard let ended = surveyProgress?.survey else { return }
    surveyProgress = nil
    events.append(.surveyCancelled(ended))
  }

  /// A full update without a survey ends none that still has questions, but what is answered to its end is over: the
  /// word that ended it was lost with the connection.
  mutating func surveyNotListed(_ events: inout [ChatEvent]) {
    surveyProgress?.isListed = false
    if let survey = surveyProgress, survey.current == nil { surveyEnded(&events) }
  }

  mutating func questionAnswered(
    surveyID: String?, _ position: Survey.Position?, _ events: inout [ChatEvent]
  ) {
    guard let survey = surveyProgress, let current = survey.current,
      surveyID == nil || surveyID == survey.survey.id, position == nil || position == current.position
    else { return }
    surveyProgress?.advance()
    if surveyProgress?.current == nil, !survey.isListed {
      surveyEnded(&events)
    } else {
      announceQuestion(&events)
    }
  }

  private func announceQuestion(_ events: inout [ChatEvent]) {
    guard let current = surveyProgress?.current else { return }
    events.append(.surveyQuestion(current.question, current.position))
  }
}
