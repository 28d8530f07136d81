import JSON
import Script
import Testing

private func call(_ word: String, _ values: [JSONValue]) throws(ScriptError) -> ScriptCall {
  guard let spec = vocabulary.spec(word) else { throw vocabulary.unknownName(word) }
  return try spec.call(said: word, values)
}

@Test(
  arguments: [
    ("say", ["Hello"], ["Hello"], [:]),
    ("say", ["Hello", ["hint": true]], ["Hello"], ["hint": true]),
    (
      "say", ["Hello", ["data": ["b": 1, "a": 2], "hint": false]], ["Hello"],
      ["hint": false, "data": ["b": 1, "a": 2]]
    ),
    ("say", ["Hello", .null], ["Hello"], [:]),
    ("say", ["Hello", []], ["Hello"], [:]),
    ("rate", [5.0], [5], [:]),
    ("rate", [5, ["operator": ["id": "o1", "name": "Anna"]]], [5], ["operator": "o1"]),
    ("rate", [5, ["operator": 12]], [5], ["operator": "12"]),
    ("draft", [], [.null], [:]),
    ("ask", [["x": 1]], [["x": 1]], [:]),
  ] as [(String, [JSONValue], [JSONValue], JSONValue)])
func `a call has one shape, whatever way it was said`(
  word: String, said: [JSONValue], arguments: [JSONValue], options: JSONValue
) throws {
  let call = try call(word, said)
  #expect(call.arguments == arguments)
  #expect(call.options == options)
  #expect(call.word == (word == "say" ? "send" : word))
}

@Test(
  arguments: [
    ("say", [], "bad_argument", "say: text: text expected, got nil"),
    ("say", [.null, ["hint": true]], "bad_argument", "say: text: text expected, got nil"),
    ("say", [7], "bad_argument", "say: text: text expected, got number"),
    ("send", [["$function": 3]], "bad_argument", "send: text: text expected, got function"),
    (
      "say", ["a", "b"], "bad_argument",
      "say: 1 argument expected, got 2; options go into one table at the end"
    ),
    ("say", ["a", ["hnt": true]], "unknown_option", "say: unknown option \"hnt\"; did you mean \"hint\"?"),
    ("say", ["a", ["zzz": true]], "unknown_option", "say: unknown option \"zzz\"; known are hint, data"),
    ("say", ["a", ["hint": "yes"]], "bad_argument", "say: hint: boolean expected, got string"),
    ("rate", [4.5], "bad_argument", "rate: stars: whole number expected, got number"),
    ("rate", [4, ["operator": true]], "bad_argument", "rate: operator: object or id expected, got boolean"),
    ("draft", ["a", "b"], "bad_argument", "draft: 1 argument expected, got 2"),
  ] as [(String, [JSONValue], String, String)])
func `a wrong call says what was expected`(
  word: String, said: [JSONValue], code: String, message: String
) {
  do throws(ScriptError) {
    _ = try call(word, said)
    Issue.record("\(word) took \(said)")
  } catch {
    #expect(error.code == code)
    #expect(error.message == message)
  }
}

/// A value of each kind, with what Lua calls it and the kinds of words that take it.
private let samples: [(value: JSONValue, type: String, kinds: Set<WordSpec.Kind>)] = [
  ("text", "string", [.text, .reference, .any]),
  (5, "number", [.number, .integer, .reference, .any]),
  (5.0, "number", [.number, .integer, .reference, .any]),
  (5.5, "number", [.number, .any]),
  (true, "boolean", [.boolean, .any]),
  ([:], "table", [.table, .any]),
  ([], "table", [.table, .any]),
  ([1, "b"], "table", [.table, .any]),
  (["a": 1], "table", [.table, .any]),
  (["id": "x"], "table", [.table, .reference, .any]),
  (["$function": 3], "function", []),
]

@Test(
  arguments: [.text, .number, .integer, .boolean, .table, .reference, .any, .event, .filter, .filters]
    as [WordSpec.Kind],
  [true, false])
func `each kind takes its own values and refuses all others by name`(kind: WordSpec.Kind, isOption: Bool) {
  let parameter = WordSpec.Parameter("thing", kind, isRequired: false)
  let spec = WordSpec("do", isOption ? [] : [parameter], options: isOption ? [parameter] : [], summary: "")
  for sample in samples {
    let value = isOption ? .object([JSONValue.Member("thing", sample.value)]) : sample.value
    let outcome = Result { () throws(ScriptError) in try spec.call(said: "do", [value]) }
    switch outcome {
    case .success(let call):
      #expect(sample.kinds.contains(kind.like), "\(kind) took \(sample.value)")
      #expect((isOption ? call.options["thing"] : call.arguments[0]) != .null)
    case .failure(let error):
      #expect(!sample.kinds.contains(kind.like), "\(kind) refused \(sample.value)")
      #expect(error.code == "bad_argument")
      #expect(error.message == "do: thing: \(kind.said) expected, got \(sample.type)")
    }
  }
}

extension WordSpec.Kind {
  /// The kind that takes the same values.
  fileprivate var like: WordSpec.Kind {
    switch self {
    case .event: .text
    case .filter, .filters: .any
    default: self
    }
  }

  fileprivate var said: String {
    switch self {
    case .event: "name of an event"
    case .filters: "list of filters"
    case .integer: "whole number"
    case .reference: "object or id"
    case .any: "value"
    default: rawValue
    }
  }
}

@Test(arguments: [
  ("snd", "send"), ("rat", "rate"), ("sya", "say"), ("wait_mesage", "wait_message"),
  ("chatState", "chat_state"), ("getChatState", "chat_state"),
  ("getUnreadByVisitorMessageCount", "unread_by_visitor_message_count"),
])
func `an unknown name brings the nearest one to mind`(said: String, meant: String) {
  #expect(vocabulary.unknownName(said).message == "actor has no \"\(said)\"; did you mean \"\(meant)\"?")
}

@Test func `a name that is like nothing gets no suggestion`() {
  #expect(NearestWord.find("teleport", among: vocabulary.methods) == nil)
  #expect(NearestWord.find("", among: ["ab"]) == "ab")
}

@Test(arguments: [
  ("a,b\n1,2\n", [["a": "1", "b": "2"]]),
  ("a,b\r\n1,2\r\n\r\n3,4", [["a": "1", "b": "2"], ["a": "3", "b": "4"]]),
  (
    "name,note\nAnna,\"says \"\"hi\"\", twice\nand more\"",
    [["name": "Anna", "note": "says \"hi\", twice\nand more"]]
  ),
  ("a,b\n1\n", [["a": "1"]]),
  ("a\n\"\"\n", []),
  ("\u{FEFF}a,b\n\u{FEFF}1,2\n", [["a": "\u{FEFF}1", "b": "2"]]),
  ("", []),
])
func `comma-separated values are rows by name`(text: String, rows: [[String: String]]) {
  #expect(CSVRows(text).rows == rows)
}

@Test(arguments: ["../secret", "/etc/passwd", "a/../../b", "", ".", "a/..", "a\u{0}b"])
func `a path that leads out is refused`(path: String) {
  #expect(throws: ScriptError.self) { try ProjectPath(path, word: "read") }
}

@Test func `a path below the folder is taken in its plain form`() throws {
  #expect(try ProjectPath("./data//users.csv", word: "read").relative == "data/users.csv")
  #expect(
    try ProjectPath.module("helpers.survey").map(\.relative)
      == ["helpers/survey.lua", "helpers/survey/init.lua"])
  #expect(throws: ScriptError.self) { try ProjectPath.module("..secret") }
  #expect(throws: ScriptError.self) { try ProjectPath.module("/etc/passwd") }
}

@Test func `turns agree by words and arguments, and a difference names both`() throws {
  var journal = TurnDigest()
  journal.append(word: "say", line: 3, arguments: "[\"Hello\"]")
  var moved = TurnDigest()
  moved.append(word: "say", line: 4, arguments: "[\"Hello\"]")
  #expect(moved.difference(from: journal) == nil)

  var other = TurnDigest()
  other.append(word: "press", line: 3, arguments: "[]")
  let difference = try #require(other.difference(from: journal))
  #expect(difference.message == "the journal has say at line 3, the script now asks press at line 3")
  #expect(difference.line == 3)
  #expect(
    TurnDigest().difference(from: journal)?.message
      == "the journal has say at line 3, the script now asks nothing")
  #expect(
    journal.difference(from: TurnDigest())?.message
      == "the journal has nothing more in this turn, the script now asks say at line 3")

  var changed = TurnDigest()
  changed.append(word: "say", line: 3, arguments: "[\"Bye\"]")
  #expect(
    changed.difference(from: journal)?.message
      == "the journal has say at line 3, the script now asks it with other arguments")
  #expect(TurnDigest(journal.description) == journal)
}

@Test func `a turn of many requests has a short digest that tells them all apart`() {
  var digests: Set<String> = []
  for odd in 0..<40 {
    var digest = TurnDigest()
    for request in 0..<40 { digest.append(word: "say", line: 1, arguments: request == odd ? "x" : "y") }
    #expect(digest.entries.count == 16)
    digests.insert(digest.description)
  }
  #expect(digests.count == 40)
}
