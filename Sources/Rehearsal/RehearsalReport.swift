package import Script

/// What happened at a desk, for whoever watches it.
package struct RehearsalReport: Equatable, Sendable {
  package enum Event: Equatable, Sendable {
    case visitorArrived
    case chatStarted
    /// A new message of the chat, whoever wrote it. `from` is the writer's name, or `system`; `kind` is the
    /// wire's word.
    case message(from: String, kind: String, text: String, clientID: String)
    case messageEdited(text: String, clientID: String)
    case messageDeleted(clientID: String)
    case pressed(button: String, text: String)
    case rated(operator: String, stars: Int)
    case resolved(operator: String, answer: Int)
    /// One answer; a stars or radio question is answered by its number.
    case surveyAnswered(question: String, answer: String)
    /// The last question was answered, or the visitor closed the survey.
    case surveyEnded(finished: Bool)
    /// `by` is `visitor`, `operator` or `service`.
    case closed(by: String)
    case log(String)
    /// The desk's script has failed; the chat concerned goes on without it.
    case failure(ScriptFailure)
  }

  /// Seconds since the epoch, by the clock of the rehearsal's loop.
  package var at: Double
  /// The service's id of the visitor; nil for what concerns the whole desk.
  package var visitor: String?
  package var chat: Int?
  package var event: Event

  package init(at: Double, visitor: String? = nil, chat: Int? = nil, event: Event) {
    self.at = at
    self.visitor = visitor
    self.chat = chat
    self.event = event
  }

  /// The event's name in snake_case, as `--format json` prints it.
  package var name: String {
    switch event {
    case .visitorArrived: "visitor_arrived"
    case .chatStarted: "chat_started"
    case .message: "message"
    case .messageEdited: "message_edited"
    case .messageDeleted: "message_deleted"
    case .pressed: "pressed"
    case .rated: "rated"
    case .resolved: "resolved"
    case .surveyAnswered: "survey_answered"
    case .surveyEnded: "survey_ended"
    case .closed: "closed"
    case .log: "log"
    case .failure: "failure"
    }
  }
}
