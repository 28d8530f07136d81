import Dialects
import Transport

extension WireRequest {
  /// Reads a request off HTTP: query and url-encoded body are taken apart, a body of another type is left
  /// alone.
  ///
  /// Everything after the first question mark is the query: some clients add a second one (the Webim
  /// protocol, section 1.4).
  init(_ request: HTTPRequest) {
    let parts = request.target.utf8.split(
      separator: UInt8(ascii: "?"), maxSplits: 1, omittingEmptySubsequences: false)
    let path = parts.first.map { String(decoding: $0, as: UTF8.self) } ?? "/"
    self.init(
      request.method == .get ? .get : .post, FormCoding.decodePath(path),
      query: parts.count > 1 ? FormCoding.decode(parts[1]) : [],
      form: request.hasForm ? FormCoding.decode(request.body) : [],
      headers: request.headers.map { Parameter($0.name, $0.value) }, timeout: request.timeout)
  }
}

extension HTTPRequest {
  /// Whether the body is a form; one that does not say what it is counts as one.
  fileprivate var hasForm: Bool {
    guard method == .post, let type = headers["Content-Type"] else { return method == .post }
    return type.lowercased().hasPrefix("application/x-www-form-urlencoded")
  }
}

extension HTTPResponse {
  init(_ response: WireResponse) {
    self.init(
      status: response.status, headers: [HTTPHeader(name: "Content-Type", value: response.contentType)],
      body: response.body)
  }

  init(status: Int, text: String) {
    let isJSON = text.utf8.first == UInt8(ascii: "{")
    self.init(
      status: status,
      headers: [HTTPHeader(name: "Content-Type", value: isJSON ? "application/json" : "text/plain")],
      body: Array(text.utf8))
  }
}
