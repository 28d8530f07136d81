/// A request of a dialect before it is bytes, and after: the same at both ends.
package struct WireRequest: Equatable, Sendable {
  package enum Method: String, Equatable, Sendable {
    case get = "GET"
    case post = "POST"
  }

  /// A name and its value, not encoded; the order is kept.
  package struct Parameter: Equatable, Sendable {
    package var name: String
    package var value: String

    package init(_ name: String, _ value: String) {
      self.name = name
      self.value = value
    }
  }

  package var method: Method
  /// From the service's base URL on, without a query.
  package var path: String
  package var query: [Parameter]
  /// The url-encoded body of a post.
  package var form: [Parameter]
  package var headers: [Parameter]
  /// The longest wait for the whole answer once the request's turn has come, in seconds.
  package var timeout: Double

  package init(
    _ method: Method, _ path: String, query: [Parameter] = [], form: [Parameter] = [],
    headers: [Parameter] = [], timeout: Double
  ) {
    self.method = method
    self.path = path
    self.query = query
    self.form = form
    self.headers = headers
    self.timeout = timeout
  }

  /// A parameter wherever it stands: a server merges query and body (the protocol's section 1.2).
  package subscript(_ name: String) -> String? {
    (form.last { $0.name == name } ?? query.last { $0.name == name })?.value
  }
}

/// An answer of a dialect's server.
package struct WireResponse: Equatable, Sendable {
  package var status: Int
  package var contentType: String
  package var body: [UInt8]

  package init(status: Int = 200, contentType: String = "application/json", body: [UInt8]) {
    self.status = status
    self.contentType = contentType
    self.body = body
  }
}

/// Why no answer came.
package struct WireFailure: Error, Equatable, Sendable, CustomStringConvertible {
  package enum Code: String, Equatable, Sendable {
    case unresolved, refused, timedOut, closed, tls, other
  }

  package var code: Code
  /// One line for a person: host, port and what the system said.
  package var detail: String
  /// Whether the service may have acted on the request all the same.
  package var mayHaveBeenDelivered: Bool

  package init(code: Code, detail: String, mayHaveBeenDelivered: Bool) {
    self.code = code
    self.detail = detail
    self.mayHaveBeenDelivered = mayHaveBeenDelivered
  }

  package var description: String { detail }
}
