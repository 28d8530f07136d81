extension Conversation {
  /// A survey starts, or starts again: the service says so in its order, so an earlier place than the known
  /// one is where the visitor now is. The same survey at the same place says nothing new.
  mutating func surveyStarted(_ survey: Survey, _ events: inout [ChatEvent]) {
    let received = SurveyProgress(survey)
    if let known = surveyProgress, known.isSame(as: received), !received.isBehind(known) {
      return surveyListed(survey, &events)
    }
    surveyBegan(received, &events)
  }

  /// A full update shows how far a survey has got. At a later place than the known one its question is
  /// announced: the answers until there were accepted. An earlier place is an old report.
  mutating func surveyListed(_ survey: Survey, _ events: inout [ChatEvent]) {
    let received = SurveyProgress(survey)
    guard let known = surveyProgress, known.isSame(as: received) else {
      return surveyBegan(received, &events)
    }
    surveyProgress?.isListed = true
    guard known.isBehind(received) else { return }
    surveyProgress = received
    announceQuestion(&events)
  }

  private mutating func surveyBegan(_ progress: SurveyProgress, _ events: inout [ChatEvent]) {
    surveyProgress = progress
    events.append(.survey(progress.survey))
    announceQuestion(&events)
  }

  mutating func surveyEnded(_ events: inout [ChatEvent]) {
    guard let ended = surveyProgress?.survey else { return }
    surveyProgress = nil
    events.append(.surveyCancelled(ended))
  }

  /// A full update without a survey ends none that still has questions, but what is answered to its end is
  /// over: the word that ended it was lost with the connection.
  mutating func surveyNotListed(_ events: inout [ChatEvent]) {
    surveyProgress?.isListed = false
    if let survey = surveyProgress, survey.current == nil { surveyEnded(&events) }
  }

  mutating func questionAnswered(
    _ surveyID: String, _ position: Survey.Position, _ events: inout [ChatEvent]
  ) {
    guard let survey = surveyProgress, surveyID == survey.survey.id, position == survey.current?.position
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
