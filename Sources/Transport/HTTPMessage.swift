/// The two methods that chat services take.
package enum HTTPMethod: String, Sendable {
  case get = "GET"
  case post = "POST"
}

/// A header line.
package struct HTTPHeader: Equatable, Sendable {
  package var name: String
  package var value: String

  package init(name: String, value: String) {
    self.name = name
    self.value = value
  }
}

/// A request as a dialect builds it and a service reads it.
package struct HTTPRequest: Equatable, Sendable {
  package var method: HTTPMethod
  /// The path and query, beginning with a slash. A link sets its base URL before it, a listener takes it as
  /// it came.
  package var target: String
  package var headers: [HTTPHeader]
  package var body: [UInt8]
  /// The longest wait for the whole answer, in seconds of the loop's clock. The far end does not see it.
  package var timeout: Double

  package init(
    method: HTTPMethod = .get, target: String, headers: [HTTPHeader] = [], body: [UInt8] = [],
    timeout: Double = 60
  ) {
    self.method = method
    self.target = target
    self.headers = headers
    self.body = body
    self.timeout = timeout
  }
}

/// An answer, whole.
package struct HTTPResponse: Equatable, Sendable {
  package var status: Int
  package var headers: [HTTPHeader]
  package var body: [UInt8]

  package init(status: Int = 200, headers: [HTTPHeader] = [], body: [UInt8] = []) {
    self.status = status
    self.headers = headers
    self.body = body
  }
}

extension [HTTPHeader] {
  /// The value of the first header of this name, whatever its case.
  package subscript(name: String) -> String? {
    first { sameHeaderName($0.name, name) }?.value
  }
}

/// Whether two header names differ in nothing but the case of ASCII letters.
private func sameHeaderName(_ first: String, _ second: String) -> Bool {
  first.utf8.elementsEqual(second.utf8) { lowercased($0) == lowercased($1) }
}

private func lowercased(_ byte: UInt8) -> UInt8 {
  (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) ? byte | 0x20 : byte
}
