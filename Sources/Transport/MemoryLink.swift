/// A link with no sockets: requests and answers go through the loop, on a manual clock as on a real one.
package final class MemoryLink: Link {
  package init(loop: any Loop, responder: any HTTPResponder, host: String = "memory", latency: Double = 0) {}

  package func send(
    _ request: HTTPRequest, on lane: Lane,
    _ completion: @escaping (Result<HTTPResponse, LinkError>) -> Void
  ) -> ExchangeID { ExchangeID(number: 0) }

  package func cancel(_ exchange: ExchangeID) {}

  package func close() {}
}
