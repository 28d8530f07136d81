import CEpoll
import Glibc

@testable import Transport

/// A descriptor of a connection, byte by byte, on a loop.
final class RawConnection {
  private let loop: PollLoop
  private var descriptor: Int32
  /// What has come so far.
  private(set) var received: [UInt8] = []
  /// Whether the peer has closed.
  private(set) var hasEnded = false
  var onReceived: ((RawConnection) -> Void)?

  init(loop: PollLoop, descriptor: Int32) {
    self.loop = loop
    self.descriptor = descriptor
    loop.watch(descriptor, for: .read) { [unowned self] _ in take() }
  }

  /// Connects to a port of this machine.
  convenience init(loop: PollLoop, port: Int) {
    var address = sockaddr_storage()
    let length = visitant_fill_address(&address, "127.0.0.1", UInt16(port))
    let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    _ = withUnsafePointer(to: address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { connect(descriptor, $0, length) }
    }
    _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
    self.init(loop: loop, descriptor: descriptor)
  }

  deinit {
    close()
  }

  var text: String { String(decoding: received, as: UTF8.self) }

  func send(_ text: String) {
    let bytes = Array(text.utf8)
    _ = Glibc.send(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL))
  }

  func close() {
    guard descriptor >= 0 else { return }
    loop.unwatch(descriptor)
    // A process that is being started at this moment shares the descriptor: the peer must see the end all the
    // same.
    shutdown(descriptor, Int32(SHUT_RDWR))
    _ = Glibc.close(descriptor)
    descriptor = -1
  }

  private func take() {
    var buffer = [UInt8](repeating: 0, count: 65536)
    let count = read(descriptor, &buffer, buffer.count)
    if count > 0 {
      received.append(contentsOf: buffer[..<count])
      onReceived?(self)
    } else if count == 0 || errno != EAGAIN {
      hasEnded = true
      loop.unwatch(descriptor)
    }
  }
}

/// A port that is taken, so that nobody else gets it, and at which nobody listens.
final class SilentPort {
  let number: Int
  private let descriptor: Int32

  init() {
    let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    var address = sockaddr_storage()
    let length = visitant_fill_address(&address, "127.0.0.1", 0)
    _ = withUnsafePointer(to: address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(descriptor, $0, length) }
    }
    self.descriptor = descriptor
    number = Int(visitant_bound_port(descriptor))
  }

  deinit {
    close(descriptor)
  }
}

/// A server that does to its connections what no decent server would.
final class RawServer {
  let url: String
  private(set) var connections: [RawConnection] = []
  private let loop: PollLoop
  private let socket: ListeningSocket
  /// Called when a connection has sent something, with the connection's number from 0.
  private let onReceived: (RawConnection, Int) -> Void

  init(loop: PollLoop, onReceived: @escaping (RawConnection, Int) -> Void) throws {
    self.loop = loop
    self.onReceived = onReceived
    socket = try ListeningSocket(address: "127.0.0.1", port: 0)
    url = "http://127.0.0.1:\(socket.port)"
    loop.watch(socket.descriptor, for: .read) { [unowned self] _ in take() }
  }

  func close() {
    loop.unwatch(socket.descriptor)
    for connection in connections { connection.close() }
  }

  /// Everything that came, over all connections.
  var text: String { connections.map(\.text).joined() }

  private func take() {
    let descriptor = accept(socket.descriptor, nil, nil)
    guard descriptor >= 0 else { return }
    _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
    let connection = RawConnection(loop: loop, descriptor: descriptor)
    let number = connections.count
    connection.onReceived = { [unowned self] in onReceived($0, number) }
    connections.append(connection)
  }
}
