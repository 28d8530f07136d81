import Chat
import JSON
import TestSupport
import Testing

@Suite struct FieldTableTests {
  /// The names that each thing's JSON uses, gathered from many random values.
  static let written: [String: Set<String>] = {
    var generator = SeededGenerator(seed: 1)
    var names: [String: Set<String>] = [:]
    func gather(_ thing: String, _ value: some JSONCoded) {
      // Were it no JSON, its names would be missing and the test red.
      guard let node = try? JSONNode(parsing: value.json(.script)) else { return }
      names[thing, default: []].formUnion(node.members.map(\.key))
    }
    for _ in 0..<300 {
      gather("message", generator.message())
      gather("keyboard", generator.keyboard())
      gather("button", generator.button())
      gather("keyboard_response", KeyboardResponse(button: generator.button(), requestMessageID: "m"))
      gather("quote", generator.quote())
      gather("attachment", generator.attachment())
      gather("operator", generator.person())
      gather("department", generator.department())
      gather("survey", generator.survey())
      gather("form", Survey.Form(id: 1, questions: []))
      gather("question", Survey.Question(kind: .radio, text: ""))
      gather("error", generator.actionError())
    }
    return names
  }()

  /// What a script's own place adds to an error; the tests of bots hold the table to what really crosses into
  /// Lua.
  private static let added: [String: Set<String>] = ["error": ["report", "source", "line"]]

  @Test(arguments: FieldTable.all.map(\.thing))
  func `the table lists exactly the fields that are written`(thing: String) throws {
    let table = try #require(FieldTable.named(thing))
    #expect(Set(table.fields.map(\.name)).subtracting(Self.added[thing] ?? []) == Self.written[thing])
    #expect(Set(table.fields.map(\.name)).count == table.fields.count)
  }

  @Test func `every meaning is one line that says something`() {
    for field in FieldTable.all.flatMap(\.fields) {
      #expect(field.meaning.count > 5 && !field.meaning.contains("\n"), "\(field.name)")
    }
  }
}
