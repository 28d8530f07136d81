import Bot
import Chat
import Dialects
import Hosting
import Rehearsal
import Script
import Store
import TestSupport
import Testing
import Transport

/// A rehearsal in memory on a manual clock, and visitors of it.
final class Stage {
  let loop = ManualLoop()
  let service: RehearsalService
  /// What the user lets bots see.
  var access = ScriptAccess()
  private(set) var reports: [VisitReport] = []
  private(set) var outcomes: [Int: VisitOutcome] = [:]
  private var visitors: [Int: Visitor] = [:]

  /// - Parameter desk: A desk's text; nil for the built-in one.
  init(desk: String? = nil, seed: UInt64 = 1) throws {
    var settings = RehearsalSettings()
    settings.keepsStatistics = true
    let source =
      desk.map { DeskSource.script(source: Array($0.utf8), name: "desk.lua", folder: nil) } ?? .builtIn
    service = try RehearsalService(loop: loop, desk: source, settings: settings, seed: seed)
  }

  /// Begins a visit.
  @discardableResult
  func visit(
    _ spec: VisitSpec, journal: (any Journal)? = nil, environment: [String: String?] = [:]
  ) -> Visitor? {
    do {
      let visitor = try Visitor(
        spec, loop: loop, link: MemoryLink(loop: loop, responder: service),
        journal: journal ?? NoJournal(loop: loop),
        files: ScriptFiles(project: ".", script: spec.bot.name, access: allowed(environment)),
        report: { [weak self] in self?.reports.append($0) },
        ended: { [weak self] in self?.outcomes[spec.index] = $0 })
      visitors[spec.index] = visitor
      visitor.start()
      return visitor
    } catch {
      outcomes[spec.index] = .failed(error)
      return nil
    }
  }

  private func allowed(_ environment: [String: String?]) -> ScriptAccess {
    var access = access
    access.environment.merge(environment) { $1 }
    return access
  }

  func visit(_ bot: String, limits: VisitLimits = VisitLimits()) {
    var spec = Self.spec(bot, index: visitors.count + 1)
    spec.limits = limits
    visit(spec)
  }

  /// Runs until every visit has ended.
  @discardableResult
  func run(within seconds: Double = 600) -> Bool {
    loop.runUntil(within: seconds) { outcomes.count == visitors.count }
  }

  /// Lets go of everything of a visitor at once, as a killed process does.
  func kill(_ index: Int) {
    visitors[index] = nil
  }

  static func spec(_ bot: String, index: Int = 1, seed: UInt64 = 7) -> VisitSpec {
    var spec = VisitSpec(
      visitor: "visitor-\(index)", bot: BotSource(name: "bot.lua", text: Array(bot.utf8)),
      account: "http://memory", seed: seed &+ UInt64(index), salt: UInt64(index) << 32 | seed,
      deviceID: "device-\(index)-\(seed)")
    spec.index = index
    spec.visit = Int64(index)
    return spec
  }

  /// What the bots logged, in order.
  var logs: [String] {
    reports.compactMap { if case .log(let text) = $0.what { text } else { nil } }
  }

  /// The texts of the desk's and the visitors' messages as they took effect, with who wrote them.
  var spoken: [String] { service.statistics.messages.map { "\($0.kind): \($0.text)" } }
}

/// A bot of the project's own.
func bot(_ name: String) throws -> String {
  let bytes = try #require(ScriptFiles.read(Project.path("bots/\(name).lua")))
  return String(decoding: bytes, as: UTF8.self)
}
