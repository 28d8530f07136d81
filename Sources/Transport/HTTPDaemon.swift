import CMicroHTTPD
import Glibc

/// A daemon of libmicrohttpd on a loop, without a thread: it serves the connections that it is given.
///
/// C holds a pointer to it: it must live until ``stop()`` has returned.
final class HTTPDaemon {
  /// What a connection's request may weigh up to its body: its line, its headers, and libmicrohttpd's record
  /// of them.
  ///
  /// libmicrohttpd takes that much for each connection at once.
  static let connectionBytes = 12 << 10
  /// How long a connection may be silent between and within requests, in seconds.
  static let idleSeconds: UInt32 = 120
  /// How many connections one daemon serves: waking one costs it a walk over all that sleep.
  static let capacity = 512

  let loop: PollLoop
  private(set) var responder: (any HTTPResponder)?
  private(set) var connections = 0
  private var daemon: OpaquePointer?
  private var epoll: Int32 = -1
  private var sleeping: [ObjectIdentifier: ServedExchange] = [:]
  private var timer: LoopTimer?
  private var timerDue = Double.infinity
  private var runIsDue = false
  /// Whether a request may be in the responder's hands right now.
  private(set) var isRunning = false
  private let connectionsChanged: (Int) -> Void

  /// Fails when libmicrohttpd cannot start one, mostly for want of descriptors.
  ///
  /// - Parameter connectionsChanged: Called with 1 when a connection was taken on and with -1 when one has
  ///   closed.
  init?(loop: PollLoop, responder: any HTTPResponder, connectionsChanged: @escaping (Int) -> Void) {
    self.loop = loop
    self.responder = responder
    self.connectionsChanged = connectionsChanged
    let context = Unmanaged.passUnretained(self).toOpaque()
    daemon = visitant_mhd_start(
      HTTPDaemon.connectionBytes, HTTPDaemon.idleSeconds, UInt32(HTTPDaemon.capacity) + 1, uriCame,
      requestCame,
      requestEnded, connectionCameOrWent, context)
    guard let daemon else { return nil }
    epoll = visitant_mhd_epoll(daemon)
    loop.watch(epoll, for: .read) { [unowned self] _ in run() }
  }

  /// Takes an accepted connection on, or closes it.
  func adopt(_ descriptor: Int32, address: UnsafePointer<sockaddr>, length: socklen_t) {
    guard let daemon else {
      Glibc.close(descriptor)
      return
    }
    if MHD_add_connection(daemon, descriptor, address, length) == .YES { runSoon() }
  }

  /// Lets the daemon do what is to be done, after the present callback.
  func runSoon() {
    guard !runIsDue else { return }
    runIsDue = true
    loop.soon { [self] in
      if runIsDue { run() }
    }
  }

  /// Closes every connection. Not to be called while a request is handed over.
  func stop() {
    guard let daemon else { return }
    precondition(!isRunning, "a daemon cannot be stopped from within a request")
    for exchange in Array(sleeping.values) { exchange.dropAndWake() }
    responder = nil
    loop.unwatch(epoll)
    if let timer { loop.cancel(timer) }
    timer = nil
    self.daemon = nil
    isRunning = true
    MHD_stop_daemon(daemon)
    isRunning = false
  }

  private func run() {
    runIsDue = false
    guard let daemon, !isRunning else { return }
    isRunning = true
    MHD_run(daemon)
    isRunning = false
    setTimer()
  }

  private func setTimer() {
    guard let daemon else { return }
    var milliseconds: UInt64 = 0
    guard MHD_get_timeout(daemon, &milliseconds) == .YES else { return }
    if milliseconds == 0 { return runSoon() }
    let seconds = Double(milliseconds) / 1000
    // One that comes earlier looks again by itself.
    guard timer == nil || loop.now + seconds < timerDue else { return }
    if let timer { loop.cancel(timer) }
    timerDue = loop.now + seconds
    timer = loop.schedule(after: seconds) { [unowned self] in
      timer = nil
      run()
    }
  }

  // MARK: For exchanges

  func holds(_ exchange: ServedExchange) {
    sleeping[ObjectIdentifier(exchange)] = exchange
  }

  func releases(_ exchange: ServedExchange) {
    sleeping[ObjectIdentifier(exchange)] = nil
  }

  fileprivate func connectionChanged(by change: Int) {
    connections += change
    connectionsChanged(change)
  }
}

// MARK: What libmicrohttpd calls

/// The daemon behind a callback's context.
private func httpDaemon(_ context: UnsafeMutableRawPointer) -> HTTPDaemon {
  Unmanaged<HTTPDaemon>.fromOpaque(context).takeUnretainedValue()
}

/// A request's line: its exchange begins, and travels with the request from here.
private func uriCame(
  context: UnsafeMutableRawPointer?, uri: UnsafePointer<CChar>?, connection: OpaquePointer?
) -> UnsafeMutableRawPointer? {
  guard let context, let uri, let connection else { return nil }
  let exchange = ServedExchange(
    daemon: httpDaemon(context), connection: connection, target: String(cString: uri))
  visitant_mhd_hide_query(uri)
  // Released by `requestEnded`.
  return Unmanaged.passRetained(exchange).toOpaque()
}

private func requestCame(
  context: UnsafeMutableRawPointer?, connection: OpaquePointer?, url: UnsafePointer<CChar>?,
  method: UnsafePointer<CChar>?, version: UnsafePointer<CChar>?, piece: UnsafePointer<CChar>?,
  length: UnsafeMutablePointer<Int>?, request: UnsafeMutablePointer<UnsafeMutableRawPointer?>?
) -> MHD_Result {
  guard let pointer = request?.pointee, let length else { return .NO }
  let exchange = Unmanaged<ServedExchange>.fromOpaque(pointer).takeUnretainedValue()
  let piece = UnsafeRawBufferPointer(start: piece, count: piece == nil ? 0 : length.pointee)
  let goesOn = exchange.proceed(method: method, piece: piece)
  length.pointee = 0
  return goesOn ? .YES : .NO
}

private func requestEnded(
  context: UnsafeMutableRawPointer?, connection: OpaquePointer?,
  request: UnsafeMutablePointer<UnsafeMutableRawPointer?>?, cause: MHD_RequestTerminationCode
) {
  guard let pointer = request?.pointee else { return }
  request?.pointee = nil
  let exchange = Unmanaged<ServedExchange>.fromOpaque(pointer).takeRetainedValue()
  exchange.ended()
}

private func connectionCameOrWent(
  context: UnsafeMutableRawPointer?, connection: OpaquePointer?,
  socketContext: UnsafeMutablePointer<UnsafeMutableRawPointer?>?, change: MHD_ConnectionNotificationCode
) {
  guard let context else { return }
  httpDaemon(context).connectionChanged(by: change == .CONNECTION_NOTIFY_STARTED ? 1 : -1)
}
