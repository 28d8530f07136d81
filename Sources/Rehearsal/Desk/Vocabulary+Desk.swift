import Chat
package import Script

extension Vocabulary {
  /// What a desk's script may say of the desk as a whole.
  package static let desk = Vocabulary(
    object: "desk", words: deskPeople + deskAccount + deskVisitors + deskTrouble,
    hostWords: [],
    preludeWords: deskPrelude,
    fields: ["chats", "visitors"],
    listeners: [
      Listener("visitor", ["visitor"], isAlone: true, summary: "A visitor has opened a session."),
      Listener(
        "visitor_left", ["visitor"], isAlone: true, summary: "A visitor has not been heard of for a minute."),
      Listener("chat", ["chat"], summary: "A chat has begun; the handler plays it."),
    ] + deskChat.listeners, handlerObject: "chat", hasHandlerMethods: true)

  private static let visitor = WordSpec.Parameter("visitor", .reference)

  private static let deskPeople: [WordSpec] = [
    WordSpec(
      "operator",
      options: [
        .init("id", .reference), .init("name", .text), .init("title", .text), .init("avatar", .text),
        .init("robot_type", .text),
      ], summary: "Makes an operator known under a handle of the desk's own; returns the operator."),
    WordSpec(
      "accept_next", [.init("operator", .reference)],
      summary:
        "Lets an operator, known or new, accept the chat that waits longest, or else the next that begins."),
    WordSpec(
      "invite", [visitor, .init("operator", .reference), .init("text", .text, isRequired: false)],
      summary: "Opens a chat from the operator's side; returns the chat."),
  ]

  private static let deskAccount: [WordSpec] = [
    WordSpec(
      "departments", [.init("list", .table, shape: .list([DeskTables.department]))],
      summary: "Sets the departments."),
    WordSpec(
      "online_status", [.init("status", .text, values: DeskTables.onlineStatuses)],
      summary: "Sets the service's online status."),
    WordSpec("location_settings", [.init("settings", .table)], summary: "Sets the location's settings."),
    WordSpec(
      "account", [.init("settings", .table, shape: .record(DeskTables.account))],
      summary: "Sets keys of the account's configuration, such as visitor_message_editing."),
    WordSpec(
      "limits",
      options: [
        .init("message_length", .integer), .init("note_length", .integer), .init("comment_length", .integer),
      ], summary: "Sets the longest message, rating note and survey comment, in characters."),
    WordSpec(
      "register_token", [.init("token", .text)],
      summary: "Registers an authorisation token; from the first on only registered ones are taken."),
    WordSpec("block", summary: "Blocks the account: every visitor's session ends."),
    WordSpec("unblock", summary: "Takes a block of the account back."),
  ]

  private static let deskVisitors: [WordSpec] = [
    WordSpec("ban", [visitor], summary: "Bans a visitor."),
    WordSpec("expire", [visitor], summary: "Lets a visitor's signed fields expire."),
    WordSpec("restore", [visitor], summary: "Takes a ban or an expiry back."),
    WordSpec("reinit", [visitor], summary: "Makes a visitor open its session anew."),
    WordSpec("full_update", [visitor], summary: "Sends a visitor the complete state."),
    WordSpec("language", [visitor, .init("code", .text)], summary: "Sets the language of a visit."),
    WordSpec(
      "session_state", [visitor, .init("state", .text, values: SessionState.allCases.map(\.rawValue))],
      summary: "Sets the state of a visit."),
    WordSpec(
      "visitor_fields", [visitor, .init("fields", .table, shape: .fields)],
      summary: "Tells a visitor anew who it is."),
  ]

  private static let deskTrouble: [WordSpec] = [
    WordSpec(
      "offline", [.init("seconds", .number)],
      summary: "Cuts the line: every request is dropped for so many seconds."),
    WordSpec(
      "fault",
      options: [
        .init("on", .text), .init("chance", .number), .init("delay", .number), .init("status", .integer),
        .init("error", .text), .init("body", .text), .init("accept", .boolean), .init("drop", .text),
        .init("cut", .boolean), .init("times", .integer), .init("after", .integer), .init("seed", .integer),
      ], summary: "Orders the service to misbehave."),
    WordSpec("clear_faults", summary: "Ends all faults and a cut line."),
  ]
}
