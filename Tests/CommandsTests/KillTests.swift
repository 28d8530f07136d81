import Glibc
import JSON
import TestSupport
import Testing

/// `kill -9` of the real binary at seeded moments of the main job, and `--resume`: at the desk nothing is lost and
/// nothing happens twice.
struct KillTests {
  /// What the desk has seen of one visitor.
  private struct Seen: Equatable {
    var messages: [String] = []
    var clientIDs: [String] = []
    var ratings: [Int] = []
    var answers: [String] = []
  }

  private static let kills = 200
  private static let atOnce = 8

  @Test func `two hundred killed visits go on as if nothing had happened`() throws {
    let folder = Scratch()
    let desk = try Binary(["serve", "--port", "0", "--format", "json", "--for", "15m"], in: folder)
    defer { kill(desk.process, SIGKILL) }
    let url = try Self.url(of: folder)
    var generator = SeededGenerator(seed: 20_261_130)
    let whole = try Self.visit(at: url)
    #expect(whole.status == 0, "\(whole.diagnostics)")
    let lines = whole.output.split(separator: "\n").count

    var moments = (0..<Self.kills).map { _ in Int.random(in: 0..<lines, using: &generator) }
    var number = 0
    while !moments.isEmpty {
      let group = moments.prefix(Self.atOnce).map { moment in
        number += 1
        return Killed(name: "visitor-\(number)", url: url, moment: moment)
      }
      moments.removeFirst(group.count)
      for visit in group { try visit.begin() }
      for visit in group { visit.killAtItsMoment() }
      for visit in group { try visit.resume() }
      for visit in group {
        let result = visit.result()
        #expect(result.status == 0, "\(visit.name), killed at line \(visit.moment): \(result.diagnostics)")
      }
    }

    kill(desk.process, SIGINT)
    _ = desk.result()
    let seen = try Self.seen(in: folder)
    let expected = try #require(seen.first { $0.messages.count >= 3 })
    // One that died with its end already kept begins a further visit, as another visitor.
    #expect(seen.count >= Self.kills + 1)
    for one in seen {
      #expect(one.messages == expected.messages)
      #expect(Set(one.clientIDs).count == one.clientIDs.count)
      #expect(one.ratings == [5])
      #expect(one.answers == expected.answers)
    }
  }

  // MARK: The desk

  private static func url(of folder: Scratch) throws -> String {
    for _ in 0..<200 {
      let text = String(decoding: contents(of: folder.path("stdout")), as: UTF8.self)
      if let end = text.firstIndex(of: "\n"),
        let url = try JSONNode(parsing: String(text[..<end]))["url"]?.string
      {
        return url
      }
      var nothing = pollfd()
      poll(&nothing, 0, 50)
    }
    throw NoDesk()
  }

  private struct NoDesk: Error {}

  private static func seen(in folder: Scratch) throws -> [Seen] {
    var visitors: [String: Seen] = [:]
    let text = String(decoding: contents(of: folder.path("stdout")), as: UTF8.self)
    for line in text.split(separator: "\n") {
      let node = try JSONNode(parsing: String(line))
      guard let visitor = node["visitor"]?.string else { continue }
      var seen = visitors[visitor] ?? Seen()
      switch node["event"]?.string {
      case "message" where node["kind"]?.string == "visitor":
        seen.messages.append(node["text"]?.string ?? "")
        seen.clientIDs.append(node["id"]?.string ?? "")
      case "rated": seen.ratings.append(node["stars"]?.integer ?? 0)
      case "survey_answered":
        seen.answers.append("\(node["question"]?.string ?? "") \(node["answer"]?.string ?? "")")
      default: break
      }
      visitors[visitor] = seen
    }
    // One that died before its first step was kept comes back as somebody else and has said nothing before.
    return visitors.values.filter { $0 != Seen() }
  }

  // MARK: The visits

  private static func arguments(_ url: String) -> [String] {
    let root = #filePath.split(separator: "/").dropLast(3).reduce("") { "\($0)/\($1)" }
    return [
      "run", "\(root)/bots/first_visit.lua", "--account", url, "--store", "store.db",
      "--format", "json", "--time-limit", "2m",
    ]
  }

  private static func visit(at url: String) throws -> Binary.Result {
    try Binary(arguments(url), in: Scratch()).result()
  }

  /// A visit that dies once its output has a given number of lines.
  private final class Killed {
    let name: String
    let moment: Int
    private let url: String
    private let folder = Scratch()
    private var binary: Binary?
    /// How it ended, if it was quicker than its death.
    private var ended: Binary.Result?

    init(name: String, url: String, moment: Int) {
      self.name = name
      self.url = url
      self.moment = moment
    }

    func begin() throws {
      binary = try Binary(KillTests.arguments(url), in: folder)
    }

    /// Returns early for a visit that has ended before its moment.
    func killAtItsMoment() {
      guard let binary else { return }
      let path = folder.path("stdout")
      while contents(of: path).count(where: { $0 == UInt8(ascii: "\n") }) < moment {
        var status: Int32 = 0
        if waitpid(binary.process, &status, WNOHANG) != 0 {
          ended = Binary.Result(status: status >> 8 & 0xFF, output: "", diagnostics: "ended by itself")
          return
        }
        var nothing = pollfd()
        poll(&nothing, 0, 1)
      }
      kill(binary.process, SIGKILL)
      _ = binary.result()
    }

    func resume() throws {
      guard ended == nil else { return }
      binary = try Binary(KillTests.arguments(url) + ["--resume"], in: folder)
    }

    func result() -> Binary.Result {
      ended ?? binary?.result() ?? Binary.Result(status: -1, output: "", diagnostics: "not begun")
    }
  }
}
