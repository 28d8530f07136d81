/// A visitor's connections to a service, over sockets.
package final class CurlLink: Link {
  /// - Parameter base: The service's URL; every request's target is set after it.
  package init(loop: PollLoop, base: String, options: LinkOptions = LinkOptions()) {}

  package func send(
    _ request: HTTPRequest, on lane: Lane,
    _ completion: @escaping (Result<HTTPResponse, LinkError>) -> Void
  ) -> ExchangeID { ExchangeID(number: 0) }

  package func cancel(_ exchange: ExchangeID) {}

  package func close() {}
}
