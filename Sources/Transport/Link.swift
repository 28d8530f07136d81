/// The connection of a visitor that a request goes over. A lane carries one request at a time, others wait in
/// order.
package enum Lane: Hashable, Sendable, CaseIterable {
  /// The long poll.
  case poll
  /// Everything the visitor does.
  case action
  /// What is read of the past; it keeps nothing that the visitor does waiting.
  case history
}

/// A request on its way over a link; its number is not used again by that link.
package struct ExchangeID: Hashable, Sendable {
  let number: UInt64
}

/// One visitor's connections to the service. Confined to its loop's thread.
package protocol Link: AnyObject {
  /// Sends a request and hands over its answer later, never before this call returns.
  ///
  /// An answer of any status is a success here; a failure means that there was no whole answer.
  func send(
    _ request: HTTPRequest, on lane: Lane,
    _ completion: @escaping (Result<HTTPResponse, LinkError>) -> Void
  ) -> ExchangeID

  /// Gives an exchange up: its completion is not called any more. One that has ended is no error.
  func cancel(_ exchange: ExchangeID)

  /// Ends every exchange with ``LinkError/Code/cancelled`` and closes the connections; later requests fail
  /// alike.
  func close()
}
