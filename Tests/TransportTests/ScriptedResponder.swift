import Transport

/// A far end that does what the request's path says, and remembers what it got.
final class ScriptedResponder: HTTPResponder {
  private(set) var requests: [HTTPRequest] = []
  private(set) var abandoned = 0
  /// Replies of requests that are held, oldest first.
  private(set) var held: [(HTTPReply) -> Void] = []
  /// Called with each request before anything else.
  var onRequest: ((HTTPRequest) -> Void)?

  func respond(to request: HTTPRequest, _ reply: @escaping (HTTPReply) -> Void) -> HeldExchange? {
    requests.append(request)
    onRequest?(request)
    let parts = request.target.prefix { $0 != "?" }.split(separator: "/")
    switch parts.first {
    case "echo":
      let type = HTTPHeader(name: "X-Echo", value: request.headers["x-word"] ?? "")
      reply(.response(HTTPResponse(status: 200, headers: [type], body: request.body)))
    case "size": reply(.response(HTTPResponse(body: bytes(number(parts, 1)))))
    case "status": reply(.response(HTTPResponse(status: number(parts, 1), body: Array("said".utf8))))
    case "drop": reply(.dropped)
    case "cut": reply(.cut(HTTPResponse(body: bytes(number(parts, 1))), after: number(parts, 2)))
    case "hold":
      held.append(reply)
      return HeldExchange { [unowned self] in abandoned += 1 }
    default: reply(.response(HTTPResponse(body: Array(request.target.utf8))))
    }
    return nil
  }

  /// Answers the oldest request that is held.
  func release(_ reply: HTTPReply = .response(HTTPResponse(body: Array("released".utf8)))) {
    held.removeFirst()(reply)
  }

  /// Answers every request that is held.
  func releaseAll(_ reply: HTTPReply = .response(HTTPResponse(body: Array("released".utf8)))) {
    let held = self.held
    self.held = []
    for one in held { one(reply) }
  }

  private func number(_ parts: [Substring], _ index: Int) -> Int {
    index < parts.count ? Int(parts[index]) ?? 0 : 0
  }
}

/// A body in which every byte tells its place.
func bytes(_ count: Int) -> [UInt8] { Array(pattern.prefix(count)) }

/// Made once: a sanitizer makes a byte dear.
private let pattern = (0..<300_000).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 8) }
