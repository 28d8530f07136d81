import Dialects
import Transport

/// The requests that wait for their answer, a late one too, and what a fault makes of each answer.
struct Exchanges {
  struct Exchange {
    let reply: (HTTPReply) -> Void
    fileprivate let verdict: FaultPlan.Verdict?
    /// When the answer goes out, once there is one that is late.
    fileprivate(set) var timer: LoopTimer?
  }

  private var open: [WebimService.ExchangeID: Exchange] = [:]
  private var last = 0

  mutating func add(
    verdict: FaultPlan.Verdict?, _ reply: @escaping (HTTPReply) -> Void
  ) -> WebimService.ExchangeID {
    last += 1
    open[last] = Exchange(reply: reply, verdict: verdict)
    return last
  }

  /// What is to be said to an exchange that has no answer yet, and after how many seconds.
  func answer(
    to id: WebimService.ExchangeID, _ response: WireResponse
  ) -> (reply: HTTPReply, delay: Double)? {
    guard let exchange = open[id], exchange.timer == nil else { return nil }
    let answer = HTTPResponse(response)
    return (
      exchange.verdict?.harm.reply(inPlaceOf: answer) ?? .response(answer), exchange.verdict?.delay ?? 0
    )
  }

  mutating func delay(_ id: WebimService.ExchangeID, until timer: LoopTimer) {
    open[id]?.timer = timer
  }

  /// Takes an exchange out; nil when it is not open any more.
  mutating func remove(_ id: WebimService.ExchangeID) -> Exchange? {
    open.removeValue(forKey: id)
  }

  /// Takes all out, oldest first.
  mutating func removeAll() -> [(id: WebimService.ExchangeID, exchange: Exchange)] {
    defer { open = [:] }
    return open.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
  }
}

extension Fault.Harm {
  /// What goes out without the service having seen the request; nil when it is to see it.
  var replyBeforeService: HTTPReply? {
    switch self {
    case .dropBefore: .dropped
    case .answer(let status, let body): .response(HTTPResponse(status: status, text: body))
    case .none, .dropAfterAccept, .cut, .replaceAnswer: nil
    }
  }

  /// What goes out once the service has answered.
  func reply(inPlaceOf answer: HTTPResponse) -> HTTPReply {
    switch self {
    case .none: .response(answer)
    case .dropBefore, .dropAfterAccept: .dropped
    case .cut: .cut(answer, after: answer.body.count / 2)
    case .answer(let status, let body), .replaceAnswer(let status, let body):
      .response(HTTPResponse(status: status, text: body))
    }
  }
}
