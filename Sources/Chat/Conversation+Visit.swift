/// What concerns the visit as a whole.
extension Conversation {
  /// Applies a full update in the order of the protocol's section 2.9; only differences give events.
  mutating func snapshotReceived(_ snapshot: Snapshot, _ events: inout [ChatEvent]) {
    sessionStateReceived(snapshot.sessionState, &events)
    if let departments = snapshot.departments { departmentsReceived(departments, &events) }
    if let survey = snapshot.survey {
      surveyListed(survey, &events)
    } else {
      surveyNotListed(&events)
    }
    if let profile = snapshot.visitor { visitor = profile }
    chatReceived(snapshot.chat, &events)
    hintsEnabled = snapshot.hintsEnabled
    if let text = snapshot.greeting, snapshot.chat?.messages.isEmpty ?? true, feed.isEmpty {
      greetingReceived(text, &events)
    }
    if let status = snapshot.onlineStatus { onlineStatusReceived(status, &events) }
    if unreadByVisitorCount == nil { unreadCountReceived(0, &events) }
    hasBegun = true
  }

  mutating func sessionStateReceived(_ state: SessionState, _ events: inout [ChatEvent]) {
    guard state != sessionState else { return }
    events.append(.sessionState(from: sessionState, to: state))
    sessionState = state
  }

  mutating func departmentsReceived(_ list: [Department], _ events: inout [ChatEvent]) {
    guard list != departments else { return }
    departments = list
    events.append(.departments(list))
  }

  /// An unsupported status leaves the old one (the protocol's section 6.4).
  mutating func onlineStatusReceived(_ status: OnlineStatus, _ events: inout [ChatEvent]) {
    guard status != onlineStatus, status != .unknown else { return }
    events.append(.onlineStatus(from: onlineStatus, to: status))
    onlineStatus = status
  }

  mutating func greetingReceived(_ text: String, _ events: inout [ChatEvent]) {
    guard text != greeting else { return }
    greeting = text
    events.append(.greeting(text))
  }

  mutating func locationSettingsReceived(_ settings: String, _ events: inout [ChatEvent]) {
    guard settings != locationSettings else { return }
    events.append(.locationSettings(from: locationSettings, to: settings))
    locationSettings = settings
  }

  mutating func languageReceived(_ code: String?, _ events: inout [ChatEvent]) {
    let old = language
    sessionLanguage = code
    if language != old { events.append(.language(language)) }
  }
}
