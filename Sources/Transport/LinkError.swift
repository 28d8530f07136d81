/// Why a request got no whole answer.
package struct LinkError: Error, Equatable, Sendable, CustomStringConvertible {
  package enum Code: String, Sendable {
    /// The host's name has no address.
    case unresolved
    /// Nobody listens there, or no way leads there.
    case refused
    /// The request's time is over.
    case timedOut
    /// The connection ended before the whole answer had come.
    case closed
    /// TLS could not be agreed on, or the certificate is not trusted.
    case tls
    /// The proxy refused, or has no address.
    case proxy
    /// The link was closed meanwhile.
    case cancelled
    /// The answer is longer than the link's limit.
    case tooLarge
    /// The rest: ``LinkError/detail`` says what.
    case other
  }

  package let code: Code
  /// The service's host, as the base URL names it.
  package let host: String
  /// What the transport says of it, for people. It holds nothing of the request.
  package let detail: String
  /// Whether the service may have got the request: only then can a repeat do a thing twice.
  package let mayHaveBeenDelivered: Bool

  package init(code: Code, host: String, detail: String, mayHaveBeenDelivered: Bool) {
    self.code = code
    self.host = host
    self.detail = detail
    self.mayHaveBeenDelivered = mayHaveBeenDelivered
  }

  package var description: String { "\(host): \(detail)" }
}
