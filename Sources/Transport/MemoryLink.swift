/// A link with no sockets: requests and answers go through the loop, on a manual clock as on a real one.
package final class MemoryLink: Link {
  private let lanes: Lanes

  /// - Parameters:
  ///   - responder: The far end, on the same loop.
  ///   - host: What errors call the far end.
  ///   - latency: How long a request takes to the far end, and an answer back, in seconds.
  package init(loop: any Loop, responder: any HTTPResponder, host: String = "memory", latency: Double = 0) {
    lanes = Lanes(loop: loop, host: host) { _ in
      MemoryLane(loop: loop, responder: responder, host: host, latency: latency)
    }
  }

  deinit {
    close()
  }

  package func send(
    _ request: HTTPRequest, on lane: Lane,
    _ completion: @escaping (Result<HTTPResponse, LinkError>) -> Void
  ) -> ExchangeID {
    lanes.send(request, on: lane, completion)
  }

  package func cancel(_ exchange: ExchangeID) {
    lanes.cancel(exchange)
  }

  package func close() {
    lanes.close()
  }
}

/// One lane in memory.
private final class MemoryLane: LaneCarrier {
  /// A request on its way there, held there, or on its way back.
  fileprivate final class Passage {
    /// Who waits for the answer; nobody once it has come or was given up.
    var lane: MemoryLane?
    var isDelivered = false
    var isAnswered = false
    var held: HeldExchange?

    init(lane: MemoryLane) {
      self.lane = lane
    }

    func answer(_ reply: HTTPReply) {
      guard !isAnswered else { return }
      isAnswered = true
      held = nil
      lane?.travel { [self] in lane?.arrive(reply, self) }
    }

    func abandon() {
      guard !isAnswered else { return }
      isAnswered = true
      let held = self.held
      self.held = nil
      held?.abandoned()
    }
  }

  var ended: ((Result<HTTPResponse, LinkError>) -> Void)?
  private let loop: any Loop
  private let responder: any HTTPResponder
  private let host: String
  private let latency: Double
  private var passage: Passage?

  init(loop: any Loop, responder: any HTTPResponder, host: String, latency: Double) {
    self.loop = loop
    self.responder = responder
    self.host = host
    self.latency = latency
  }

  func begin(_ request: HTTPRequest) {
    let passage = Passage(lane: self)
    self.passage = passage
    travel { [self] in deliver(request, passage) }
  }

  func abandon() -> Bool {
    guard let passage else { return false }
    self.passage = nil
    passage.lane = nil
    if passage.isDelivered { travel { passage.abandon() } }
    return passage.isDelivered
  }

  func close() {
    _ = abandon()
  }

  fileprivate func travel(_ work: @escaping () -> Void) {
    if latency > 0 {
      _ = loop.schedule(after: latency, work)
    } else {
      loop.soon(work)
    }
  }

  private func deliver(_ request: HTTPRequest, _ passage: Passage) {
    guard passage.lane != nil else { return }
    passage.isDelivered = true
    let held = responder.respond(to: request) { passage.answer($0) }
    if !passage.isAnswered { passage.held = held }
  }

  fileprivate func arrive(_ reply: HTTPReply, _ passage: Passage) {
    guard self.passage === passage else { return }
    self.passage = nil
    passage.lane = nil
    switch reply {
    case .response(let response): ended?(.success(response))
    case .dropped: ended?(.failure(closed("the connection was closed without an answer")))
    case .cut: ended?(.failure(closed("the connection was closed in the middle of the answer")))
    }
  }

  private func closed(_ detail: String) -> LinkError {
    LinkError(code: .closed, host: host, detail: detail, mayHaveBeenDelivered: true)
  }
}
