/// Why an address cannot be listened on.
package struct ListenError: Error, Equatable, Sendable, CustomStringConvertible {
  package enum Code: String, Sendable {
    /// Another process listens there.
    case taken
    /// This user may not listen there.
    case permission
    /// The address is not one of this machine, or not an address.
    case badAddress
    /// The rest: ``ListenError/detail`` says what.
    case other
  }

  package let code: Code
  package let address: String
  package let port: Int
  package let detail: String

  package init(code: Code, address: String, port: Int, detail: String) {
    self.code = code
    self.address = address
    self.port = port
    self.detail = detail
  }

  package var description: String { "cannot listen on \(address) port \(port): \(detail)" }
}
