/// Both lanes of a link, whatever carries them.
final class LanePair {
  private let poll: LaneQueue
  private let action: LaneQueue
  private var nextNumber: UInt64 = 0

  init(loop: any Loop, host: String, carrier: (Lane) -> any LaneCarrier) {
    poll = LaneQueue(loop: loop, host: host, carrier: carrier(.poll))
    action = LaneQueue(loop: loop, host: host, carrier: carrier(.action))
  }

  func send(
    _ request: HTTPRequest, on lane: Lane,
    _ completion: @escaping (Result<HTTPResponse, LinkError>) -> Void
  ) -> ExchangeID {
    nextNumber += 1
    let id = ExchangeID(number: nextNumber)
    switch lane {
    case .poll: poll.send(request, id: id, completion)
    case .action: action.send(request, id: id, completion)
    }
    return id
  }

  func cancel(_ exchange: ExchangeID) {
    poll.cancel(exchange)
    action.cancel(exchange)
  }

  func close() {
    poll.close()
    action.close()
  }
}
