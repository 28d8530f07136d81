import Chat
import Commands
import Hosting
import Script
import Testing

/// What a peer's numbers and times do to what people read.
struct TranscriptTests {
  private static func lines(_ what: VisitReport.What, at now: Double = 12) -> [String] {
    let spec = VisitSpec(
      visitor: "alice", bot: BotSource(name: "bot.lua", text: []), account: "http://demo", seed: 1, salt: 1,
      deviceID: "d")
    let terminal = Terminal(output: { _ in }, diagnostics: { _ in })
    let transcript = Transcript(start: 10, visitors: ["alice"], terminal: terminal)
    return transcript.lines(of: VisitReport(spec, at: now, what))
  }

  @Test(arguments: [
    (1, "★"), (5, "★★★★★"), (0, "0"), (6, "6"), (-2, "-2"), (900_000_000_003, "900000000003"),
    (Int.max, "9223372036854775807"), (Int.min, "-9223372036854775808"),
  ])
  func `a rating is drawn, and a number that is none stands as a number`(stars: Int, drawn: String) throws {
    let line = try #require(Self.lines(.event(.rated(operatorID: "33", stars: stars))).first)
    #expect(line == "   2.00  rated         " + drawn)
  }

  @Test(arguments: [Int.min, -1, 0, 6, Int.max], [-1e300, 0, 1e300, .infinity])
  func `no number of a peer's or of a script's ends the process`(number: Int, time: Double) {
    for event: ChatEvent in [
      .rated(operatorID: "", stars: number), .resolved(operatorID: "", answer: number), .unreadCount(number),
      .unreadByOperator(since: time), .unreadByVisitor(since: time),
    ] {
      #expect(Self.lines(.event(event)).count <= 1)
    }
    #expect(Self.lines(.metric(name: "m", value: time, unit: "")).count == 1)
    #expect(Self.lines(.step(name: "s", seconds: time)).count == 1)
    #expect(Self.lines(.log("late"), at: time).count == 1)
  }

  @Test(arguments: [-1e300, -1, .nan, .infinity, 1e300, 253_402_300_800])
  func `a moment that no calendar has is shown as one that it has`(at: Double) {
    #expect(Moment.iso(at).count == "1970-01-01T00:00:00.000Z".count)
    #expect(Moment.clock(at).count == "00:00:00.000".count)
    #expect(!Moment.day(at).isEmpty)
  }

  @Test func `a stranger's long text does not widen the other rows of its column`() {
    let console = Written()
    let terminal = Terminal(output: { console.bytes += $0 }, diagnostics: { _ in })
    let name = String(repeating: "x", count: 10_000)
    let rows: [[Report.Cell]] =
      [[.text(name), .text("a")]] + (0..<100).map { [.text("short"), .integer($0)] }
    Report(columns: ["operator", "value"], rows: rows, whenEmpty: "").print(as: .pretty, to: terminal)
    #expect(console.bytes.count < 10_000 + 102 * 100)
  }

  // Written and read by the test's thread alone.
  private final class Written: @unchecked Sendable {
    var bytes: [UInt8] = []
  }
}
