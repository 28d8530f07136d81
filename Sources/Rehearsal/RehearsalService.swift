import Dialects
package import Script
package import Transport

/// A service on this machine: visitors talk to it over the wire, a desk's script plays the people behind it.
///
///     request ──▶ faults ──▶ WebimService ──DeskEvent──▶ DeskPlayer (Lua)
///        ▲                      │    ▲                        │
///        └──── reply ◀── faults ┘    └───── DeskCommand ──────┘
///
/// Confined to its loop's thread. The same object answers behind an `HTTPListener` and behind links in
/// memory.
package final class RehearsalService: HTTPResponder {
  /// What took effect so far.
  package var statistics: RehearsalStatistics {
    var statistics = seen
    statistics.take(service.counts, visitors: service.visitorCount)
    return statistics
  }
  /// The first failure of the desk's script; a run ends with status 107 when there is one.
  package private(set) var failure: ScriptFailure?

  private let loop: any Loop
  private let report: (RehearsalReport) -> Void
  private(set) var service: WebimService
  private var seen: RehearsalStatistics
  private var faults: FaultPlan
  private var exchanges = Exchanges()
  private var timers: [WebimService.TimerID: LoopTimer] = [:]
  private let player: DeskPlayer
  /// What visitors did and the desk has not been told yet.
  private var untold: [DeskEvent] = []
  private var isTurnDue = false
  private var isStopped = false

  /// - Parameters:
  ///   - seed: What faults, ids and the script's random numbers are drawn from.
  ///   - report: Told of each event as it happens, on the loop's thread.
  /// - Throws: ``ScriptFailure`` when the desk does not load.
  package init(
    loop: any Loop, desk: DeskSource, settings: RehearsalSettings = RehearsalSettings(), seed: UInt64,
    report: @escaping (RehearsalReport) -> Void = { _ in }
  ) throws(ScriptFailure) {
    self.loop = loop
    self.report = report
    seen = RehearsalStatistics(keeps: settings.keepsStatistics)
    var serviceSettings = WebimService.Settings()
    serviceSettings.holdSeconds = settings.hold
    service = WebimService(serviceSettings, seed: seed)
    faults = FaultPlan(seed: seed)
    player = try DeskPlayer(desk: desk, loop: loop, settings: settings, seed: seed)
    player.host = self
    player.start()
  }

  /// Ends the desk's coroutines and timers and drops the requests that are held.
  package func stop() {
    guard !isStopped else { return }
    isStopped = true
    player.stop()
    for timer in timers.values { loop.cancel(timer) }
    timers = [:]
    _ = dropAll()
  }
}

// MARK: - Requests

extension RehearsalService {
  package func respond(to request: HTTPRequest, _ reply: @escaping (HTTPReply) -> Void) -> HeldExchange? {
    guard !isStopped else {
      reply(.dropped)
      return nil
    }
    let request = WireRequest(request)
    seen.requests += 1
    let verdict = faults.requestArrived(
      Endpoint(path: request.path, event: request["event"]), action: request["action"], now: loop.now)
    if verdict != nil { seen.spoiled += 1 }
    let id = exchanges.add(verdict: verdict, reply)
    if let verdict, let answer = verdict.harm.replyBeforeService {
      send(answer, to: id, after: verdict.delay)
    } else {
      apply(service.requestReceived(id, request, now: loop.now))
    }
    return HeldExchange { [weak self] in self?.abandon(id) }
  }

  private func abandon(_ id: WebimService.ExchangeID) {
    guard let exchange = exchanges.remove(id) else { return }
    exchange.timer.map(loop.cancel)
    apply(service.exchangeAbandoned(id, now: loop.now))
  }

  /// Sends an answer when its delay is over. Until then its exchange is open: a cut line takes the answer
  /// with it.
  private func send(_ answer: HTTPReply, to id: WebimService.ExchangeID, after delay: Double) {
    guard delay > 0 else {
      exchanges.remove(id)?.reply(answer)
      return
    }
    let timer = loop.schedule(after: delay) { [weak self] in self?.exchanges.remove(id)?.reply(answer) }
    exchanges.delay(id, until: timer)
  }

  /// Whoever waits for an answer, or is about to get a late one, loses the connection.
  private func dropAll() -> [WebimService.ExchangeID] {
    exchanges.removeAll().map { id, exchange in
      exchange.timer.map(loop.cancel)
      exchange.reply(.dropped)
      return id
    }
  }
}

// MARK: - Effects of the service

extension RehearsalService {
  private func apply(_ effects: [WebimService.Effect]) {
    for effect in effects {
      switch effect {
      case .answer(let id, let response):
        guard let answer = exchanges.answer(to: id, response) else { continue }
        send(answer.reply, to: id, after: answer.delay)
      case .setTimer(let timer, let seconds): set(timer, after: seconds)
      case .cancelTimer(let timer): timers.removeValue(forKey: timer).map(loop.cancel)
      case .desk(let event): tellLater(event)
      }
    }
  }

  private func set(_ timer: WebimService.TimerID, after seconds: Double) {
    timers.removeValue(forKey: timer).map(loop.cancel)
    timers[timer] = loop.schedule(after: seconds) { [weak self] in
      guard let self else { return }
      timers[timer] = nil
      apply(service.timerFired(timer, now: loop.now))
    }
  }

  /// The desk is told in a turn of its own: first the visitor's request is answered, then the desk acts.
  private func tellLater(_ event: DeskEvent) {
    untold.append(event)
    guard !isTurnDue else { return }
    isTurnDue = true
    loop.soon { [weak self] in self?.tell() }
  }

  private func tell() {
    isTurnDue = false
    guard !isStopped else { return }
    let events = untold
    untold = []
    for event in events {
      let visitor = player.eventReceived(event)
      seen.keep(event, visitor: visitor)
      if let told = RehearsalReport.Event(event, at: service) {
        tell(told, visitor: visitor, chat: event.chat)
      }
    }
    player.turn()
  }

  private func tell(_ event: RehearsalReport.Event, visitor: String?, chat: WebimService.ChatID?) {
    report(RehearsalReport(at: loop.now, visitor: visitor, chat: chat, event: event))
  }
}

// MARK: - What the desk does

extension RehearsalService: DeskHost {
  func perform(_ command: DeskCommand) -> Result<DeskAnswer, DeskError> {
    let (result, effects) = service.perform(command, now: loop.now)
    apply(effects)
    return result
  }

  func messageSaid(_ message: ServiceMessage, visitor: String?) {
    seen.keep(message, visitor: visitor ?? "")
    tell(RehearsalReport.Event(message, at: service), visitor: visitor, chat: message.chatID)
  }

  func deskDid(_ event: RehearsalReport.Event, visitor: String?, chat: WebimService.ChatID?) {
    tell(event, visitor: visitor, chat: chat)
  }

  /// Orders the service to misbehave from now on.
  package func add(_ fault: Fault) { faults.add(fault) }

  /// Ends all faults and a cut line.
  package func clearFaults() { faults.removeAll() }

  /// Cuts the line: every request is dropped, a held one too, until so many seconds of the loop's clock are
  /// over.
  package func goOffline(for seconds: Double) {
    faults.goOffline(for: seconds, now: loop.now)
    for id in dropAll() { apply(service.exchangeAbandoned(id, now: loop.now)) }
  }

  func deskFailed(_ failure: ScriptFailure, visitor: String?, chat: WebimService.ChatID?) {
    if self.failure == nil { self.failure = failure }
    tell(.failure(failure), visitor: visitor, chat: chat)
  }
}
