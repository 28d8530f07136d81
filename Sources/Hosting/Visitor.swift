import Bot
import Chat
import Dialects
import Lua
package import Script
import Store
package import Transport

/// One visitor of a service: its session on the wire, its conversation, its bot, and what the store keeps of
/// them.
///
///     link ⇄ session ──Update──▶ conversation ──ChatEvent──▶ bot
///       ▲                             │ settlement ──────────▲ │ call
///       └──────── commit ◀── outbox ◀─┴──────── resolve ◀──────┘
///
/// Everything that a step changes (the bot's inputs, its state, messages, actions asked for) goes to the
/// journal as one unit; an action goes to the wire when its unit has been committed. Confined to its loop's
/// thread.
package final class Visitor {
  let spec: VisitSpec
  let loop: any Loop
  let link: any Link
  let journal: any Journal
  let bot: BotRunner
  let files: ScriptFiles
  private let report: (VisitReport) -> Void
  private let ended: (VisitOutcome) -> Void

  var session: WebimSession
  var conversation: Conversation
  var settlement: Settlement
  /// The fields of `visitor` as the bot knows them.
  private var fields: VisitorFields?
  var reading = FeedReading()
  var draft: VisitDraft
  var phase = Phase.connecting
  var exchanges: [WebimSession.RequestID: ExchangeID] = [:]
  var sessionTimers: [WebimSession.TimerID: LoopTimer] = [:]
  var botTimers: [Int: LoopTimer] = [:]
  var limitTimers: [LoopTimer] = []
  var settlementTimer: LoopTimer?
  /// Actions in flight, by the bot's number for them.
  var actions: [Int: Action] = [:]
  /// Whether an interrupted visit closes its chat once the bot has ended.
  var closesChat = false
  /// What a replay has come to at the end of the bot, if it has.
  var replayed = Replayed()
  var lastTrouble = ""
  private var inputs: [BotInput] = []
  private var isFeeding = false
  /// The time at which the inputs at hand are given: one moment for all, so that a script which never lets go
  /// of its turn is seen to do so.
  private var moment = 0.0
  /// Whether the unit that ends the visit is on its way to the store: nothing comes after it.
  private var isEndKept = false
  private var depth = 0

  enum Phase: Equatable {
    /// Before the first full update.
    case connecting
    case live
    /// The bot's last words; then `VisitOutcome` stands.
    case stopping(VisitOutcome)
    case over
  }

  /// - Throws: ``ScriptFailure`` when the bot does not load, or does not follow the journal it is resumed
  ///   from.
  package init(
    _ spec: VisitSpec, loop: any Loop, link: any Link, journal: any Journal, files: ScriptFiles,
    report: @escaping (VisitReport) -> Void, ended: @escaping (VisitOutcome) -> Void
  ) throws(ScriptFailure) {
    self.spec = spec
    self.loop = loop
    self.link = link
    self.journal = journal
    self.files = files
    self.report = report
    self.ended = ended
    bot = try BotRunner(source: spec.bot.text, name: spec.bot.name, options: spec.options)
    conversation = spec.conversation
    session = WebimSession(spec.session, memory: spec.memory)
    settlement = Settlement(limit: spec.limits.action, isConnected: false)
    draft = VisitDraft(
      visit: spec.visit, after: spec.stored?.journal.last?.sequence ?? 0,
      signed: spec.signedFields)
    if let stored = spec.stored { try replay(stored) }
  }

  /// Begins the visit.
  package func start() {
    limitTimers = [
      loop.schedule(after: spec.limits.connect) { [weak self] in self?.connectTimePassed() },
      loop.schedule(after: spec.limits.visit) { [weak self] in self?.visitTimePassed() },
    ]
    let doubtful = spec.stored?.outbox.map(\.request).sorted() ?? []
    perform(session.deliveryDoubted(doubtful, now: loop.now))
    perform(session.start(now: loop.now))
  }

  var isOver: Bool { phase == .over }

  func tell(_ what: VisitReport.What) {
    report(VisitReport(spec, at: loop.now, what))
  }

  /// The visit is over: nothing more will come of it.
  func close(_ outcome: VisitOutcome) {
    guard phase != .over else { return }
    phase = .over
    for timer in limitTimers + sessionTimers.values + botTimers.values { loop.cancel(timer) }
    settlementTimer.map(loop.cancel)
    link.close()
    tell(.stopped(outcome))
    ended(outcome)
  }
}

// MARK: - Steps

extension Visitor {
  /// Does what belongs together; the outermost step ends with one commit, so that the conversation is never
  /// kept without what the bot was told of it.
  func step(_ body: () -> Void) {
    guard !isOver else { return }
    depth += 1
    body()
    depth -= 1
    if depth == 0 { flush() }
  }

  /// Hands the bot what happened; inputs that come up meanwhile wait their turn.
  func feed(_ input: BotInput) {
    inputs.append(input)
    guard !isFeeding else { return }
    step {
      isFeeding = true
      moment = loop.now
      while !inputs.isEmpty, !isOver { give(inputs.removeFirst()) }
      isFeeding = false
    }
  }

  private func give(_ input: BotInput) {
    let current = VisitorFields(
      conversation, identity: spec.identity, isConnected: session.isConnected)
    if let changed = current.changes(from: fields) { receive(.fields(changed)) }
    fields = current
    receive(input)
  }

  private func receive(_ input: BotInput) {
    let effects = bot.receive(input, now: moment)
    draft.add(input, at: moment, digest: bot.digest)
    for effect in effects { perform(effect) }
  }

  /// Commits what the step has changed; what it asked of the service goes out once that is kept.
  private func flush() {
    guard !isOver, !isEndKept else { return }
    setSettlementTimer()
    guard let (unit, calls) = draft.take(&conversation) else { return }
    isEndKept = unit.end != nil
    journal.commit(unit) { [weak self] error in
      self?.committed(calls, ending: unit.end != nil, error)
    }
  }

  private func committed(_ calls: [(request: Int, action: Action)], ending: Bool, _ error: StoreError?) {
    guard !isOver else { return }
    if let error {
      close(.storeFailed(error.description))
    } else if ending, case .stopping(let outcome) = phase {
      close(outcome)
    } else {
      for call in calls { perform(session.perform(call.request, call.action, now: loop.now)) }
    }
  }
}
