/// What a far end does with a request.
package enum HTTPReply: Equatable, Sendable {
  case response(HTTPResponse)
  /// The connection is closed with no answer.
  case dropped
  /// The connection is closed when this many bytes of the answer's body have gone out, fewer than it has.
  case cut(HTTPResponse, after: Int)
}

/// The far end of links: the same object behind a listener's sockets and behind links in memory.
package protocol HTTPResponder: AnyObject {
  /// Takes a request, on its loop's thread.
  ///
  /// - Parameter reply: To be called once, now or later, on the same thread; a second call does nothing, nor
  ///   does one that comes after the peer has gone.
  /// - Returns: What the transport tells about a request held for later; `nil` when nobody wants to know.
  func respond(to request: HTTPRequest, _ reply: @escaping (HTTPReply) -> Void) -> HeldExchange?
}

/// A request whose answer is yet to come, as its responder sees it.
package struct HeldExchange {
  /// The peer has gone: the answer has nobody to go to. Called at most once, and not after the reply.
  package let abandoned: () -> Void

  package init(abandoned: @escaping () -> Void) {
    self.abandoned = abandoned
  }
}
