import Commands
import Glibc
import JSON
import Store
import TestSupport
import Testing

struct HistoryTests {
  private let scratch = Scratch()
  private let console = Console()

  private var path: String { scratch.path("visitant.db") }

  /// Two visitors: one whose visit went well and who was met by ill-behaved text, one who was cut short.
  private func fill() throws {
    let store = try Store.open(path)
    let run = try store.beginRun(
      RunStart(command: "run", account: "demo", bots: "a.lua", visitors: 2, seed: 7, at: 1_000))
    let alice = try store.beginVisit(start("alice", run: run))
    var unit = CommitUnit(visit: alice)
    unit.messages = [
      message("m1", origin: "visitor", sender: "", text: "Where is it?", at: 10),
      message(
        "m2", origin: "operator", sender: "Anna", text: "Line one,\nline \"two\" \u{1B}[31mred", at: 11),
    ]
    unit.chats = [ChatRow(id: "7", state: "closed_by_operator", openedAt: 9, closedAt: 12)]
    unit.ratings = [RatingRow(operatorID: "33", operatorName: "Anna", value: 5, note: "kind", at: 12)]
    unit.surveyAnswers = [
      SurveyAnswerRow(survey: "s", form: "quality", question: "Solved?", answer: "yes", at: 13)
    ]
    unit.end = VisitEnd(at: 14, reason: "script returned", status: 0)
    try store.commit(unit)
    _ = try store.beginVisit(start("bob", run: run))
    try store.endRun(run, RunEnd(at: 20, status: 0))
    store.close()
  }

  private func start(_ visitor: String, run: Int64) -> VisitStart {
    let key = VisitKey(account: "demo", dialect: "webim", location: "mobile", visitor: visitor)
    return VisitStart(key: key, run: run, bot: "a.lua", seed: 7, at: 1_000)
  }

  private func message(_ id: String, origin: String, sender: String, text: String, at: Int64) -> MessageRow {
    MessageRow(
      id: id, serverID: "s\(id)", chatID: "7", kind: origin, origin: origin, sender: sender, text: text,
      timestamp: at * 1_000_000, json: [])
  }

  private func lines(_ words: String...) throws -> [Substring] {
    try fill()
    #expect(console.run(["history", "--store", path] + words) == 0)
    return console.output.split(separator: "\n")
  }

  @Test func `without a word it lists the visitors`() throws {
    let lines = try lines()
    #expect(lines.count == 3)
    #expect(lines[0].hasPrefix("visitor"))
    #expect(lines[1].hasPrefix("alice") && lines[1].contains("script returned"))
    #expect(lines[2].hasPrefix("bob") && lines[2].contains("unfinished"))
  }

  @Test func `a visitor's conversation reads like one, and steers no terminal`() throws {
    let text = try lines("alice").joined(separator: "\n")
    #expect(text.contains("alice  Where is it?"))
    #expect(text.contains("Anna   Line one,⏎line \"two\" \u{FFFD}[31mred"))
    #expect(text.contains("closed_by_operator"))
    #expect(!text.contains("\u{1B}"))
  }

  @Test func `as JSON each row is an object on a line`() throws {
    let rows = try lines("alice", "--format=json").map { try JSONNode(parsing: String($0)) }
    #expect(rows.map { $0["text"]?.string } == ["Where is it?", "Line one,\nline \"two\" \u{1B}[31mred"])
    #expect(rows.map { $0["at"]?.number } == [10, 11])
    #expect(rows.map { $0["from"]?.string } == ["visitor", "operator"])
  }

  @Test func `as CSV what needs quotes has them`() throws {
    _ = try lines("alice", "--format", "csv")
    #expect(console.output.hasPrefix("at,visitor,account,chat,from,sender,kind,text,id,server_id\n"))
    #expect(console.output.contains("1970-01-01T00:00:11.000Z,alice,demo,7,operator,Anna,operator,"))
    #expect(console.output.contains("\"Line one,\nline \"\"two\"\" \u{FFFD}[31mred\",m2,sm2\n"))
  }

  @Test(arguments: [
    ("a\u{1B}]0;title\u{7}b", "a\u{FFFD}]0;title\u{FFFD}b"), ("over\rwritten", "over\u{FFFD}written"),
    ("one\r\ntwo", "\"one\ntwo\""), ("tab\there", "tab\there"), ("\u{9B}2J\u{7F}", "\u{FFFD}2J\u{FFFD}"),
    ("=1+1", "=1+1"), ("\u{0}", "\u{FFFD}"),
  ])
  func `as CSV a stranger's text steers no terminal and is else what was written`(
    text: String, cell: String
  ) {
    let report = Report(columns: ["text", "end"], rows: [[.text(text), .text("x")]], whenEmpty: "")
    let said = Said()
    report.print(
      as: .csv, to: Terminal(output: { said.bytes += $0 }, diagnostics: { _ in }))
    #expect(String(decoding: said.bytes, as: UTF8.self) == "text,end\n\(cell),x\n")
  }

  // The report is printed on the test's own thread.
  private final class Said: @unchecked Sendable {
    var bytes: [UInt8] = []
  }

  @Test(arguments: [
    ("--ratings", "\"operator\":\"Anna\""), ("--surveys", "\"answer\":\"yes\""), ("--runs", "\"seed\":\"7\""),
  ])
  func `ratings, surveys and runs have a view each`(view: String, part: String) throws {
    let lines = try lines(view, "--format", "json")
    #expect(lines.count == 1 && lines[0].contains(part))
  }

  @Test func `a view is narrowed to a visitor`() throws {
    let lines = try lines("bob", "--ratings")
    #expect(lines == ["No rating yet."])
  }

  @Test func `an unknown visitor is status 2 and names the nearest`() throws {
    try fill()
    #expect(console.run("history", "alise", "--store", path) == 2)
    #expect(console.diagnostics.contains("did you mean alice?"))
  }

  @Test func `a missing store is status 2 and is not made`() throws {
    #expect(console.run("history", "--store", path) == 2)
    #expect(console.diagnostics.contains(path) && console.diagnostics.contains("--store FILE"))
    #expect(names(in: scratch.folder) == [])
  }

  @Test func `a file of something else is status 5 and is left alone`() throws {
    let text = Array(String(repeating: "no database at all ", count: 50).utf8)
    write(text, to: path)
    #expect(console.run("history", "--store", path) == 5)
    #expect(contents(of: path) == text)
  }

  @Test(arguments: [["history"], ["run", "bot.lua"]])
  func `a store that is no file is status 2 and named, and nobody waits`(words: [String]) async throws {
    let results = try await onOwnThread {
      let folder = Scratch()
      write(Array("return function() end".utf8), to: folder.path("bot.lua"))
      mkfifo(folder.path("fifo"), 0o600)
      return try ["fifo", ".", "/dev/null"].map { path in
        (path, try Binary(words + ["--store", path], in: folder).result())
      }
    }
    for (path, result) in results {
      #expect(result.status == 2)
      #expect(result.diagnostics.contains("store \(path): a store is a file"), "\(result.diagnostics)")
    }
  }

  @Test func `where no store can be made it is status 5, where none is it is status 2`() async throws {
    let (written, read) = try await onOwnThread {
      let folder = Scratch()
      write(Array("return function() end".utf8), to: folder.path("bot.lua"))
      return (
        try Binary.run("run", "bot.lua", "--store", "/proc/x.db", in: folder),
        try Binary.run("history", "--store", "/proc/x.db", in: folder)
      )
    }
    #expect(written.status == 5 && written.diagnostics.contains("/proc/x.db"), "\(written.diagnostics)")
    #expect(read.status == 2 && read.diagnostics.contains("/proc/x.db"), "\(read.diagnostics)")
  }

  @Test func `it reads while a writer holds the store`() throws {
    try fill()
    let store = try Store.open(path)
    let result = try Binary.run("history", "--store", path, in: scratch)
    #expect(result.status == 0 && result.output.contains("alice"))
    store.close()
  }

  @Test func `the store of the project is the one that is read without a word`() throws {
    #expect(try Binary.run("history", in: scratch).diagnostics.contains(".visitant/visitant.db"))
    write(
      Array("return { store = \"visitant.db\", format = \"csv\" }".utf8), to: scratch.path("visitant.lua"))
    try fill()
    let result = try Binary.run("history", "--runs", in: scratch)
    #expect(result.output.hasPrefix("run,command,account"))
    // A flag wins over the file.
    #expect(try Binary.run("history", "--runs", "--format", "json", in: scratch).output.hasPrefix("{"))
  }

  @Test(arguments: [
    ("return { stor = \"x\" }", "did you mean store?"),
    ("return { format = \"yaml\" }", "visitant.lua: --format yaml"),
    ("return {", "visitant.lua"), ("return 5", "no table"),
    ("return { store = { \"a\", \"b\" } }", "one value"),
    ("return os.execute('x')", "visitant.lua"), ("while true do end", "visitant.lua"),
  ])
  func `a wrong settings file is status 2 and says what is wrong`(text: String, part: String) throws {
    write(Array(text.utf8), to: scratch.path("visitant.lua"))
    let result = try Binary.run("history", in: scratch)
    #expect(result.status == 2)
    #expect(result.diagnostics.contains(part))
  }
}
