import Lua
import Rehearsal
import Script
import Transport

extension Command {
  static let serve = Command(
    CommandSpec(
      name: "serve", summary: "Rehearses the service on this machine, played by a desk script.",
      examples: ["visitant serve", "visitant serve examples/desks/parcel_desk.lua --port 8080"],
      operands: Operands("[DESK.lua]", 0...1, "at most one desk"),
      groups: [[.port, .bind, .dialect, .hold], [.seed, .runFormat, .allowRead, .allowEnv, .serveTime]],
      statuses: [
        (.success, "its time was over"), (.usage, "wrong usage"),
        (.host, "the address or port cannot be had"), (.script, "the desk failed"),
        (.interrupted, "interrupted"),
      ],
      notes: [
        "Its first line is the URL for `visitant run --account`. Without DESK.lua the built-in desk plays."
      ])
  ) { arguments, terminal throws(CommandFailure) in
    _ = try arguments.dialect()
    return try ServeSession(arguments, terminal).run()
  }
}

/// One rehearsal, until it is interrupted or its time is over.
private struct ServeSession {
  private let desk: DeskSource
  private let address: String
  private let port: Int
  private let seed: UInt64
  private let limit: Double?
  private let output: ServeOutput
  private var settings = RehearsalSettings()

  init(_ arguments: Arguments, _ terminal: Terminal) throws(CommandFailure) {
    desk =
      try arguments.operands.first.map { path throws(CommandFailure) in
        try DeskSource(path, access: try ScriptAccess(arguments))
      } ?? .builtIn
    address = arguments.text(.bind) ?? "127.0.0.1"
    port = arguments.integer(.port) ?? 0
    seed = arguments.seed()
    limit = arguments.seconds(.serveTime)
    settings.hold = arguments.seconds(.hold) ?? settings.hold
    output = ServeOutput(
      format: arguments.text(.runFormat).flatMap { RunPlan.Format(rawValue: $0) } ?? .pretty,
      terminal: terminal, start: wallClock())
  }

  func run() throws(CommandFailure) -> ExitStatus {
    let wakeup = try Wakeup()
    wakeup.watchSignals()
    Descriptors.raiseLimit()
    let reports = Mailbox<RehearsalReport>(waking: wakeup)
    let host = try start(reports)
    output.head(url: host.url, seed: seed)
    let clock = limit.map { seconds in
      let clock = PollLoop(name: "clock")
      _ = clock.schedule(after: seconds) { wakeup.wake(.over) }
      clock.start()
      return clock
    }
    var reason = wakeup.wait()
    while reason == .news {
      for report in reports.take() { output.show(report) }
      reason = wakeup.wait()
    }
    clock?.stop()
    let (statistics, failure) = host.stop()
    for report in reports.take() { output.show(report) }
    output.end(statistics)
    if failure != nil { return .script }
    return reason == .over ? .success : .interrupted
  }

  private func start(_ reports: Mailbox<RehearsalReport>) throws(CommandFailure) -> RehearsalHost {
    do {
      return try RehearsalHost(
        desk: desk, settings: settings, address: address, port: port, seed: seed,
        report: { reports.put($0) })
    } catch let error as ListenError {
      throw CommandFailure(.host, "\(error); choose another with --port or --bind")
    } catch {
      throw CommandFailure(.script, String(describing: error))
    }
  }
}
