/// A message of a visitor's conversation; a later row of the same `id` replaces an earlier one.
package struct MessageRow: Equatable, Sendable {
  /// The client id: one for each message of a visitor.
  package let id: String
  /// Empty while the service has not given one.
  package let serverID: String
  package let chatID: String
  /// The wire's or the model's name of its kind: `visitor`, `operator`, `keyboard`, …
  package let kind: String
  /// Who it came from: `visitor`, `operator`, `robot`, `system`.
  package let origin: String
  /// The sender's name.
  package let sender: String
  package let text: String
  /// Microseconds since the epoch.
  package let timestamp: Int64
  /// The whole message, in the caller's form.
  package let json: [UInt8]

  package init(
    id: String, serverID: String, chatID: String, kind: String, origin: String, sender: String,
    text: String, timestamp: Int64, json: [UInt8]
  ) {
    self.id = id
    self.serverID = serverID
    self.chatID = chatID
    self.kind = kind
    self.origin = origin
    self.sender = sender
    self.text = text
    self.timestamp = timestamp
    self.json = json
  }
}

/// A chat of a visitor; a later row of the same `id` replaces an earlier one.
package struct ChatRow: Equatable, Sendable {
  package let id: String
  /// The model's name of its state.
  package let state: String
  /// Seconds since the epoch.
  package let openedAt: Double
  /// Seconds since the epoch; `nil` while it is open.
  package let closedAt: Double?

  package init(id: String, state: String, openedAt: Double, closedAt: Double? = nil) {
    self.id = id
    self.state = state
    self.openedAt = openedAt
    self.closedAt = closedAt
  }
}

/// A rating that the service has taken.
package struct RatingRow: Equatable, Sendable {
  /// `rating` or `resolution`.
  package let kind: String
  package let operatorID: String
  package let operatorName: String
  package let value: Int
  package let note: String
  /// Seconds since the epoch.
  package let at: Double

  package init(
    kind: String = "rating", operatorID: String, operatorName: String = "", value: Int, note: String = "",
    at: Double
  ) {
    self.kind = kind
    self.operatorID = operatorID
    self.operatorName = operatorName
    self.value = value
    self.note = note
    self.at = at
  }
}

/// An answer to a survey's question that the service has taken.
package struct SurveyAnswerRow: Equatable, Sendable {
  package let survey: String
  package let form: String
  package let question: String
  package let answer: String
  /// Seconds since the epoch.
  package let at: Double

  package init(survey: String, form: String, question: String, answer: String, at: Double) {
    self.survey = survey
    self.form = form
    self.question = question
    self.answer = answer
    self.at = at
  }
}
