import Bot
import Chat
import Dialects
import Store
import Transport

extension Visitor {
  /// Does what the session wants, in order.
  func perform(_ effects: [WebimSession.Effect]) {
    step {
      // An end comes before the refusals it brings: a script must not fail for what ended its visit.
      for case .fatal(let error) in effects {
        happened([.fatalError(error)])
        if case .stopping = phase { return finish() }
        return stop(.ended(error))
      }
      for effect in effects where !isOver { perform(effect) }
    }
  }

  private func perform(_ effect: WebimSession.Effect) {
    switch effect {
    case .send(let id, let lane, let request):
      if let instead = session.takeBack(id, now: loop.now) { return perform(instead) }
      send(id, lane, request)
    case .cancel(let id): exchanges.removeValue(forKey: id).map(link.cancel)
    case .setTimer(let id, let seconds): set(id, after: seconds)
    case .cancelTimer(let id): sessionTimers.removeValue(forKey: id).map(loop.cancel)
    case .update(let update): apply(update)
    case .answered(let id, let refusal): answered(id, refusal)
    case .uncertain(let id): reconcile(id)
    case .connected(let isConnected): connectionChanged(isConnected)
    case .notFatal(let error):
      lastTrouble = error.serverCode
      happened([.notFatalError(error)])
    case .fatal: break
    case .remember(let memory): draft.memory = memory
    }
  }

  private func send(_ id: WebimSession.RequestID, _ lane: WebimSession.Lane, _ request: WireRequest) {
    let sentAt = loop.now
    if spec.isTraced { tell(.trace(Trace.line(request))) }
    exchanges[id] = link.send(HTTPRequest(request), on: Lane(lane)) {
      [weak self] result in
      guard let self, !self.isOver else { return }
      self.exchanges[id] = nil
      let result = result.map(WireResponse.init).mapError(WireFailure.init)
      if case .failure(let failure) = result { self.lastTrouble = failure.description }
      if self.spec.isTraced {
        self.tell(.trace(Trace.line(result, to: request.path, after: self.loop.now - sentAt)))
      }
      self.perform(self.session.responseReceived(id, result, now: self.loop.now))
    }
  }

  private func set(_ id: WebimSession.TimerID, after seconds: Double) {
    sessionTimers[id].map(loop.cancel)
    sessionTimers[id] = loop.schedule(after: seconds) { [weak self] in
      guard let self, !self.isOver else { return }
      self.sessionTimers[id] = nil
      self.perform(self.session.timerFired(id, now: self.loop.now))
    }
  }

  /// Folds an update in and tells the bot.
  func apply(_ update: Update) {
    let isSnapshot = if case .snapshot = update { true } else { false }
    // Who is resumed finds in the full update what has happened meanwhile; who begins knows it from the
    // start.
    let isFirst = isSnapshot && phase == .connecting
    if isFirst, spec.isResumed { begin() }
    let events = conversation.apply(update)
    if isFirst, !spec.isResumed { begin() }
    draft.note(events, conversation, at: loop.now)
    happened(events)
    settle(settlement.apply(events, in: conversation))
    if case .historyPage = update { pageCame() }
    if isFirst, replayed.hasEnded { botEnded(.interrupted) }
  }

  /// Tells the watcher and the bot, in order.
  func happened(_ events: [ChatEvent]) {
    for event in events {
      tell(.event(event))
      if phase != .connecting { feed(.event(event)) }
    }
  }

  private func begin() {
    phase = .live
    tell(.started(resumed: spec.isResumed))
    if spec.isResumed { goLive() } else { feed(.start) }
  }

  private func connectionChanged(_ isConnected: Bool) {
    settlement.connectionChanged(isConnected: isConnected, now: loop.now)
    happened([.connection(isConnected)])
  }

  private func answered(_ id: Int, _ refusal: ActionError?) {
    let result: Result<Void, ActionError> = refusal.map { .failure($0) } ?? .success(())
    settle(settlement.answered(id: id, result, in: conversation))
  }

  /// Compares an action that may have been delivered with what the service tells, and repeats it if it was
  /// not.
  private func reconcile(_ id: Int) {
    guard let action = actions[id] else { return }
    switch Settlement.reconcile(action, with: conversation) {
    case .done(let value):
      if case .answerSurvey(let survey, let position, _) = action {
        apply(.questionAnswered(surveyID: survey, position))
      }
      settle(id, .success(value))
    case .refused(let error): settle(id, .failure(error))
    case .repeat: perform(session.perform(id, action, isRepeat: true, now: loop.now))
    }
  }

  func settle(_ settled: [Settlement.Settled]) {
    for one in settled { settle(one.id, one.result) }
  }

  /// Takes a settled action out of the outbox and tells the bot.
  private func settle(_ id: Int, _ result: Result<Settlement.Value, ActionError>) {
    guard let action = actions.removeValue(forKey: id) else { return }
    settlement.forget(id: id)
    session.withdraw(id)
    if id == Self.closingRequest { return finish() }
    draft.outboxRemoved.append(id)
    draft.note(action, result, conversation, at: loop.now)
    if case .failure(let error) = result {
      tell(.refused(error))
      takeBack(action)
    }
    feed(.settled(request: id, result.map(\.scriptJSON)))
  }

  /// A message that was not sent leaves the feed again.
  private func takeBack(_ action: Action) {
    switch action {
    case .send(let id, _, _, _), .reply(let id, _, _): apply(.sendingFailed(id))
    default: break
    }
  }

  func setSettlementTimer() {
    settlementTimer.map(loop.cancel)
    settlementTimer = nil
    guard let deadline = settlement.deadline(now: loop.now) else { return }
    settlementTimer = loop.schedule(after: deadline - loop.now) { [weak self] in
      guard let self else { return }
      self.settlementTimer = nil
      self.step { self.settle(self.settlement.expire(now: self.loop.now)) }
    }
  }
}
