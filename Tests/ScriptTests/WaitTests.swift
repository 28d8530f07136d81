import JSON
import Lua
import Script
import TestSupport
import Testing

private func wait(
  _ filters: [JSONValue], _ mode: Wait.Mode = .one, standing: Bool = false, from sequence: Int = 0,
  in log: OccurrenceLog = OccurrenceLog(), event: String = "message"
) throws -> Wait {
  Wait(
    word: "expect_message", mode: mode,
    wants: try filters.map { json in
      if json == .bool(true) { return Wait.Want(filter: Filter(event: event), hasPredicate: true) }
      return Wait.Want(
        filter: try Filter(json: json, event: event, word: "expect_message", vocabulary: vocabulary))
    }, within: 5, isExpectation: true, takesStanding: standing,
    from: Wait.Cursor(sequence: sequence, at: 100), in: log)
}

private func log(_ texts: String..., from: String = "robot") -> OccurrenceLog {
  var log = OccurrenceLog()
  for (index, text) in texts.enumerated() {
    log.append(occurrence("message", from: from, text: text, id: text, at: 100 + Double(index)))
  }
  return log
}

extension Wait.Step {
  fileprivate var texts: [String]? {
    guard case .done(let matches) = self else { return nil }
    return matches.map { $0.occurrence.facts.text ?? "" }
  }
}

@Test func `what came early is found, what lies before the cursor is not`() throws {
  let log = log("one", "two", "three")
  var early = try wait([[:]], from: 1)
  #expect(try early.look(at: log).texts == ["two"])
  var late = try wait([[:]], from: 3)
  #expect(try late.look(at: log) == .waits)
}

@Test func `a wait goes on looking where it stopped`() throws {
  var log = log("one")
  var wait = try wait([["text": "two"]])
  #expect(try wait.look(at: log) == .waits)
  log.append(occurrence("message", from: "robot", text: "two"))
  #expect(try wait.look(at: log).texts == ["two"])
}

@Test func `after a message counts from that message, even before the cursor`() throws {
  let log = log("one", "two", "three")
  var wait = try wait([["after": "one"]], from: 3, in: log)
  #expect(try wait.look(at: log).texts == ["two"])
  var unknown = try Wait(
    word: "w", mode: .one,
    wants: [
      .init(filter: Filter(json: ["after": "?"], event: "message", word: "w", vocabulary: vocabulary))
    ], within: 1, isExpectation: false, from: .init(sequence: 2, at: 0), in: log)
  #expect(try unknown.look(at: log).texts == ["three"])
}

@Test func `the first of several wants is enough, and says which`() throws {
  var wait = try wait([["text": "x"], ["text": "two"]], .any)
  guard case .done(let matches) = try wait.look(at: log("one", "two")) else {
    Issue.record("nothing matched")
    return
  }
  #expect(matches.map(\.want) == [1])
}

@Test(arguments: [
  (["ab", "a"], ["a", "ab"]),
  (["a", "ab"], ["a", "ab"]),
  (["b", "ab", "a"], ["ab", "a"]),
])
func `each want gets an occurrence of its own, in whatever order`(
  texts: [String], expected: [String]
) throws {
  var log = OccurrenceLog()
  for text in texts { log.append(occurrence("message", from: "robot", text: text)) }
  // The first want takes any of the two: it has to leave the other its only one.
  let wants: [JSONValue] =
    expected == ["ab", "a"] ? [["contains": "ab"], ["text": "a"]] : [["contains": "a"], ["text": "ab"]]
  var wait = try wait(wants, .all)
  #expect(try wait.look(at: log).texts == expected)
}

@Test func `one occurrence does not meet two wants`() throws {
  var wait = try wait([["contains": "a"], ["contains": "a"]], .all)
  #expect(try wait.look(at: log("a")) == .waits)
  #expect(wait.report(from: log("a")).contains("what came instead:"))
}

/// Whether each want can have a message of its own that contains what it looks for.
private func canBeMet(_ wants: ArraySlice<String>, by texts: [String]) -> Bool {
  guard let want = wants.first else { return true }
  return texts.indices.contains { index in
    guard texts[index].contains(want) else { return false }
    var rest = texts
    rest.remove(at: index)
    return canBeMet(wants.dropFirst(), by: rest)
  }
}

@Test(arguments: 0..<100)
func `wants in any order are met as soon as they can be, by occurrences of their own`(seed: Int) throws {
  var random = SeededGenerator(seed: UInt64(seed))
  func word(_ count: ClosedRange<Int>) -> String {
    String(
      (0..<Int.random(in: count, using: &random)).compactMap { _ in "abcd".randomElement(using: &random) })
  }
  let wants = (0..<Int.random(in: 1...5, using: &random)).map { _ in word(1...1) }
  var wait = try wait(wants.map { ["contains": .string($0)] }, .all)
  var log = OccurrenceLog()
  var texts: [String] = []
  var found = Wait.Step.waits
  while found == .waits, texts.count < 40 {
    texts.append(word(0...3))
    log.append(occurrence("message", from: "robot", text: texts.last))
    found = try wait.look(at: log)
    #expect((found != .waits) == canBeMet(wants[...], by: texts))
  }
  guard case .done(let matches) = found else { return }
  #expect(matches.map(\.want) == Array(wants.indices))
  #expect(Set(matches.map(\.occurrence.sequence)).count == wants.count)
  for match in matches { #expect(match.occurrence.facts.text?.contains(wants[match.want]) == true) }
}

@Test func `a list that is never met keeps no more for all that comes`() throws {
  var wait = try wait([["contains": "a"], ["contains": "a"], ["text": "never"]], .all)
  var log = OccurrenceLog()
  var sizes: [Int] = []
  for index in 100..<900 {
    log.append(occurrence("message", from: "robot", text: "a\(index)"))
    #expect(try wait.look(at: log) == .waits)
    sizes.append("\(wait)".count)
  }
  #expect(sizes.allSatisfy { $0 < sizes[10] + 20 })
  #expect(wait.report(from: log).contains("still missing: a message with the text \"never\""))
}

@Test func `of two equal wants the one that nothing came for is missing`() throws {
  var wait = try wait([["contains": "a"], ["contains": "a"]], .all)
  let log = log("a")
  #expect(try wait.look(at: log) == .waits)
  #expect(wait.report(from: log).components("still missing") == 1)
}

extension String {
  fileprivate func components(_ part: String) -> Int { ranges(of: part).count }
}

@Test func `a predicate is asked of each candidate and only of those`() throws {
  let log = log("one", "two")
  var wait = try wait([true])
  guard case .asks(let first) = try wait.look(at: log) else {
    Issue.record("the predicate was not asked")
    return
  }
  #expect(first.occurrence.facts.text == "one")
  #expect(wait.judged(false) == nil)
  guard case .asks(let second) = try wait.look(at: log) else {
    Issue.record("the predicate was not asked again")
    return
  }
  #expect(second.occurrence.facts.text == "two")
  #expect(wait.judged(true)?.texts == ["two"])
}

@Test func `a state that lasts counts though it began before the cursor`() throws {
  var log = OccurrenceLog()
  log.append(occurrence("chat_state", state: "chatting", lasts: true))
  var standing = try wait([["state": "chatting"]], standing: true, from: 1, event: "chat_state")
  #expect(try standing.look(at: log) != .waits)
  var event = try wait([["state": "chatting"]], from: 1, event: "chat_state")
  #expect(try event.look(at: log) == .waits)
  log.append(occurrence("chat_state", state: "closed", lasts: true))
  var gone = try wait([["state": "chatting"]], standing: true, from: 2, event: "chat_state")
  #expect(try gone.look(at: log) == .waits)
}

@Test func `a report tells what was awaited, what came with times, and what was nearest`() throws {
  var log = OccurrenceLog()
  log.append(occurrence("message", from: "robot", text: "Hello", at: 100.3))
  log.append(occurrence("chat_state", state: "queue", at: 100.9, lasts: true))
  log.append(occurrence("message", from: "operator", text: "Two\nlines", at: 101.25))
  var wait = try wait([["from": "operator", "contains": "on its way"]])
  #expect(try wait.look(at: log) == .waits)
  #expect(wait.expectation == "expected a message from operator that contains \"on its way\" within 5 s")
  #expect(
    wait.report(from: log) == """
      what came instead:
        +0.3 s  message from robot: "Hello"
        +0.9 s  chat_state from nobody: "queue"
        +1.3 s  message from operator: "Two\\nlines"
      nearest: +1.3 s  message from operator: "Two\\nlines": it is not one that contains "on its way"
      as it stands: chat_state from nobody: "queue"
      """)
}

@Test func `a report of silence says so`() throws {
  let wait = try wait([[:]])
  #expect(wait.report(from: OccurrenceLog()) == "nothing came instead")
}

@Test func `what stands is told with what has become of it, until it is gone`() throws {
  func change(_ id: String?, _ effect: Occurrence.Amendment.Effect) -> Occurrence {
    var change = occurrence("message", at: 1)
    change.amendment = Occurrence.Amendment(of: "keyboard", id: id, effect)
    return change
  }
  func standing(after changes: Occurrence...) -> String? {
    var log = OccurrenceLog()
    var keyboard = occurrence("keyboard", text: "Menu", id: "k", lasts: true)
    keyboard.otherID = "s-k"
    log.append(keyboard)
    for change in changes { log.append(change) }
    let wait = try? wait([[:]])
    return wait?.report(from: log).split(separator: "\n").last { $0.hasPrefix("as it stands") }.map(
      String.init)
  }
  let open = "as it stands: keyboard from nobody: \"Menu\""
  #expect(standing() == open)
  #expect(standing(after: change("k", .becomes(id: "k", fate: "cancelled"))) == open + " (cancelled)")
  #expect(standing(after: change("s-k", .meets(fate: "answered"))) == open + " (answered)")
  #expect(standing(after: change("other", .ends)) == open)
  #expect(standing(after: change("k", .meets(fate: "x")), change("k", .becomes(id: "k", fate: nil))) == open)
  #expect(standing(after: change("k", .becomes(id: "n", fate: nil)), change("n", .ends)) == nil)
  #expect(standing(after: change(nil, .ends)) == nil)
}

@Test func `the log is bounded and says what it has forgotten`() {
  var log = OccurrenceLog()
  for index in 1...1000 { log.append(occurrence("message", text: "\(index)")) }
  #expect(log.since(0, stream: 0).count == OccurrenceLog.capacity)
  #expect(log.hasForgotten(since: 0, stream: 0))
  #expect(!log.hasForgotten(since: 990, stream: 0))
  #expect(log.since(990, stream: 0).map(\.sequence) == Array(991...1000))
  log.trim(before: 1000, stream: 0)
  #expect(log.since(0, stream: 0).count == OccurrenceLog.kept)
  #expect(log.since(0, stream: 1).isEmpty)
}

/// Looking piece by piece finds what looking at all of it at once finds.
@Test(arguments: 0..<200)
func `a wait finds the same, however its events arrive`(seed: Int) throws {
  var random = SeededGenerator(seed: UInt64(seed))
  let words = ["a", "b", "ab", "c"]
  let occurrences = (0..<12).map { _ in
    occurrence(
      Bool.random(using: &random) ? "message" : "keyboard",
      from: Bool.random(using: &random) ? "robot" : "visitor", text: words.randomElement(using: &random))
  }
  let mode = [Wait.Mode.one, .any, .all, .none].randomElement(using: &random) ?? .one
  let filters: [JSONValue] = (0..<(mode == .one ? 1 : 3)).map { _ in
    ["contains": .string(words.randomElement(using: &random) ?? "a")]
  }
  var whole = OccurrenceLog()
  for occurrence in occurrences { whole.append(occurrence) }
  var atOnce = try wait(filters, mode)
  let expected = try atOnce.look(at: whole)

  var log = OccurrenceLog()
  var stepwise = try wait(filters, mode)
  var found = Wait.Step.waits
  for occurrence in occurrences where found == .waits {
    log.append(occurrence)
    if Bool.random(using: &random) { found = try stepwise.look(at: log) }
  }
  if found == .waits { found = try stepwise.look(at: log) }
  #expect(found.texts?.count == expected.texts?.count)
  if mode != .all { #expect(found == expected) }
}
