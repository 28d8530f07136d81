import CEpoll
import Glibc

/// A bound and listening descriptor.
struct ListeningSocket: ~Copyable {
  let descriptor: Int32
  /// The port that was asked for, or the system's choice.
  let port: Int

  /// - Parameters:
  ///   - address: A numeric address, or `localhost`.
  ///   - port: 0 lets the system choose.
  init(address: String, port: Int) throws(ListenError) {
    let numeric = address == "localhost" ? "127.0.0.1" : address
    guard (0...65535).contains(port) else {
      throw ListenError(code: .badAddress, address: address, port: port, detail: "there is no such port")
    }
    var storage = sockaddr_storage()
    let length = visitant_fill_address(&storage, numeric, UInt16(port))
    guard length > 0 else {
      throw ListenError(code: .badAddress, address: address, port: port, detail: "not a numeric address")
    }
    let descriptor = visitant_listen(&storage, length, 4096)
    guard descriptor >= 0 else { throw ListenError(errno, address: address, port: port) }
    self.descriptor = descriptor
    self.port = Int(visitant_bound_port(descriptor))
  }

  deinit {
    Glibc.close(descriptor)
  }
}

extension ListenError {
  fileprivate init(_ cause: Int32, address: String, port: Int) {
    let code: Code =
      switch cause {
      case EADDRINUSE: .taken
      case EACCES, EPERM: .permission
      case EADDRNOTAVAIL, EAFNOSUPPORT, EINVAL: .badAddress
      default: .other
      }
    let detail =
      switch code {
      case .taken: "another process listens there"
      case .permission: "this user may not"
      case .badAddress: "not an address of this machine"
      case .other: String(cString: strerror(cause))
      }
    self.init(code: code, address: address, port: port, detail: detail)
  }
}
