import CEpoll
import Glibc

/// A responder behind a socket. Confined to its loop's thread.
package final class HTTPListener {
  /// The port it listens on, the system's choice if it was asked for 0.
  package let port: Int
  /// What a client writes to reach it, without a slash at the end.
  package let url: String
  /// How many connections were taken on since the start.
  package private(set) var accepted = 0
  /// How many connections are open.
  package private(set) var connections = 0

  private let loop: PollLoop
  private let responder: any HTTPResponder
  private var socket: Holder?
  private var daemons: [HTTPDaemon] = []
  private var retry: LoopTimer?

  /// What can be given up while the listener lives on.
  private final class Holder {
    let socket: ListeningSocket

    init(_ socket: consuming ListeningSocket) {
      self.socket = socket
    }
  }

  /// - Parameters:
  ///   - address: A numeric address of this machine, or `localhost`.
  ///   - port: 0 lets the system choose.
  ///   - responder: On the same loop.
  package init(
    loop: PollLoop, address: String = "127.0.0.1", port: Int = 0, responder: any HTTPResponder
  ) throws(ListenError) {
    let socket = try ListeningSocket(address: address, port: port)
    self.port = socket.port
    let host = address.utf8.contains(UInt8(ascii: ":")) ? "[\(address)]" : address
    self.url = "http://\(host):\(socket.port)"
    self.loop = loop
    self.responder = responder
    let descriptor = socket.descriptor
    self.socket = Holder(socket)
    watch(descriptor)
  }

  deinit {
    close()
  }

  /// Stops listening and closes every connection; requests held are abandoned.
  ///
  /// From within a request, the connections close after the present callback.
  package func close() {
    guard let socket else { return }
    self.socket = nil
    loop.unwatch(socket.socket.descriptor)
    if let retry { loop.cancel(retry) }
    let daemons = self.daemons
    self.daemons = []
    for daemon in daemons {
      if daemon.isRunning { loop.soon { daemon.stop() } } else { daemon.stop() }
    }
  }

  private func watch(_ descriptor: Int32) {
    loop.watch(descriptor, for: .read) { [unowned self] _ in accept(from: descriptor) }
  }

  private func accept(from descriptor: Int32) {
    // Some at a time: the connections that stand have their turn too.
    for _ in 0..<64 {
      var address = sockaddr_storage()
      var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
      let connection = withUnsafeMutablePointer(to: &address) { pointer in
        pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
          visitant_accept(descriptor, $0, &length)
        }
      }
      if connection >= 0 {
        guard let daemon = daemon() else {
          Glibc.close(connection)
          return pause(descriptor)
        }
        withUnsafePointer(to: address) { pointer in
          pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
            daemon.adopt(connection, address: $0, length: length)
          }
        }
        continue
      }
      if errno == EINTR || errno == ECONNABORTED { continue }
      if errno != EAGAIN { pause(descriptor) }
      return
    }
  }

  /// Waits for descriptors to become free: until then the socket would be ready for ever.
  private func pause(_ descriptor: Int32) {
    loop.unwatch(descriptor)
    retry = loop.schedule(after: 0.1) { [unowned self] in
      retry = nil
      watch(descriptor)
    }
  }

  /// One that has room; nil when there is none and no descriptor is left for another.
  private func daemon() -> HTTPDaemon? {
    if let daemon = daemons.last(where: { $0.connections < HTTPDaemon.capacity }) { return daemon }
    let daemon = HTTPDaemon(loop: loop, responder: responder) { [weak self] change in
      self?.connections += change
      if change > 0 { self?.accepted += 1 }
    }
    guard let daemon else { return nil }
    daemons.append(daemon)
    return daemon
  }
}
