import Foundation
import JSON
import TestSupport
import Testing

/// `kill -9` of the real binary at seeded moments of the main job, and `--resume`: at the desk nothing is
/// lost and nothing happens twice.
struct KillTests {
  /// What the desk has seen of one visitor.
  private struct Seen: Equatable, Sendable {
    var messages: [String] = []
    var clientIDs: [String] = []
    var ratings: [Int] = []
    var answers: [String] = []
  }

  private static let kills = 200
  private static let atOnce = 16

  /// What came of it.
  private struct Play: Sendable {
    var visits = 0
    /// Visits that were under way when the signal came.
    var kills = 0
    var failures: [String] = []
    var seen: [Seen] = []
  }

  @Test func `two hundred killed visits go on as if nothing had happened`() async throws {
    let play = try await onOwnThread { try Self.play() }
    #expect(play.failures == [])
    #expect(play.kills == Self.kills)
    let expected = try #require(play.seen.first)
    #expect(expected.messages.count == 3 && expected.ratings == [5] && expected.answers.count == 3)
    // One that died with its end already kept begins a further visit, as another visitor.
    #expect(play.seen.count >= play.visits + 1)
    for one in play.seen {
      #expect(one.messages == expected.messages)
      #expect(Set(one.clientIDs).count == one.clientIDs.count)
      #expect(one.ratings == expected.ratings)
      #expect(one.answers == expected.answers)
    }
  }

  /// What a kept visit shows: its message, and that a variable is asked for again.
  private static let marks = ["planted 9", #""again":""#]

  /// The journal of a killed visit stays in the file; no answer of the environment is in it, nor in its log.
  @Test func `a store that a killed visit leaves holds no secret of the environment`() async throws {
    let kept = try await onOwnThread {
      let folder = Scratch()
      let script = """
        return function(visitor)
          local key = visitant.env("KEY")
          visitor:say("planted " .. #key)
          visitor:sleep(600)
        end
        """
      write(Array(script.utf8), to: folder.path("bot.lua"))
      let desk = try Binary(["serve", "--port", "0", "--format", "json", "--for", "5m"], in: folder)
      defer { desk.kill() }
      let url = try Self.url(of: folder)
      let place = Scratch()
      let visit = try Binary(
        [
          "run", folder.path("bot.lua"), "--account", url, "--store", place.path("s.db"), "--allow-env",
          "KEY",
        ],
        in: Scratch(), environment: ["KEY": "SECRETKEY"])
      let file = { names(in: place.folder).flatMap { contents(of: place.path($0)) } }
      // Pages of a commit that is under way reach the file one by one.
      for _ in 0..<2_400 where !Self.marks.allSatisfy(file().contains(sequence:)) {
        var nothing = pollfd()
        poll(&nothing, 0, 50)
      }
      visit.kill()
      return file()
    }
    #expect(Self.marks.allSatisfy(kept.contains(sequence:)))
    #expect(!kept.contains(sequence: "SECRETKEY"))
  }

  private static func play() throws -> Play {
    let folder = Scratch()
    let desk = try Binary(["serve", "--port", "0", "--format", "json", "--for", "15m"], in: folder)
    defer { desk.kill() }
    let url = try url(of: folder)
    var generator = SeededGenerator(seed: 20_261_130)
    let whole = try visit(at: url)
    let lines = whole.output.split(separator: "\n").count
    var play = Play()
    if whole.status != 0 { play.failures.append("the whole visit: \(whole.diagnostics)") }

    // A visit may end before its moment: it is played again at another one, until all deaths have struck.
    while play.kills < kills, play.visits < 2 * kills {
      let group = (0..<min(atOnce, kills - play.kills)).map { _ in
        Killed(url: url, moment: Int.random(in: 0..<max(1, lines), using: &generator))
      }
      for visit in group { try visit.begin() }
      Killed.killAll(group)
      for visit in group where visit.hasBeenKilled { try visit.resume() }
      play.visits += group.count
      play.kills += group.count(where: \.hasBeenKilled)
      for visit in group {
        let result = visit.result()
        guard result.status != 0 else { continue }
        let last = result.output.split(separator: "\n").suffix(2).joined(separator: "\n")
        play.failures.append(
          "killed at line \(visit.moment): \(result.status) \(result.diagnostics)\n\(last)")
      }
    }
    desk.interrupt()
    _ = desk.result()
    play.seen = try seen(in: folder)
    return play
  }

  // MARK: The desk

  static func url(of folder: Scratch) throws -> String {
    for _ in 0..<2_400 {
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
    [
      "run", Project.path("bots/first_visit.lua"), "--account", url, "--store", "store.db",
      "--format", "json", "--time-limit", "2m",
    ]
  }

  private static func visit(at url: String) throws -> Binary.Result {
    try Binary(arguments(url), in: Scratch()).result()
  }

  /// A visit that dies once its output has a given number of lines.
  private final class Killed {
    let moment: Int
    private(set) var hasBeenKilled = false
    private let url: String
    private let folder = Scratch()
    private var binary: Binary?
    private var output: Int32 = -1
    private var lines = 0

    init(url: String, moment: Int) {
      self.url = url
      self.moment = moment
    }

    deinit { close(output) }

    func begin() throws {
      binary = try Binary(KillTests.arguments(url), in: folder)
    }

    /// Kills each at its own moment; lets those be that end before.
    static func killAll(_ group: [Killed]) {
      var waiting = group
      while !waiting.isEmpty {
        waiting.removeAll { $0.killIfItIsTime() }
        var nothing = pollfd()
        poll(&nothing, 0, 1)
      }
    }

    /// Whether there is nothing more to wait for.
    private func killIfItIsTime() -> Bool {
      guard let binary else { return true }
      guard countLines() >= moment else { return binary.poll() != nil }
      guard binary.poll() == nil else { return true }
      binary.kill()
      hasBeenKilled = binary.result().status == -SIGKILL
      return true
    }

    /// How many lines it has written so far.
    private func countLines() -> Int {
      if output < 0 { output = open(folder.path("stdout"), O_RDONLY | O_CLOEXEC) }
      var bytes = [UInt8](repeating: 0, count: 65_536)
      while output >= 0, case let count = read(output, &bytes, bytes.count), count > 0 {
        lines += bytes.prefix(count).count { $0 == UInt8(ascii: "\n") }
      }
      return lines
    }

    func resume() throws {
      binary = try Binary(KillTests.arguments(url) + ["--resume"], in: folder)
    }

    func result() -> Binary.Result {
      binary?.result() ?? Binary.Result(status: -1, output: "", diagnostics: "not begun")
    }
  }
}

extension [UInt8] {
  /// Whether a text stands anywhere in the bytes.
  fileprivate func contains(sequence text: String) -> Bool {
    Data(self).range(of: Data(text.utf8)) != nil
  }
}
