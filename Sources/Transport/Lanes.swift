/// The lanes of a link, whatever carries them; one that is not used costs nothing.
final class Lanes {
  private let begin: (Lane) -> LaneQueue
  private var queues: [Lane: LaneQueue] = [:]
  private var nextNumber: UInt64 = 0
  private var isClosed = false

  init(loop: any Loop, host: String, carrier: @escaping (Lane) -> any LaneCarrier) {
    begin = { LaneQueue(loop: loop, host: host, carrier: carrier($0)) }
  }

  func send(
    _ request: HTTPRequest, on lane: Lane,
    _ completion: @escaping (Result<HTTPResponse, LinkError>) -> Void
  ) -> ExchangeID {
    nextNumber += 1
    let id = ExchangeID(number: nextNumber)
    queue(of: lane).send(request, id: id, completion)
    return id
  }

  private func queue(of lane: Lane) -> LaneQueue {
    if let queue = queues[lane] { return queue }
    let queue = begin(lane)
    if isClosed { queue.close() }
    queues[lane] = queue
    return queue
  }

  func cancel(_ exchange: ExchangeID) {
    for queue in queues.values { queue.cancel(exchange) }
  }

  func close() {
    isClosed = true
    for lane in Lane.allCases { queues[lane]?.close() }
  }
}
