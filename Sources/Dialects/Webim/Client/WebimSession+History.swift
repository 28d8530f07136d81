internal import Chat
internal import JSON

/// The lane of history (the protocol's section 5).
extension WebimSession {
  mutating func readHistory(now: Double) {
    if case .credentials(let old) = history.pause, let credentials, credentials.generation != old {
      history.pause = nil
      effects.append(.cancelTimer(.historyPoll))
    }
    guard let credentials, !isPaused, phase != .ended, history.inFlight == nil, history.pause == nil,
      let kind = history.next
    else { return }
    if let pause = history.rate.take(now: now) {
      pauseHistory(.backoff, pause)
      return
    }
    let isInitial = kind == .changes && memory.historyRevision == nil
    if kind == .changes { history.areChangesDue = false }
    history.inFlight = HistoryReader.InFlight(
      request: send(.history, historyRequest(kind)), kind: kind, isInitial: isInitial,
      generation: credentials.generation)
  }

  mutating func historyAnswered(_ request: HistoryReader.InFlight, _ answer: Answer, now: Double) {
    history.inFlight = nil
    switch answer {
    case .object(let node, nil):
      received(HistoryBatch(wire: node, decoder: decoder.messages), request, now: now)
    case .object(_, let error?): historyRefused(error, request, now: now)
    case .none: historyFailed(request)
    }
    guard phase != .ended else { return }
    readHistory(now: now)
  }

  private mutating func received(
    _ batch: HistoryBatch, _ request: HistoryReader.InFlight, now: Double
  ) {
    history.backoff.succeeded()
    history.ended(request.kind)
    switch request.kind {
    case .changes:
      changesReceived(batch, isInitial: request.isInitial, now: now)
      historyTold(request)
    case .page: pageReceived(batch)
    }
  }

  private mutating func changesReceived(_ batch: HistoryBatch, isInitial: Bool, now: Double) {
    let isFirst = history.lastAnswer == nil
    history.lastAnswer = now
    if isFirst || !batch.messages.isEmpty || !batch.removed.isEmpty {
      effects.append(.update(.history(messages: batch.messages, removed: batch.removed)))
    }
    let isMoved = batch.revision != nil && batch.revision != memory.historyRevision
    // Only now: a crash before this asks again.
    var remembered = memory
    remembered.historyRevision = batch.revision ?? memory.historyRevision
    if isInitial, !batch.hasMore { remembered.isHistoryComplete = true }
    remember(remembered)
    if !isInitial, batch.hasMore, isMoved { history.areChangesDue = true }
    takeNamedRevision()
    pollHistoryLater()
  }

  /// What became of messages is known once an answer is there that was asked for since the latest init.
  private mutating func historyTold(_ request: HistoryReader.InFlight) {
    guard doubts.needHistory else { return }
    if request.generation != generation { history.areChangesDue = true }
    if !history.areChangesDue { compareDoubts() }
  }

  /// What was named while a request was under way is asked for now, if the answer was not up to it.
  private mutating func takeNamedRevision() {
    guard let named = history.named else { return }
    history.named = nil
    history.revisionNamed(named, known: memory.historyRevision)
  }

  /// Where the service names no revisions, changes are asked for again and again.
  private mutating func pollHistoryLater() {
    guard !history.isRevisionDriven, history.pause == nil else { return }
    effects.append(.setTimer(.historyPoll, after: HistoryReader.interval))
  }

  private mutating func pageReceived(_ batch: HistoryBatch) {
    history.pages.removeFirst()
    effects.append(.update(.historyPage(messages: batch.messages, isLast: !batch.hasMore)))
    if !batch.hasMore {
      var remembered = memory
      remembered.isHistoryComplete = true
      remember(remembered)
    }
  }

  // MARK: Failures

  private mutating func historyRefused(
    _ error: ErrorCode, _ request: HistoryReader.InFlight, now: Double
  ) {
    switch error.reaction(at: .action) {
    case .reinitialize where history.failed(request.kind) < HistoryReader.attempts:
      askAgain(request)
      if request.generation == generation { pauseHistory(.credentials(generation: generation), 2) }
    case .retry: historyFailed(request)
    case .fatal(let code): die(error.sessionError(code))
    case .raise where request.kind == .changes && history.failed(.changes) < HistoryReader.attempts:
      askAgain(request)
      pauseHistory(.backoff, history.backoff.failed())
    case .reinitialize, .raise, .awaitToken: giveUp(request)
    }
  }

  private mutating func historyFailed(_ request: HistoryReader.InFlight) {
    let failures = history.failed(request.kind)
    if request.kind != .changes, failures >= HistoryReader.attempts {
      giveUp(request)
    } else {
      // History that stays away must not keep the actions until their time is over.
      if failures >= HistoryReader.attempts { compareDoubts() }
      askAgain(request)
      pauseHistory(.backoff, history.backoff.failed())
    }
  }

  private mutating func askAgain(_ request: HistoryReader.InFlight) {
    if request.kind == .changes { history.areChangesDue = true }
  }

  /// Keeps the revision; a reader of a page is told that nothing came and that there may be more.
  private mutating func giveUp(_ request: HistoryReader.InFlight) {
    history.ended(request.kind)
    switch request.kind {
    case .changes:
      takeNamedRevision()
      compareDoubts()
      pollHistoryLater()
    case .page:
      history.pages.removeFirst()
      effects.append(.update(.historyPage(messages: [], isLast: false)))
    }
  }

  private mutating func pauseHistory(_ pause: HistoryReader.Pause, _ seconds: Double) {
    history.pause = pause
    effects.append(.setTimer(.historyPoll, after: seconds))
  }

  mutating func historyPauseEnded(now: Double) {
    switch history.pause {
    case nil: history.areChangesDue = true
    case .backoff: history.pause = nil
    case .credentials(let old):
      if credentials?.generation == old { abandonSession(now: now) }
      return
    }
    readHistory(now: now)
  }
}
