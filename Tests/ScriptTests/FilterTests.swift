import JSON
import Lua
import Script
import Testing

/// A message of a robot with two buttons.
private let menu = occurrence(
  "message", from: "robot", type: "keyboard", text: "How can I help?\nChoose:",
  buttons: [Occurrence.Button(id: "b1", text: "Track order"), Occurrence.Button(id: "b2", text: "Human")],
  by: ("7", "Robby"))

@Test(
  arguments: [
    ([:], true),
    (["from": "robot"], true),
    (["from": "operator"], false),
    (["type": "keyboard"], true),
    (["type": "operator_message"], false),
    (["text": "How can I help?\nChoose:"], true),
    (["text": "How can I help?"], false),
    (["text": "how can i help?\nchoose:"], false),
    (["contains": "help?\nCh"], true),
    (["contains": ""], true),
    (["contains": "halp"], false),
    (["like": "How*"], true),
    (["like": "How"], false),
    (["like": "*hoose?"], true),
    (["matches": "^How.-Choose:$"], true),
    (["matches": "%d"], false),
    (["button": "Track order"], true),
    (["button": "b2"], true),
    (["button": "Track"], false),
    (["operator": "Robby"], true),
    (["operator": "7"], true),
    (["operator": "Anna"], false),
    (["from": "robot", "contains": "help", "button": "b1"], true),
    (["from": "robot", "contains": "help", "button": "b3"], false),
  ] as [([String: String], Bool)])
func `a filter takes what has all its facts`(keys: [String: String], isMatch: Bool) throws {
  #expect(try filter(keys).matches(menu) == isMatch)
}

@Test(
  arguments: [
    ["contains": String(repeating: "a", count: 5000) + "b"], ["like": "*a*a*a*a*a*b"],
    ["matches": String(repeating: "a*", count: 9) + "b"], ["text": "x"], ["from": "operator"],
  ] as [[String: String]])
func `looking is paid for, and stops once the turn has no more`(keys: [String: String]) throws {
  let subject = occurrence("message", from: "robot", text: String(repeating: "a", count: 10_000))
  let filter = try filter(keys)
  var steps = 5_000_000
  _ = try? filter.matches(subject, steps: &steps)
  let isCheap = keys["text"] != nil || keys["from"] != nil
  #expect(isCheap ? (4_999_990..<5_000_000).contains(steps) : steps < 4_990_000)
  var few = 1
  #expect((try? filter.matches(subject, steps: &few)) != true)
  #expect(few < 1)
  var spent = -1
  #expect((try? filter.matches(subject, steps: &spent)) != true)
  #expect(spent > -20_000)
}

@Test(arguments: [
  ("Hello", "Hello", true),
  ("Hello", "Hello, we are closed", false),
  ("Hello*", "Hello, we are closed", true),
  ("*closed", "Hello, we are closed", true),
  ("H?llo", "Hallo", true),
  ("H?llo", "Hllo", false),
  ("?", "👩‍👩‍👧", true),
  ("a*b*c", "a\nb\nc", true),
  ("a*b*c", "acb", false),
  ("", "", true),
  ("", "x", false),
  ("*", "", true),
  ("**", "x", true),
  (#"5\*3"#, "5*3", true),
  (#"5\*3"#, "5xx3", false),
  (#"what\?"#, "what!", false),
  (#"a\\b"#, #"a\b"#, true),
  (#"end\"#, #"end\"#, true),
  ("Total: ?.??? €", "Total: 1.299 €", true),
  ("*a*a*a*a*a*a*a*a*b", String(repeating: "a", count: 200), false),
])
func `like fits the whole text, with star and question mark`(
  pattern: String, text: String, isMatch: Bool
) {
  #expect(Wildcard(pattern).matches(text) == isMatch)
}

@Test(
  arguments: [
    (["form": "robot"], "expect_message: unknown key \"form\"; did you mean \"from\"?"),
    (["conatins": "x"], "expect_message: unknown key \"conatins\"; did you mean \"contains\"?"),
    (["from": "robt"], "expect_message: from: there is no \"robt\"; did you mean \"robot\"?"),
    (["text": 5], "expect_message: text: text expected, got 5"),
    (["within": "5"], "expect_message: within: seconds, 0 or more, expected, got string"),
    (["within": -1], "expect_message: within: seconds, 0 or more, expected, got -1"),
    (["button": true], "expect_message: button: object, id or text expected, got boolean"),
    (["matches": "order (%d+"], "expect_message: matches: unfinished capture at byte 7 of \"order (%d+\""),
    (["matches": "["], "expect_message: matches: malformed pattern (missing ']') at byte 1 of \"[\""),
    (
      ["event": "question", "type": "starz"],
      "expect_message: type: there is no \"starz\"; did you mean \"stars\"?"
    ),
    (
      ["event": "chat_state", "state": "chating"],
      "expect_message: state: there is no \"chating\"; did you mean \"chatting\"?"
    ),
    (["event": "mesage"], "expect_message: there is no event \"mesage\"; did you mean \"message\"?"),
  ] as [(JSONValue, String)])
func `a wrong filter names the nearest right word`(json: JSONValue, message: String) {
  #expect(throws: ScriptError.self) { try parse(json) }
  do throws(ScriptError) {
    try parse(json)
  } catch {
    #expect(error.message == message)
  }
}

@Test func `a filter is a table with names`() {
  #expect(throws: ScriptError.self) { try parse("robot") }
  #expect(throws: ScriptError.self) { try parse(["robot"]) }
  #expect(throws: Never.self) { try parse([]) }
}

@Test func `the visitor's own messages count only when asked for`() throws {
  let own = occurrence("message", from: "visitor", type: "visitor_message", text: "Hi")
  #expect(try !filter([:]).matches(own))
  #expect(try !filter(["contains": "Hi"]).matches(own))
  #expect(try filter(["from": "visitor"]).matches(own))
  #expect(try filter(["type": "visitor_message"]).matches(own))
}

@Test func `a costly pattern ends with an error`() throws {
  let costly = try filter(["matches": String(repeating: "a*", count: 12) + "b"])
  let long = occurrence("message", from: "robot", text: String(repeating: "a", count: 60))
  #expect(throws: LuaError.self) { try costly.matches(long) }
}

@discardableResult
private func parse(_ json: JSONValue) throws(ScriptError) -> Filter {
  try Filter(json: json, event: "message", word: "expect_message", vocabulary: vocabulary)
}

private func filter(_ keys: [String: String]) throws -> Filter {
  try parse(.object(keys.sorted { $0.key < $1.key }.map { JSONValue.Member($0.key, .string($0.value)) }))
}
