import Script

/// The words that `shared.lua` and `desk.lua` define.
extension Vocabulary {
  static let deskPrelude: [WordSpec] = [
    WordSpec(
      "on", role: .prelude, [.init("event", .event), .init("f", .function, given: ["chat"])],
      summary: "Adds a handler; returns a function that takes it off again."),
    WordSpec(
      "every", role: .prelude, [.init("seconds", .number), .init("f", .function)],
      summary: "Runs a function again and again; returns a function that stops it."),
    WordSpec(
      "after", role: .prelude, [.init("seconds", .number), .init("f", .function)],
      summary: "Runs a function once; returns a function that stops it."),
    WordSpec(
      "spawn", role: .prelude, [.init("f", .function)], summary: "Runs a function as a further coroutine."),
    sleep,
    WordSpec(
      "log", role: .prelude, [.init("format", .any), .init("value", .any, isRequired: false)],
      summary: "Writes a line; further values fill the format."),
    WordSpec("now", role: .prelude, summary: "Seconds since the epoch."),
    WordSpec(
      "random", role: .prelude,
      [.init("m", .number, isRequired: false), .init("n", .number, isRequired: false)],
      summary: "A number drawn from the rehearsal's seed."),
  ]

  private static let sleep = WordSpec(
    "sleep", role: .prelude, [.init("seconds", .number)], summary: "Waits for so many seconds.")

  static let chatPrelude: [WordSpec] = [
    WordSpec(
      "typing", role: .prelude, [.init("time", .any, isRequired: false)],
      summary: "Shows that somebody types: for so many seconds, until it says something, or no longer."),
    WordSpec(
      "keyboard", role: .prelude, [.init("buttons", .table, shape: .rows(DeskTables.button))],
      options: [.init("text", .text)], summary: "Offers buttons; returns the message."),
    sleep,
  ]

  static let chatWaits: [WordSpec] = [
    .wait("wait_message", summary: "Waits for a message and returns it, or nil."),
    .wait("wait_press", summary: "Waits for a press and returns it, or nil."),
    .wait("wait_rating", summary: "Waits for a rating and returns it, or nil."),
    .wait("wait_resolution", summary: "Waits for an answer to the resolution survey and returns it, or nil."),
    .wait(
      "wait_survey",
      summary: "Waits for the end of the survey; returns whether it was finished, and the answers."),
    .wait("wait_question_answer", summary: "Waits for an answer to one question and returns it, or nil."),
    .wait("wait_typing", summary: "Waits until the visitor begins or ceases to type."),
    .wait("wait_read", summary: "Waits until the visitor has read."),
    .wait("wait_close", summary: "Waits until the chat is closed."),
    .wait("wait_contacts", summary: "Waits for contact data."),
    .waitFor("wait_for", summary: "Waits for any event by its name."),
    .waitForAll("wait_any_of", summary: "Waits for the first filter that is met."),
  ]
}
