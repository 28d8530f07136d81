/// What brings one lane's requests to the far end, one at a time.
protocol LaneCarrier: AnyObject {
  /// Called with the end of the present request, never before `begin` has returned.
  var ended: ((Result<HTTPResponse, LinkError>) -> Void)? { get set }

  func begin(_ request: HTTPRequest)

  /// Gives the present request up; `ended` is not called for it any more.
  ///
  /// - Returns: Whether the far end may have got the request.
  func abandon() -> Bool

  /// Gives up whatever is connected.
  func close()
}

/// The requests of one lane in their order, each with its limit of time once its turn has come.
final class LaneQueue {
  private final class Exchange {
    let id: ExchangeID
    let request: HTTPRequest
    let completion: (Result<HTTPResponse, LinkError>) -> Void
    var timer: LoopTimer?

    init(
      id: ExchangeID, request: HTTPRequest, completion: @escaping (Result<HTTPResponse, LinkError>) -> Void
    ) {
      self.id = id
      self.request = request
      self.completion = completion
    }
  }

  private let loop: any Loop
  private let host: String
  private let carrier: any LaneCarrier
  private var waiting: [Exchange] = []
  private var current: Exchange?
  /// Exchanges of a closed link, about to be told.
  private var doomed: [ExchangeID: Exchange] = [:]
  private var isClosed = false

  init(loop: any Loop, host: String, carrier: any LaneCarrier) {
    self.loop = loop
    self.host = host
    self.carrier = carrier
    carrier.ended = { [unowned self] in ended($0) }
  }

  func send(
    _ request: HTTPRequest, id: ExchangeID,
    _ completion: @escaping (Result<HTTPResponse, LinkError>) -> Void
  ) {
    let exchange = Exchange(id: id, request: request, completion: completion)
    guard !isClosed else { return doom(exchange, delivered: false) }
    waiting.append(exchange)
    beginNext()
  }

  func cancel(_ id: ExchangeID) {
    if let exchange = current, exchange.id == id {
      current = nil
      forgetTimer(of: exchange)
      _ = carrier.abandon()
      beginNext()
    } else if let index = waiting.firstIndex(where: { $0.id == id }) {
      waiting.remove(at: index)
    } else {
      let dropped = doomed.removeValue(forKey: id)
      withExtendedLifetime(dropped) {}
    }
  }

  func close() {
    guard !isClosed else { return }
    isClosed = true
    if let exchange = current {
      current = nil
      doom(exchange, delivered: carrier.abandon())
    }
    for exchange in waiting { doom(exchange, delivered: false) }
    waiting = []
    carrier.close()
  }

  private func beginNext() {
    guard current == nil, !isClosed, !waiting.isEmpty else { return }
    let exchange = waiting.removeFirst()
    current = exchange
    exchange.timer = loop.schedule(after: exchange.request.timeout) { [unowned self] in
      timeIsOver(for: exchange)
    }
    carrier.begin(exchange.request)
  }

  private func ended(_ result: Result<HTTPResponse, LinkError>) {
    guard let exchange = current else { return }
    current = nil
    forgetTimer(of: exchange)
    exchange.completion(result)
    beginNext()
  }

  private func timeIsOver(for exchange: Exchange) {
    guard current === exchange else { return }
    current = nil
    let error = LinkError(
      code: .timedOut, host: host, detail: "no answer within \(exchange.request.timeout) s",
      mayHaveBeenDelivered: carrier.abandon())
    exchange.completion(.failure(error))
    beginNext()
  }

  /// Ends an exchange of a closed link, after the present callback.
  private func doom(_ exchange: Exchange, delivered: Bool) {
    forgetTimer(of: exchange)
    doomed[exchange.id] = exchange
    let error = LinkError(
      code: .cancelled, host: host, detail: "the link was closed", mayHaveBeenDelivered: delivered)
    loop.soon { [self] in
      doomed.removeValue(forKey: exchange.id)?.completion(.failure(error))
    }
  }

  private func forgetTimer(of exchange: Exchange) {
    guard let timer = exchange.timer else { return }
    exchange.timer = nil
    loop.cancel(timer)
  }
}
