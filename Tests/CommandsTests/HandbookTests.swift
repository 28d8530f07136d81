import Bot
import Chat
import Commands
import Dialects
import JSON
import Lua
import Rehearsal
import Script
import TestSupport
import Testing

/// The handbook is written by hand; the tables that the Lua API is made of say what has to stand in it.
struct HandbookTests {
  private let handbook = Handbook()

  @Test func `every method of visitor has its row, and every row is one`() {
    let rows = handbook.names("Actions", "Reading messages", "Waits", "Time, checks and measures")
    let later = Vocabulary.bot.words.filter { $0.role == .later }.map(\.name)
    #expect(rows == Set(Vocabulary.bot.methods).subtracting(later))
  }

  @Test func `every word that comes later is named`() {
    let later = Vocabulary.bot.words.filter { $0.role == .later }.map(\.name)
    let listeners = Vocabulary.bot.laterListeners.map { "on_\($0)" }
    #expect(Set(later + listeners).subtracting(handbook.words(in: "What comes later")) == [])
  }

  @Test(arguments: [
    (Vocabulary.bot, ["Actions", "Reading messages"]), (Vocabulary.desk, ["The desk"]),
    (Vocabulary.deskChat, ["The chat"]),
  ])
  func `the row of a word names its arguments and options`(vocabulary: Vocabulary, headings: [String]) {
    let rows = handbook.rows(headings)
    for word in vocabulary.words where word.role != .later && word.name != "fault" {
      let row = rows.first { $0.names.first == word.name }?.text ?? ""
      for parameter in word.parameters + word.options {
        #expect(row.contains(parameter.name), "\(word.name): \(parameter.name)")
      }
      #expect(word.alias.map { row.contains("`\($0)`") } ?? true, "\(word.name)")
    }
  }

  @Test func `every handler has its row with its arguments, and every row is one`() {
    let rows = handbook.rows("Handlers")
    #expect(Set(rows.flatMap(\.names)) == Set(Vocabulary.bot.listeners.map { "on_\($0.name)" }))
    for listener in Vocabulary.bot.listeners {
      let row = rows.first { $0.names.contains("on_\(listener.name)") }?.text ?? ""
      for argument in listener.arguments { #expect(row.contains("`\(argument)`"), "\(listener.name)") }
    }
  }

  @Test func `every field of visitor has its row, and every row is one`() {
    #expect(handbook.names("Fields of visitor") == Set(Vocabulary.bot.fields))
  }

  @Test func `every key of a filter has its row, and every row is one`() {
    #expect(handbook.names("Filters") == Set(Filter.keys))
  }

  @Test(arguments: FieldTable.all.map(\.thing))
  func `every field of a thing has its row`(thing: String) throws {
    let table = try #require(FieldTable.named(thing))
    #expect(Set(table.fields.map(\.name)).subtracting(handbook.names(thing)) == [])
  }

  @Test func `every word of desk and chat has its row, and every row is one`() {
    #expect(handbook.names("The desk") == Set(Vocabulary.desk.methods))
    #expect(handbook.names("The chat") == Set(Vocabulary.deskChat.methods))
    #expect(handbook.names("Fields of chat") == Set(Vocabulary.deskChat.fields))
    #expect(handbook.names("Fields of desk") == Set(Vocabulary.desk.fields))
    #expect(handbook.names("Handlers of a desk") == Set(Vocabulary.desk.listeners.map { "on_\($0.name)" }))
  }

  @Test func `every key of a fault has its row, and every row is one`() throws {
    let fault = try #require(Vocabulary.desk.spec("fault"))
    #expect(handbook.names("Faults") == Set(fault.options.map(\.name)))
  }

  @Test func `every word by which the service refuses has its row and its code`() {
    let rows = handbook.rows("Codes of the service")
    for refusal in ErrorCode.all {
      let row = rows.first { $0.names.first == refusal.name }?.text ?? ""
      #expect(row.contains("`\(refusal.word)`"), "\(refusal.name)")
    }
  }

  @Test func `every member of the module has its row, and every row is one`() throws {
    let members = try moduleMembers()
    #expect(members.count > 8)
    #expect(handbook.names("The module visitant") == Set(members))
  }

  /// Asks the module itself.
  private func moduleMembers() throws -> [String] {
    let source = "local words = {} for word in pairs(visitant) do words[#words + 1] = word end return words"
    let runner = try ScriptRunner(
      source: Array(source.utf8), name: "words", preludes: [], vocabulary: .bot,
      options: ScriptRunner.Options())
    runner.load()
    for case .returned(_, let values) in runner.run(now: 0) {
      return try JSONNode(parsing: values).elements.first?.elements.compactMap(\.string) ?? []
    }
    return []
  }

  @Test func `every sample compiles and says only what there is`() throws {
    let samples = handbook.samples
    #expect(samples.count >= 10)
    let scratch = Scratch()
    for sample in samples {
      let source = Array(sample.source.utf8)
      #expect(throws: Never.self, "\(sample)") {
        try LuaState(budget: .run, seed: 0).load(source, name: sample.description)
      }
      let console = Console()
      write(source, to: scratch.path("sample.lua"))
      #expect(console.run("check", scratch.path("sample.lua")) == 0, "\(sample) \(console.output)")
    }
  }

  @Test func `a line of prose keeps to 110 columns`() {
    for line in handbook.prose { #expect(line.count <= 110, "\(line)") }
  }
}
