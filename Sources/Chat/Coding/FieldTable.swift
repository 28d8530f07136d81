/// The fields of the things that a script is given: names as in JSON and in Lua, each with its meaning.
///
/// Tests hold it together with the JSON shapes, with what crosses into a script, and with the manual.
package struct FieldTable: Equatable, Sendable {
  package struct Field: Equatable, Sendable {
    package let name: String
    /// One line; what may be absent says so with "nil".
    package let meaning: String

    init(_ name: String, _ meaning: String) {
      self.name = name
      self.meaning = meaning
    }
  }

  /// The word of a script for the thing: `message`, `keyboard`, …
  package let thing: String
  package let fields: [Field]

  private init(_ thing: String, _ fields: [(String, String)]) {
    self.thing = thing
    self.fields = fields.map { Field($0.0, $0.1) }
  }

  package static let all = [
    message, keyboard, button, keyboardResponse, quote, attachment, `operator`, department, survey, form,
    question,
    error,
  ]

  package static func named(_ thing: String) -> FieldTable? {
    all.first { $0.thing == thing }
  }

  private static let message = FieldTable(
    "message",
    [
      ("id", "the client id: stable, known before the service has seen the message"),
      ("server_id", "the service's id; nil while the message is being sent"),
      ("chat_id", "the chat it belongs to, as the service names it; nil when it does not say"),
      ("type", "visitor_message, operator_message, keyboard, info, file_from_operator, …"),
      ("from", "who speaks: visitor, operator, robot or system"),
      ("sender_name", "the sender's name as shown"),
      ("sender_id", "the operator's id; nil for other senders"),
      ("sender_avatar", "path of the sender's picture; nil without one"),
      ("text", "what a person reads; for a file its name"),
      ("raw_text", "the text as it came, where that differs from text; else nil"),
      ("time", "seconds since the epoch"),
      ("timestamp_us", "the same moment in microseconds, exactly"),
      ("read", "whether an operator has read it"),
      ("edited", "whether it was edited"),
      ("can_be_edited", "whether the service lets the visitor edit and delete it"),
      ("can_be_replied", "whether it can be quoted"),
      ("can_visitor_react", "whether the visitor can react to it"),
      ("can_visitor_change_reaction", "whether a reaction can be changed"),
      ("reaction", "like, dislike; nil without one"),
      ("send_status", "sending or sent"),
      ("keyboard", "the buttons it carries; nil without them"),
      ("keyboard_response", "the choice that it tells; nil when it tells none"),
      ("quote", "what it answers; nil when it quotes nothing"),
      ("attachments", "its files, a list"),
      ("sticker_id", "the sticker's number; nil when it is none"),
      ("data", "the wire's rich data as a table; nil without it"),
    ])

  private static let keyboard = FieldTable(
    "keyboard",
    [
      ("state", "pending, completed or canceled"),
      ("buttons", "all buttons in reading order"),
      ("rows", "the buttons as rows of rows, as the service lays them out"),
      ("response", "button_id and message_id of the choice; nil before it"),
    ])

  private static let button = FieldTable(
    "button",
    [
      ("id", "the service's id of the button"),
      ("text", "its label"),
      ("type", "plain, url or insert"),
      ("url", "the link of a url button; else nil"),
      ("text_to_insert", "what an insert button puts into the input field; else nil"),
      ("active", "whether it can be pressed"),
      ("state", "showing, showing_selected or hidden"),
      ("hide_after_response", "whether it goes once an answer is chosen"),
    ])

  private static let keyboardResponse = FieldTable(
    "keyboard_response",
    [
      ("button", "the button that was chosen"),
      ("message_id", "server id of the keyboard's message"),
    ])

  private static let quote = FieldTable(
    "quote",
    [
      ("state", "pending, filled or not_found"),
      ("message_id", "server id of the quoted message; nil while unknown"),
      ("author_id", "the quoted author's id; nil while unknown"),
      ("type", "type of the quoted message; nil while unknown"),
      ("sender_name", "the quoted sender's name; nil while unknown"),
      ("text", "the quoted text; nil while unknown"),
      ("time", "seconds since the epoch; nil while unknown"),
    ])

  private static let attachment = FieldTable(
    "attachment",
    [
      ("guid", "the file's id at the service"),
      ("file_name", "its name"),
      ("content_type", "its MIME type"),
      ("size", "bytes; nil when unknown"),
      ("image_width", "pixels; nil for what is no picture"),
      ("image_height", "pixels; nil for what is no picture"),
      ("state", "upload, ready, error or external_checks"),
    ])

  private static let `operator` = FieldTable(
    "operator",
    [
      ("id", "the service's id"),
      ("name", "the full name"),
      ("avatar", "path of the picture; nil without one"),
      ("title", "the job title; nil without one"),
      ("info", "additional information; nil without it"),
      ("robot_type", "the kind of robot; nil for a person"),
    ])

  private static let department = FieldTable(
    "department",
    [
      ("key", "what start_chat takes"),
      ("name", "the name as shown"),
      ("online_status", "online, offline, busy_online, busy_offline or unknown"),
      ("order", "a larger number is a higher priority"),
      ("localized_names", "names by language"),
      ("logo", "path of the logo; nil without one"),
    ])

  private static let survey = FieldTable(
    "survey",
    [
      ("id", "the service's id of this run of the survey"),
      ("config_id", "the id of its configuration"),
      ("version", "the version of its configuration"),
      ("forms", "its forms, in order"),
      ("current", "form_id and question_id of the question that was due when the service sent it"),
    ])

  private static let form = FieldTable(
    "form",
    [
      ("id", "the form's id"),
      ("questions", "its questions, in order"),
    ])

  private static let question = FieldTable(
    "question",
    [
      ("type", "stars, radio or comment"),
      ("text", "what is asked"),
      ("options", "the labels of a radio question, answered by number from 1"),
    ])

  private static let error = FieldTable(
    "error",
    [
      ("code", "the handbook's case in snake_case, or a word of ours such as timeout or stale_keyboard"),
      ("server_code", "the service's own word; nil when the refusal is ours"),
      ("action", "the method that failed; nil for trouble of the whole session"),
      ("detail", "the argument that was meant, or how to mend the call; nil when there is no more to say"),
      ("message", "the whole in one line"),
      ("report", "what came instead, as lines, of a failed expectation; else nil"),
      ("source", "the script's file; nil where no script was at work"),
      ("line", "the script's line; nil where no script was at work"),
    ])
}
