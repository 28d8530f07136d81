import Dialects
import Glibc
import Hosting
import JSON
import Rehearsal
import Script
import Store
import Transport

/// One run of `visitant run`: a rehearsal if nobody else is to be visited, the store, the shards, and the
/// end.
final class RunSession {
  private let plan: RunPlan
  private let wakeup: Wakeup
  private let reports: Mailbox<VisitReport>
  private let outcomes: Mailbox<VisitOutcome>
  /// What went wrong at the desk of a rehearsal in this process.
  private let troubles: Mailbox<ScriptFailure>
  private let output: RunOutput
  private var rehearsal: RehearsalHost?
  private var store: Store?
  private var runID: Int64?
  private var shards: [Shard] = []
  private var statuses: [ExitStatus] = []
  private var summary: RunSummary
  private let began: Double

  init(_ plan: RunPlan, terminal: Terminal) throws(CommandFailure) {
    self.plan = plan
    wakeup = try Wakeup()
    reports = Mailbox(waking: wakeup)
    outcomes = Mailbox(waking: wakeup)
    troubles = Mailbox(waking: wakeup)
    began = wallClock()
    output = RunOutput(plan, terminal: terminal, start: began)
    summary = RunSummary(seed: plan.seed, visitors: plan.visits.count)
  }

  /// Runs to the end and tells the exit status.
  func run() throws(CommandFailure) -> ExitStatus {
    wakeup.watchSignals()
    try countDescriptors()
    let specs: [VisitSpec]
    do throws(CommandFailure) {
      specs = try prepare()
    } catch {
      rehearsal?.stop()
      store?.close()
      throw error
    }
    begin(specs)
    waitForAll(specs.count)
    return finish()
  }
}

// MARK: - Before

extension RunSession {
  /// Says what is too many before anybody is visited.
  private func countDescriptors() throws(CommandFailure) {
    let limit = Descriptors.raiseLimit()
    let needed = Descriptors.needed(visitors: plan.visits.count, rehearsedHere: plan.account == nil)
    guard needed > limit else { return }
    throw CommandFailure(
      .host,
      "\(plan.visits.count) visitors need about \(needed) descriptors and this process may open \(limit): "
        + "raise the limit (ulimit -n), or run fewer of them"
        + (plan.account == nil ? ", or rehearse in a process of its own (visitant serve)" : ""))
  }

  private func prepare() throws(CommandFailure) -> [VisitSpec] {
    var account = plan.account
    do {
      if let path = plan.store { store = try Store.open(path) }
      if account == nil {
        try refuseLostRehearsal()
        let host = try startRehearsal()
        rehearsal = host
        account = host.url
      }
      output.head(plan, account: account ?? "", isRehearsal: rehearsal != nil)
      return try specs(account ?? "")
    } catch let error as CommandFailure {
      throw error
    } catch let error as StoreError {
      throw CommandFailure(error)
    } catch {
      throw CommandFailure(.usage, String(describing: error))
    }
  }

  private func startRehearsal() throws -> RehearsalHost {
    do {
      let troubles = troubles
      return try RehearsalHost(desk: plan.desk, seed: plan.seed) { report in
        if case .failure(let failure) = report.event { troubles.put(failure) }
      }
    } catch let error as ListenError {
      throw CommandFailure(.host, error.description)
    } catch {
      throw CommandFailure(.script, String(describing: error))
    }
  }

  /// A rehearsal inside the process died with it, and with it the other half of its conversations.
  private func refuseLostRehearsal() throws {
    guard plan.isResuming, let store else { return }
    for visit in plan.visits where try store.unfinishedVisit(key(visit, Self.insideAccount)) != nil {
      throw CommandFailure(
        .usage,
        "the visit of \"\(visit.visitor)\" was made at a rehearsal inside that process and ended with it: "
          + "run without --resume, or rehearse with `visitant serve` and --account")
    }
  }

  private static let insideAccount = "rehearsal"

  private func key(_ visit: RunPlan.Visit, _ account: String) -> VisitKey {
    VisitKey(
      account: account, dialect: plan.dialect, location: plan.session.location, visitor: visit.visitor)
  }

  private func specs(_ account: String) throws -> [VisitSpec] {
    var salts = SystemRandomNumberGenerator()
    var seeds = SplitMix64(seed: plan.seed)
    let storedAccount = rehearsal == nil ? account : Self.insideAccount
    runID = try store?.beginRun(
      RunStart(
        command: "run", account: storedAccount, bots: plan.botNames, visitors: plan.visits.count,
        seed: plan.seed, at: began))
    var specs: [VisitSpec] = []
    for (index, visit) in plan.visits.enumerated() {
      let seed = seeds.next()
      var spec = VisitSpec(
        visitor: visit.visitor, bot: visit.bot, account: account, seed: seed, salt: salts.next(),
        deviceID: SplitMix64.identifier(from: &salts))
      spec.index = index + 1
      spec.session = plan.session
      spec.session.seed = seed
      spec.limits = plan.limits
      spec.isTraced = plan.isTraced
      try keep(&spec, key(visit, storedAccount))
      specs.append(spec)
    }
    return specs
  }

  /// Finds the visit that is to go on, or begins one.
  private func keep(_ spec: inout VisitSpec, _ key: VisitKey) throws {
    guard let store else { return }
    if plan.isResuming, let stored = try store.unfinishedVisit(key) {
      spec.stored = stored
      spec.visit = stored.id
      spec.seed = stored.start.seed
    } else {
      if plan.isNamed { spec.remembered = try store.memory(of: key) }
      spec.visit = try store.beginVisit(
        VisitStart(key: key, run: runID, bot: spec.bot.name, seed: spec.seed, at: wallClock()))
    }
  }
}

// MARK: - Meanwhile

extension RunSession {
  private func begin(_ specs: [VisitSpec]) {
    let cores = max(1, Int(sysconf(Int32(_SC_NPROCESSORS_ONLN))))
    let count = min(cores, specs.count)
    shards = (0..<count).map { Shard(name: "shard-\($0)") }
    let (plan, reports, outcomes) = (plan, reports, outcomes)
    for (index, shard) in shards.enumerated() {
      shard.begin(
        specs.filter { ($0.index - 1) % count == index }, options: plan.link, store: store,
        files: { plan.files(for: $0.bot.name) }, report: { reports.put($0) },
        ended: { _, outcome in outcomes.put(outcome) })
    }
  }

  private func waitForAll(_ count: Int) {
    var left = count
    while left > 0 {
      let reason = wakeup.wait()
      // Outcomes are taken first: a visit's last report is put before its outcome.
      let ended = outcomes.take()
      for report in reports.take() { show(report) }
      for outcome in ended { note(outcome) }
      for failure in troubles.take() { output.diagnose("the desk failed: \(failure)") }
      left -= ended.count
      guard reason == .interrupt else { continue }
      statuses.append(.interrupted)
      output.diagnose("interrupted: closing the chats; once more to leave at once")
      for shard in shards { shard.interruptAll() }
    }
    for report in reports.take() { show(report) }
  }

  private func show(_ report: VisitReport) {
    if case .check(_, let passed, _) = report.what {
      if passed { summary.checksPassed += 1 } else { summary.checksFailed += 1 }
    }
    output.show(report)
  }

  private func note(_ outcome: VisitOutcome) {
    if outcome == .finished { summary.finished += 1 }
    statuses.append(ExitStatus(outcome))
  }

  private func finish() -> ExitStatus {
    for shard in shards { shard.stop() }
    if rehearsal?.stop().failure != nil { statuses.append(.script) }
    for failure in troubles.take() { output.diagnose("the desk failed: \(failure)") }
    var status = ExitStatus.worst(of: statuses)
    summary.seconds = wallClock() - began
    do throws(StoreError) {
      if let runID { try store?.endRun(runID, RunEnd(at: wallClock(), status: Int(status.rawValue))) }
    } catch {
      output.diagnose(error.description)
      status = ExitStatus.worst(of: [status, .host])
    }
    store?.close()
    summary.status = Int(status.rawValue)
    output.end(summary, at: wallClock())
    return status
  }
}

/// Seconds since the Unix epoch.
func wallClock() -> Double {
  var time = timespec()
  clock_gettime(CLOCK_REALTIME, &time)
  return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
}
