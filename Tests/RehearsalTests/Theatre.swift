import Rehearsal
import Script
import TestSupport
import Testing
import Transport

/// Where a rehearsal's visitors talk to it.
enum Ground: CaseIterable, Sendable {
  /// In memory, on a manual clock.
  case memory
  /// Over sockets, in real time.
  case loopback
}

/// A rehearsal with visitors by hand; a test's body runs on its thread.
actor Theatre {
  /// The thread; in memory the clock is a manual one all the same.
  nonisolated let thread: PollLoop
  let ground: Ground
  private(set) var reports: [RehearsalReport] = []
  private var manual: ManualLoop?
  private var running: (service: RehearsalService, listener: HTTPListener?)?
  private var visitors: [WireVisitor] = []

  nonisolated var unownedExecutor: UnownedSerialExecutor { thread.asUnownedSerialExecutor() }

  init(thread: PollLoop, ground: Ground) {
    self.thread = thread
    self.ground = ground
  }

  var loop: any Loop { manual ?? thread }

  func open(_ desk: DeskSource, settings: RehearsalSettings, seed: UInt64) throws {
    if ground == .memory { manual = ManualLoop() }
    let service = try RehearsalService(loop: loop, desk: desk, settings: settings, seed: seed) { report in
      self.assumeIsolated { $0.reports.append(report) }
    }
    running = (
      service, ground == .loopback ? try HTTPListener(loop: thread, responder: service) : nil
    )
  }

  func close() {
    for visitor in visitors { visitor.leave() }
    running?.service.stop()
    running?.listener?.close()
  }

  var service: RehearsalService {
    get throws { try #require(running?.service) }
  }

  var statistics: RehearsalStatistics { running?.service.statistics ?? RehearsalStatistics() }

  func link() throws -> any Link {
    if let listener = running?.listener { return CurlLink(loop: thread, base: listener.url) }
    return MemoryLink(loop: loop, responder: try service)
  }

  /// A visitor who has opened a session and polls.
  func visitor(_ device: String = "device") throws -> WireVisitor {
    let visitor = WireVisitor(device: device, link: try link(), loop: loop)
    visitors.append(visitor)
    visitor.open()
    return visitor
  }

  /// Waits for a condition: for two minutes of a manual clock, or as long as the loop can be expected to need.
  func until(
    _ condition: @escaping () -> Bool, sourceLocation: SourceLocation = #_sourceLocation
  ) async throws {
    if let manual {
      let holds = manual.runUntil(within: 120, condition)
      try #require(holds, sourceLocation: sourceLocation)
      return
    }
    let holds = await thread.comes(toHold: condition)
    try #require(holds, sourceLocation: sourceLocation)
  }

  /// Lets everything settle for so many seconds of the clock.
  func rest(_ seconds: Double) async throws {
    let end = loop.now + seconds
    if let manual { manual.advance(by: seconds) } else { try await until { self.thread.now >= end } }
  }

  var logged: [String] {
    reports.compactMap { if case .log(let text) = $0.event { text } else { nil } }
  }

  var failures: [ScriptFailure] {
    reports.compactMap { if case .failure(let failure) = $0.event { failure } else { nil } }
  }
}

/// Runs a test's body in a theatre of its own.
///
/// - Parameter desk: The inside of the function that a desk's file returns; nil plays the built-in desk.
func rehearse(
  _ ground: Ground = .memory, desk: String?, hold: Double = 25, seed: UInt64 = 1,
  _ body: @Sendable (isolated Theatre) async throws -> Void
) async throws {
  var settings = RehearsalSettings()
  settings.hold = hold
  settings.keepsStatistics = true
  let source: DeskSource =
    desk.map { text in
      .script(source: Array("return function(desk)\n\(text)\nend".utf8), name: "desk.lua", folder: nil)
    } ?? .builtIn
  try await rehearse(ground, source: source, settings: settings, seed: seed, body)
}

func rehearse(
  _ ground: Ground, source: DeskSource, settings: RehearsalSettings = RehearsalSettings(), seed: UInt64 = 1,
  _ body: @Sendable (isolated Theatre) async throws -> Void
) async throws {
  let thread = PollLoop(name: "theatre")
  thread.start()
  defer { thread.stop() }
  let theatre = Theatre(thread: thread, ground: ground)
  do {
    try await theatre.open(source, settings: settings, seed: seed)
    try await body(theatre)
  } catch {
    await theatre.close()
    throw error
  }
  await theatre.close()
}
