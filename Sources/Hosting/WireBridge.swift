package import Dialects
package import Transport

extension HTTPRequest {
  /// A dialect's request as bytes for a link.
  package init(_ wire: WireRequest) {
    var target = wire.path
    if !wire.query.isEmpty {
      target += "?" + String(decoding: FormCoding.encode(wire.query), as: UTF8.self)
    }
    var headers = wire.headers.map { HTTPHeader(name: $0.name, value: $0.value) }
    var body: [UInt8] = []
    if wire.method == .post {
      body = FormCoding.encode(wire.form)
      if headers["Content-Type"] == nil {
        headers.append(HTTPHeader(name: "Content-Type", value: "application/x-www-form-urlencoded"))
      }
    }
    self.init(
      method: wire.method == .get ? .get : .post, target: target, headers: headers, body: body,
      timeout: wire.timeout)
  }
}

extension Lane {
  /// The connection for a lane of a session.
  init(_ lane: WebimSession.Lane) {
    switch lane {
    case .poll: self = .poll
    case .action: self = .action
    case .history: self = .history
    }
  }
}

extension WireResponse {
  /// A link's answer as a dialect reads it.
  package init(_ response: HTTPResponse) {
    self.init(
      status: response.status, contentType: response.headers["Content-Type"] ?? "", body: response.body)
  }
}

extension WireFailure {
  /// A link's failure as a dialect reads it.
  package init(_ error: LinkError) {
    let code: Code =
      switch error.code {
      case .unresolved: .unresolved
      case .refused: .refused
      case .timedOut: .timedOut
      case .closed, .cancelled: .closed
      case .tls: .tls
      case .proxy, .tooLarge, .other: .other
      }
    self.init(code: code, detail: error.description, mayHaveBeenDelivered: error.mayHaveBeenDelivered)
  }
}
