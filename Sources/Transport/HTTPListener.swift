/// A responder behind a socket.
package final class HTTPListener {
  /// The port it listens on, the system's choice if it was asked for 0.
  package let port: Int
  /// What a client writes to reach it, without a slash at the end.
  package let url: String

  /// - Parameter address: A numeric address of this machine, or `localhost`.
  package init(
    loop: PollLoop, address: String = "127.0.0.1", port: Int = 0, responder: any HTTPResponder
  ) throws(ListenError) {
    self.port = port
    self.url = "http://\(address):\(port)"
  }

  /// Stops listening and closes every connection; requests held are abandoned.
  package func close() {}
}
