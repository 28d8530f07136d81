import JSON
import Lua
import Script

/// A small vocabulary with a word of each role.
let vocabulary = Vocabulary(
  object: "actor",
  words: [
    WordSpec(
      "send", alias: "say", [WordSpec.Parameter("text", .text)],
      options: [WordSpec.Parameter("hint", .boolean), WordSpec.Parameter("data", .table)], summary: "Says."),
    WordSpec(
      "rate", [WordSpec.Parameter("stars", .integer)],
      options: [WordSpec.Parameter("operator", .reference), WordSpec.Parameter("note", .text)],
      summary: "Rates."),
    WordSpec(
      "draft", [WordSpec.Parameter("text", .text, isRequired: false)], summary: "Types."),
    WordSpec("ask", role: .fetch, [WordSpec.Parameter("value", .any)], summary: "Asks the host."),
    WordSpec("look_up", role: .query, summary: "Asks the other side."),
    WordSpec("fly", role: .later, summary: "Comes later."),
  ],
  preludeWords: [
    WordSpec("sleep", role: .prelude, [WordSpec.Parameter("seconds", .number)], summary: "Rests."),
    .wait("wait_message", summary: "Waits."),
  ], fields: ["chat_state", "unread_by_visitor_message_count"],
  listeners: [
    Vocabulary.Listener("message", ["message"], summary: "A message."),
    Vocabulary.Listener("keyboard", ["message"], summary: "A keyboard."),
    Vocabulary.Listener(
      "chat_state", ["previous", "current"], states: ["queue", "chatting"], summary: "A state."),
    Vocabulary.Listener("question", ["question"], types: ["stars", "radio"], summary: "A question."),
    Vocabulary.Listener("operator", ["previous", "current"], summary: "An operator."),
    Vocabulary.Listener("any", ["event"], summary: "All."),
  ])

func occurrence(
  _ name: String, from: String? = nil, type: String? = nil, text: String? = nil,
  buttons: [Occurrence.Button] = [], by operator: (id: String, name: String)? = nil, state: String? = nil,
  id: String? = nil, at: Double = 0, lasts: Bool = false
) -> Occurrence {
  var facts = Occurrence.Facts()
  facts.id = id
  facts.from = from
  facts.type = type
  facts.text = text
  facts.buttons = buttons
  facts.operatorID = `operator`?.id
  facts.operatorName = `operator`?.name
  facts.state = state
  let summary = "\(name) from \(from ?? "nobody"): \(quoted(text ?? state ?? ""))"
  return Occurrence(
    at: at, name: name, facts: facts, summary: summary,
    value: JSONValue.string(text ?? state ?? name).bytes, lasts: lasts)
}

/// A turn in which there is enough for what a test looks at.
private let plenty = 10_000_000

extension Wait {
  mutating func look(at log: OccurrenceLog) throws(LuaError) -> Step {
    var steps = plenty
    return try look(at: log, steps: &steps)
  }

  func report(from log: OccurrenceLog) -> String {
    var steps = plenty
    return report(from: log, steps: &steps)
  }
}

extension Filter {
  func matches(_ occurrence: Occurrence) throws(LuaError) -> Bool {
    var steps = plenty
    return try matches(occurrence, steps: &steps)
  }

  func nearness(of occurrence: Occurrence) -> (met: Int, missed: Criterion?) {
    var steps = plenty
    return nearness(of: occurrence, steps: &steps)
  }
}

extension Wildcard {
  func matches(_ text: String) -> Bool {
    var steps = plenty
    return matches(text, steps: &steps)
  }
}
