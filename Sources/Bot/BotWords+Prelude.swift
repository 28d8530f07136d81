import Script

/// The words that `shared.lua` and `bot.lua` define.
extension BotWords {
  static let prelude = time + waits + expectations

  private static let visitor = ["visitor"]

  private static let time = [
    WordSpec(
      "on", role: .prelude, [.init("event", .event), .init("f", .function, given: visitor)],
      summary: "Adds a handler; returns a function that takes it off again."),
    WordSpec("sleep", role: .prelude, [.init("seconds", .number)], summary: "Waits for so many seconds."),
    WordSpec(
      "think", role: .prelude, [.init("min", .number), .init("max", .number, isRequired: false)],
      summary: "Waits for a time drawn from the run's seed."),
    WordSpec("now", role: .prelude, summary: "Seconds since the epoch."),
    WordSpec(
      "spawn", role: .prelude, [.init("f", .function, given: visitor)],
      summary: "Runs a function as a further coroutine."),
    WordSpec(
      "log", role: .prelude, [.init("format", .any), .init("value", .any, isRequired: false)],
      summary: "Writes a line of the transcript; further values fill the format."),
    WordSpec(
      "check", role: .prelude, [.init("name", .text), .init("condition", .any)],
      summary: "Counts a check as passed or failed and goes on; returns the condition."),
    WordSpec(
      "metric", role: .prelude, [.init("name", .text), .init("value", .number)],
      options: [.init("unit", .text)],
      summary: "Notes a number."),
    WordSpec(
      "step", role: .prelude, [.init("name", .text), .init("f", .function, given: visitor)],
      summary: "Runs a function and notes how long it took; returns what it returns."),
  ]

  private static let waits: [WordSpec] = [
    .wait("wait_message", summary: "Waits for a new message and returns it, or nil."),
    .wait("wait_keyboard", summary: "Waits for buttons and returns the message that carries them, or nil."),
    .wait("wait_chat_state", summary: "Waits for a state of the chat and returns it, or nil."),
    .wait("wait_operator", summary: "Waits for an operator and returns it, or nil."),
    .wait("wait_survey", summary: "Waits for a survey and returns it, or nil."),
    .wait("wait_question", summary: "Waits for a question of the survey and returns it, or nil."),
    .waitFor("wait_for", summary: "Waits for any event by its name and returns its value, or nil."),
    .waitUntil("wait_until", summary: "Waits for a condition of the script's own."),
  ]

  private static let expectations: [WordSpec] = [
    .wait("expect_message", summary: "Waits for a new message; without one the expectation has failed."),
    .wait("expect_keyboard", summary: "Waits for buttons; without them the expectation has failed."),
    .wait(
      "expect_chat_state", summary: "Waits for a state of the chat; without it the expectation has failed."),
    .wait("expect_operator", summary: "Waits for an operator; without one the expectation has failed."),
    .wait("expect_survey", summary: "Waits for a survey; without one the expectation has failed."),
    .wait("expect_question", summary: "Waits for a question; without one the expectation has failed."),
    .waitFor("expect_for", summary: "Waits for any event; without it the expectation has failed."),
    .waitUntil("expect_until", summary: "Waits for a condition; without it the expectation has failed."),
    .waitQuietly("expect_nothing_else", summary: "Expects no further message of an operator or robot."),
    .waitForAll("expect_any_of", summary: "Expects what the first of several filters takes."),
    .waitForAll("expect_in_any_order", summary: "Expects one event for each filter, in any order."),
    .waitForAll("expect_none_of", summary: "Expects nothing that one of the filters takes."),
  ]
}
