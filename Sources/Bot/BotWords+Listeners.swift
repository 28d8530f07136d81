import Chat
import Script

/// The events that a bot hears of.
extension BotWords {
  private static let messages = Message.Kind.allCases.map(\.rawValue)

  static let listeners = [
    Vocabulary.Listener("start", summary: "The session is live."),
    Vocabulary.Listener("stop", ["reason"], summary: "The visit is about to end."),
    Vocabulary.Listener(
      "message", ["message", "previous"], types: messages, summary: "A new message, whoever wrote it."),
    Vocabulary.Listener(
      "message_changed", ["old", "new"], types: messages, summary: "A message has changed."),
    Vocabulary.Listener("message_removed", ["message"], types: messages, summary: "A message is gone."),
    Vocabulary.Listener(
      "keyboard", ["message", "keyboard"], types: messages, summary: "Buttons that wait for an answer."),
    Vocabulary.Listener(
      "chat_state", ["previous", "current"], states: ChatState.allCases.map(\.rawValue),
      summary: "The chat's state."),
    Vocabulary.Listener(
      "session_state", ["previous", "current"], states: SessionState.allCases.map(\.rawValue),
      summary: "The visit's state."),
    Vocabulary.Listener("operator", ["previous", "current"], summary: "Another operator, or none."),
    Vocabulary.Listener("operator_typing", ["is_typing"], summary: "The operator types, or no longer."),
    Vocabulary.Listener("departments", ["departments"], summary: "The list of departments."),
    Vocabulary.Listener("location_settings", ["previous", "current"], summary: "The location's settings."),
    Vocabulary.Listener(
      "online_status", ["previous", "current"], states: OnlineStatus.allCases.map(\.rawValue),
      summary: "What the service can take."),
    Vocabulary.Listener("unread_by_operator", ["value"], summary: "Since when, in seconds since the epoch."),
    Vocabulary.Listener("unread_by_visitor", ["value"], summary: "Since when, in seconds since the epoch."),
    Vocabulary.Listener("unread_count", ["value"], summary: "How many the visitor has not read."),
    Vocabulary.Listener("survey", ["survey"], summary: "A survey begins."),
    Vocabulary.Listener(
      "survey_question", ["question", "position"], types: Survey.Question.Kind.allCases.map(\.rawValue),
      summary: "A question to answer next."),
    Vocabulary.Listener("survey_cancelled", ["survey"], summary: "A survey is over."),
    Vocabulary.Listener("rated", ["operator_id", "rating"], summary: "A rating is confirmed."),
    Vocabulary.Listener("resolved", ["operator_id", "answer"], summary: "A resolution answer is confirmed."),
    Vocabulary.Listener("language", ["code"], summary: "The chat's language."),
    Vocabulary.Listener("greeting", ["text"], summary: "The service greets."),
    Vocabulary.Listener("connection", ["connected"], summary: "The connection is lost or back."),
    Vocabulary.Listener("not_fatal_error", ["error"], summary: "Trouble that passes."),
    Vocabulary.Listener("fatal_error", ["error"], summary: "Trouble that ends the visit."),
    Vocabulary.Listener("any", ["event"], summary: "Every event as one table."),
  ]
}
