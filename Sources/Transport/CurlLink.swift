/// A visitor's connections to a service, over sockets.
///
/// The poll's connection is kept; the actions' closes when it has been idle, and history's sooner. None is
/// ever another visitor's. Redirects are not followed, cookies not kept, answers not compressed.
package final class CurlLink: Link {
  private let lanes: Lanes

  /// - Parameters:
  ///   - base: The service's URL, with a path or without; every request's target is set after it.
  ///   - options: How its connections behave.
  package init(loop: PollLoop, base: String, options: LinkOptions = LinkOptions()) {
    let target = CurlTarget(base: base, options: options)
    let pool = loop.resource { CurlPool() }
    lanes = Lanes(loop: loop, host: target.host) { lane in
      CurlLane(
        loop: loop, target: target, home: pool.join(on: loop), bufferBytes: lane == .poll ? 1024 : 16 << 10,
        idleSeconds: Self.idleSeconds(of: lane, options))
    }
  }

  /// How long a connection without a request stays open.
  private static func idleSeconds(of lane: Lane, _ options: LinkOptions) -> Double? {
    switch lane {
    case .poll: nil
    case .action: options.idleActionSeconds
    case .history: min(1, options.idleActionSeconds)
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
