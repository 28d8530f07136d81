internal import Chat
internal import JSON

/// Pages and their polls.
extension WebimService {
  /// Carries out what concerns one visitor and hands the changes to its pages.
  mutating func turn<Result, Failure: Error>(
    _ index: Int, _ now: Double,
    _ body: (inout ServiceVisitor, inout ServiceTurn) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    var turn = ServiceTurn(
      now: now, settings: settings, operators: operators, visitorCount: visitors.count,
      isHeard: !visitors[index].pages.isEmpty, ids: ids, counts: counts)
    // What was changed before a refusal stands, and is told.
    defer {
      ids = turn.ids
      counts = turn.counts
      events += turn.events
      if let chat = visitors[index].chat?.id { chats[chat] = index }
      publish(turn, to: index)
    }
    return try body(&visitors[index], &turn)
  }

  private mutating func publish(_ turn: ServiceTurn, to index: Int) {
    guard turn.needsFullUpdate || !turn.deltas.isEmpty else { return }
    for page in visitors[index].pages {
      pages[page]?.append(turn.deltas, limit: settings.deltasKept)
      if turn.needsFullUpdate { pages[page]?.invalidate() }
      wake.append(page)
    }
  }

  /// Answers the polls of pages for which something has happened.
  mutating func wakePolls() {
    let woken = wake
    wake = []
    for id in woken {
      guard let exchange = pages[id]?.held, let news = news(for: id) else { continue }
      release(exchange, of: id)
      answer(exchange, news)
    }
  }

  mutating func release(_ exchange: ExchangeID, of page: String) {
    pages[page]?.held = nil
    held[exchange] = nil
    effects.append(.cancelTimer(.hold(exchange)))
  }

  mutating func pollReceived(
    _ exchange: ExchangeID, _ arguments: ServiceArguments, _ now: Double
  ) throws(ServiceRefusal) -> WireResponse? {
    let id = try page(arguments, now)
    _ = try arguments.filled("since")
    guard let since = try arguments.integer("since"), since >= 0 else {
      throw ServiceRefusal(.wrongArgument, argument: "since")
    }
    // A second poll of a page means that the first one's connection is gone.
    if let stale = pages[id]?.held {
      release(stale, of: id)
      answer(stale, Self.nothingHappened)
    }
    let isImpatient = try arguments.flag("respond-immediately") ?? false
    if let news = news(for: id, since: since) { return news }
    if isImpatient { return Self.nothingHappened }
    hold(exchange, for: id)
    return nil
  }

  private mutating func hold(_ exchange: ExchangeID, for page: String) {
    pages[page]?.held = exchange
    held[exchange] = page
    effects.append(.setTimer(.hold(exchange), after: settings.holdSeconds))
  }

  /// What a page that has everything up to `since`, or up to its held poll's `since`, has to hear; nil for
  /// nothing.
  private mutating func news(for id: String, since: Int? = nil) -> WireResponse? {
    guard var page = pages.removeValue(forKey: id) else { return nil }
    let news = since.map { page.fetch(since: $0) } ?? page.unfetched
    pages[id] = page
    switch news {
    case .nothing: return nil
    case .deltas(let deltas): return Self.answer(page.revision, deltas)
    case .everything: return fullUpdate(for: page)
    }
  }

  private static func answer(_ revision: Int, _ deltas: [[UInt8]]) -> WireResponse {
    var writer = JSONWriter()
    writer.object {
      $0.member("revision", String(revision))
      $0.member("deltaList") { $0.array { for delta in deltas { $0.raw(delta) } } }
    }
    return WireResponse(body: writer.bytes)
  }
}

// MARK: - Coming and going

extension WebimService {
  /// The page that a request names, or why it is none.
  mutating func page(_ arguments: ServiceArguments, _ now: Double) throws(ServiceRefusal) -> String {
    if isBlocked { throw ServiceRefusal(.accountBlocked) }
    let id = try arguments.required("page-id")
    guard let token = arguments["auth-token"] else {
      throw ServiceRefusal(.unauthorized, argument: "auth-token")
    }
    guard let page = pages[id], page.token == token else { throw ServiceRefusal(.reinitRequired) }
    pages[id]?.lastSeen = now
    if let refusal = visitors[page.visitor].refusal { throw refusal }
    arrive(page.visitor, isReturning: true)
    return id
  }

  mutating func makePage(for index: Int, _ now: Double) -> ServicePage {
    let page = ServicePage(
      id: ids.makeWord("p"), token: ids.makeWord("t"), visitor: index, now: now)
    pages[page.id] = page
    visitors[index].pages.append(page.id)
    if visitors[index].pages.count > max(settings.pagesPerVisitor, 1) {
      remove(visitors[index].pages[0], answering: ServiceRefusal(.reinitRequired))
    }
    effects.append(.setTimer(.pageIdle(page: page.id), after: settings.pageIdleSeconds))
    return page
  }

  /// Forgets a page; its poll, if one waits, is refused.
  mutating func remove(_ id: String, answering refusal: ServiceRefusal) {
    guard let page = pages[id] else { return }
    if let exchange = page.held {
      release(exchange, of: id)
      answer(exchange, refusal.response)
    }
    pages[id] = nil
    visitors[page.visitor].pages.removeAll { $0 == id }
    effects.append(.cancelTimer(.pageIdle(page: id)))
    if visitors[page.visitor].pages.isEmpty { watch(page.visitor) }
  }

  /// Answers every waiting poll of a visitor with a refusal; the pages stay.
  mutating func refusePolls(of index: Int, _ refusal: ServiceRefusal) {
    for id in visitors[index].pages {
      guard let exchange = pages[id]?.held else { continue }
      release(exchange, of: id)
      answer(exchange, refusal.response)
    }
  }

  mutating func arrive(_ index: Int, isReturning: Bool) {
    guard !visitors[index].isPresent else { return }
    visitors[index].isPresent = true
    visitors[index].isReturning = isReturning
    events.append(.visitorArrived(DeskVisitor(visitors[index])))
  }

  private mutating func leave(_ index: Int) {
    guard visitors[index].isPresent else { return }
    visitors[index].isPresent = false
    events.append(.visitorLeft(visitorID: visitors[index].id))
  }

  /// Looks after a while whether the visitor is still there.
  mutating func watch(_ index: Int) {
    effects.append(.setTimer(.absence(visitor: visitors[index].id), after: settings.absenceSeconds))
  }

  mutating func visitorMayBeGone(_ id: String, _ now: Double) {
    guard let index = ids.visitorIndex(id), visitors.indices.contains(index) else { return }
    let isHere = visitors[index].pages.contains { id in
      guard let page = pages[id] else { return false }
      // A timer may be early by the rounding of a sum of seconds.
      return page.held != nil || now - page.lastSeen < settings.absenceSeconds - 0.001
    }
    if !isHere { leave(index) }
  }

  /// Looks at a page once in its idle time, so that a poll costs no timer of its own.
  mutating func pageMayBeIdle(_ id: String, _ now: Double) {
    guard let page = pages[id] else { return }
    let idle = page.held == nil ? now - page.lastSeen : 0
    guard idle >= settings.pageIdleSeconds else {
      effects.append(.setTimer(.pageIdle(page: id), after: settings.pageIdleSeconds - idle))
      return
    }
    remove(id, answering: ServiceRefusal(.reinitRequired))
    guard visitors[page.visitor].pages.isEmpty else { return }
    effects.append(.cancelTimer(.absence(visitor: visitors[page.visitor].id)))
    leave(page.visitor)
    turn(page.visitor, now) { visitor, turn in
      guard let chat = visitor.chat, !chat.state.isClosed else { return }
      visitor.close(as: .closed, by: .service, &turn)
    }
  }
}
