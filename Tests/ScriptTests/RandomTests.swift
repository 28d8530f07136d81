import JSON
import Script
import TestSupport
import Testing

/// What a wildcard means, said as slowly as it can be.
private func fits(_ pattern: Substring, _ text: Substring) -> Bool {
  guard let first = pattern.first else { return text.isEmpty }
  switch first {
  case "*":
    return fits(pattern.dropFirst(), text) || (!text.isEmpty && fits(pattern, text.dropFirst()))
  case "?": return !text.isEmpty && fits(pattern.dropFirst(), text.dropFirst())
  case "\\" where pattern.count > 1:
    let literal = pattern.dropFirst()
    return text.first == literal.first && fits(literal.dropFirst(), text.dropFirst())
  default: return text.first == first && fits(pattern.dropFirst(), text.dropFirst())
  }
}

private func word(_ letters: [Character], _ count: ClosedRange<Int>, _ random: inout SeededGenerator)
  -> String
{
  String(
    (0..<Int.random(in: count, using: &random)).compactMap { _ in letters.randomElement(using: &random) })
}

@Test func `like means what it says, for any pattern and text`() {
  var random = SeededGenerator(seed: 1)
  for _ in 0..<3000 {
    let pattern = word(["a", "b", "*", "?", "\\", "é", "\n"], 0...7, &random)
    let text = word(["a", "b", "*", "é", "\n"], 0...8, &random)
    let isMatch = Wildcard(pattern).matches(text)
    #expect(isMatch == fits(pattern[...], text[...]), "\(quoted(pattern)) on \(quoted(text))")
  }
}

@Test func `rows come back from the text that holds them`() {
  var random = SeededGenerator(seed: 2)
  for _ in 0..<300 {
    let rows = (0..<Int.random(in: 0...4, using: &random)).map { _ in
      ["a": word(["x", ",", "\"", "\n", " "], 1...5, &random), "b": word(["y", "\"", ","], 0...4, &random)]
    }
    var text = "a,b\n"
    for row in rows {
      for (index, name) in ["a", "b"].enumerated() {
        let quoted = (row[name] ?? "").split(separator: "\"", omittingEmptySubsequences: false)
        text += "\"\(quoted.joined(separator: "\"\""))\"" + (index == 0 ? "," : "\n")
      }
    }
    #expect(CSVRows(text).rows == rows)
  }
}

@Test func `no filter, call or digest that can be written traps`() {
  var random = SeededGenerator(seed: 3)
  func value(_ depth: Int) -> JSONValue {
    switch Int.random(in: 0..<(depth > 2 ? 5 : 7), using: &random) {
    case 0: .null
    case 1: .bool(Bool.random(using: &random))
    case 2: .integer(Int.random(in: -5...5, using: &random))
    case 3: .number(Double.random(in: -2...2, using: &random))
    case 4: .string(word(["a", "%", "[", "(", "*"], 0...4, &random))
    case 5: .array((0..<2).map { _ in value(depth + 1) })
    default:
      .object(
        (0..<2).map { _ in
          JSONValue.Member(
            (Filter.keys + ["$function", "id"]).randomElement(using: &random) ?? "", value(depth + 1))
        })
    }
  }
  let subject = occurrence("message", from: "robot", text: "a%[(", buttons: [.init(id: "1", text: "a")])
  for _ in 0..<3000 {
    let json = value(0)
    if let filter = try? Filter(json: json, event: "message", word: "w", vocabulary: vocabulary) {
      _ = try? filter.matches(subject)
      _ = filter.nearness(of: subject)
      #expect(!filter.description.isEmpty)
    }
    for spec in vocabulary.words { _ = try? spec.call(said: spec.name, [json, value(0)]) }
    _ = TurnDigest(json.text)
    _ = NearestWord.find(json.text, among: vocabulary.methods)
  }
}
