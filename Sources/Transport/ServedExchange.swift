import CMicroHTTPD
import Glibc

/// A request that a connection brought, from its first line to the end of its answer.
///
/// libmicrohttpd holds it from the request's line until it tells the end.
final class ServedExchange {
  private enum State {
    /// The headers and the body are coming.
    case receiving
    /// The body is longer than is taken; the rest is thrown away.
    case refusing
    /// The responder has it, and the connection sleeps.
    case held
    /// There is an answer, on its way out or about to be.
    case answered(HTTPReply)
    /// Nobody waits for an answer.
    case over
  }

  private unowned let daemon: HTTPDaemon
  private let connection: OpaquePointer
  private let target: String
  private var method: HTTPMethod?
  private var headers: [HTTPHeader] = []
  private var body: [UInt8] = []
  private var hasHeaders = false
  private var state = State.receiving
  private var held: HeldExchange?
  private var isSuspended = false

  /// The longest body that is taken, in bytes.
  static let maxBodyBytes = 16 << 20

  init(daemon: HTTPDaemon, connection: OpaquePointer, target: String) {
    self.daemon = daemon
    self.connection = connection
    self.target = target
  }

  /// Called by libmicrohttpd with the headers, with each piece of the body, at its end, and after each sleep.
  ///
  /// - Returns: Whether the connection goes on; if not, it closes as it is.
  func proceed(method: UnsafePointer<CChar>?, piece: UnsafeRawBufferPointer) -> Bool {
    guard hasHeaders else {
      takeHeaders(method)
      return true
    }
    guard piece.isEmpty else {
      take(piece)
      return true
    }
    switch state {
    case .receiving:
      ask()
      return settle()
    case .refusing:
      return send(HTTPResponse(status: 413))
    case .held, .answered, .over:
      return settle()
    }
  }

  /// Called by libmicrohttpd when nothing of the request is left.
  func ended() {
    if case .held = state { abandon() }
    state = .over
  }

  /// The listener closes: whoever waits gets no answer.
  func drop() {
    if case .held = state { abandon() }
  }

  // MARK: The request

  private func takeHeaders(_ method: UnsafePointer<CChar>?) {
    hasHeaders = true
    self.method = method.flatMap { HTTPMethod(rawValue: String(cString: $0)) }
    MHD_get_connection_values(
      connection, .HEADER_KIND,
      { context, _, name, value in
        guard let context, let name else { return .YES }
        let header = HTTPHeader(
          name: String(cString: name), value: value.map { String(cString: $0) } ?? "")
        Unmanaged<ServedExchange>.fromOpaque(context).takeUnretainedValue().headers.append(header)
        return .YES
      }, Unmanaged.passUnretained(self).toOpaque())
  }

  private func take(_ piece: UnsafeRawBufferPointer) {
    guard case .receiving = state else { return }
    if body.count + piece.count > ServedExchange.maxBodyBytes {
      body = []
      state = .refusing
    } else {
      body.append(contentsOf: piece)
    }
  }

  private func ask() {
    guard let method else {
      let allow = HTTPHeader(name: "Allow", value: "GET, POST")
      state = .answered(.response(HTTPResponse(status: 405, headers: [allow])))
      return
    }
    let request = HTTPRequest(
      method: method, target: target, headers: headers, body: body, timeout: .infinity)
    (headers, body) = ([], [])
    state = .held
    let held = daemon.responder?.respond(to: request) { [self] in reply($0) }
    if case .held = state { self.held = held }
  }

  // MARK: The answer

  private func reply(_ reply: HTTPReply) {
    guard case .held = state else { return }
    state = .answered(reply)
    held = nil
    wake()
  }

  /// Answers, or sleeps until there is an answer.
  private func settle() -> Bool {
    switch state {
    case .answered(.response(let response)): return send(response)
    case .answered(.cut(let response, let count)): return send(response, cutAfter: count)
    case .answered(.dropped), .over: return false
    case .held, .receiving, .refusing:
      sleep()
      return true
    }
  }

  private func send(_ response: HTTPResponse, cutAfter count: Int? = nil) -> Bool {
    state = .over
    guard let made = make(response, cutAfter: count) else { return false }
    for header in response.headers where !isOfTransport(header.name) {
      MHD_add_response_header(made, header.name, header.value)
    }
    defer { MHD_destroy_response(made) }
    return MHD_queue_response(connection, UInt32(clamping: response.status), made) == .YES
  }

  private func make(_ response: HTTPResponse, cutAfter count: Int?) -> OpaquePointer? {
    guard let count, count < response.body.count else {
      return response.body.withUnsafeBytes { bytes in
        MHD_create_response_from_buffer(
          bytes.count, UnsafeMutableRawPointer(mutating: bytes.baseAddress), .RESPMEM_MUST_COPY)
      }
    }
    let start = Unmanaged.passRetained(CutBody(bytes: Array(response.body.prefix(max(0, count)))))
    return MHD_create_response_from_callback(
      UInt64(response.body.count), 4096,
      { context, offset, buffer, capacity in
        guard let context, let buffer else { return visitant_mhd_cut() }
        let body = Unmanaged<CutBody>.fromOpaque(context).takeUnretainedValue()
        return body.read(from: Int(clamping: offset), into: buffer, capacity)
      },
      start.toOpaque(),
      { context in
        if let context { Unmanaged<CutBody>.fromOpaque(context).release() }
      })
  }

  // MARK: Sleeping

  /// Takes the connection out of the daemon's care. That does not watch it any more, so the loop does: for
  /// the peer's going.
  private func sleep() {
    isSuspended = true
    MHD_suspend_connection(connection)
    daemon.holds(self)
    let descriptor = visitant_mhd_descriptor(connection)
    daemon.loop.watch(descriptor, for: .hangUp) { [unowned self] _ in
      abandon()
      wake()
    }
  }

  private func wake() {
    guard isSuspended else { return }
    isSuspended = false
    daemon.loop.unwatch(visitant_mhd_descriptor(connection))
    daemon.releases(self)
    MHD_resume_connection(connection)
    daemon.runSoon()
  }

  /// Tells the responder that nobody waits any more.
  private func abandon() {
    state = .over
    let held = self.held
    self.held = nil
    held?.abandoned()
  }

  /// Wakes the connection so that it can close.
  func dropAndWake() {
    drop()
    wake()
  }
}

/// The part of a body that goes out before the connection closes.
private final class CutBody {
  private let bytes: [UInt8]

  init(bytes: [UInt8]) {
    self.bytes = bytes
  }

  func read(from offset: Int, into buffer: UnsafeMutablePointer<CChar>, _ capacity: Int) -> Int {
    guard offset < bytes.count else { return visitant_mhd_cut() }
    let count = min(capacity, bytes.count - offset)
    bytes.withUnsafeBytes { bytes in
      if let start = bytes.baseAddress { memcpy(buffer, start + offset, count) }
    }
    return count
  }
}

/// Whether a header is the transport's own business, not the responder's.
private func isOfTransport(_ name: String) -> Bool {
  ["Content-Length", "Transfer-Encoding"].contains { [HTTPHeader(name: $0, value: "")][name] != nil }
}
