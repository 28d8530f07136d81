import Dialects
import Transport

/// The requests that wait for their answer, and what a fault makes of each answer.
struct Exchanges {
  private struct Exchange {
    let reply: (HTTPReply) -> Void
    let verdict: FaultPlan.Verdict?
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

  /// Forgets an exchange whose peer has gone.
  ///
  /// - Returns: Whether it was still open.
  mutating func abandon(_ id: WebimService.ExchangeID) -> Bool {
    open.removeValue(forKey: id) != nil
  }

  /// Takes an exchange out together with what is to be said, and after how many seconds.
  mutating func settle(
    _ id: WebimService.ExchangeID, _ response: WireResponse
  ) -> (reply: (HTTPReply) -> Void, HTTPReply, delay: Double)? {
    guard let exchange = open.removeValue(forKey: id) else { return nil }
    let answer = HTTPResponse(response)
    let reply = exchange.verdict?.harm.reply(inPlaceOf: answer) ?? .response(answer)
    return (exchange.reply, reply, exchange.verdict?.delay ?? 0)
  }

  /// Takes all out, oldest first.
  mutating func removeAll() -> [(id: WebimService.ExchangeID, reply: (HTTPReply) -> Void)] {
    let all = open.sorted { $0.key < $1.key }.map { ($0.key, $0.value.reply) }
    open = [:]
    return all
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
