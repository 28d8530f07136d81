import CCurl

/// A multi handle of libcurl on a loop. Many lanes share it, none of their connections.
///
/// A handle for each lane would cost two descriptors and 30 KB apiece; one handle for all lanes slows down
/// with their number.
final class CurlMulti {
  private struct Running {
    let lane: CurlLane
    let transfer: CurlTransfer
    let token: UInt64
  }

  let loop: PollLoop
  /// How many lanes have their home here; the pool counts.
  var lanes = 0
  private let multi: UnsafeMutableRawPointer
  private var running: [UnsafeMutableRawPointer: Running] = [:]
  private var nextToken: UInt64 = 0
  private var isOver = false
  private var timer: LoopTimer?
  private var timerDue = Double.infinity
  private var wanted = Double.infinity

  init(loop: PollLoop) {
    guard let multi = curl_multi_init() else { preconditionFailure("libcurl has no memory for a handle") }
    self.loop = loop
    self.multi = multi
    // libcurl would close idle connections beyond four times the transfers under way.
    visitant_curl_multi_set_long(multi, CURLMOPT_MAXCONNECTS, 4096)
    let context = Unmanaged.passUnretained(self).toOpaque()
    _ = visitant_curl_multi_set_socket_function(
      multi,
      { _, descriptor, what, context, _ in
        if let context { multiHandle(context).watch(descriptor, what) }
        return 0
      }, context)
    _ = visitant_curl_multi_set_timer_function(
      multi,
      { _, milliseconds, context in
        if let context { multiHandle(context).wantTimer(milliseconds) }
        return 0
      }, context)
  }

  deinit {
    curl_multi_cleanup(multi)
    if let timer { loop.cancel(timer) }
  }

  /// Takes back every transfer: nobody will drive them any more.
  func removeAll() {
    isOver = true
    let running = self.running
    self.running = [:]
    for easy in running.keys { curl_multi_remove_handle(multi, easy) }
  }

  /// Starts a transfer; its lane is told of the end with the token that comes back.
  func add(_ transfer: CurlTransfer, for lane: CurlLane) -> UInt64 {
    nextToken += 1
    guard !isOver else { return nextToken }
    running[transfer.easy] = Running(lane: lane, transfer: transfer, token: nextToken)
    curl_multi_add_handle(multi, transfer.easy)
    return nextToken
  }

  /// Takes a transfer back before its end; its connection closes.
  func remove(_ transfer: CurlTransfer) {
    guard let removed = running.removeValue(forKey: transfer.easy) else { return }
    curl_multi_remove_handle(multi, removed.transfer.easy)
  }

  private func act(on descriptor: Int32, _ mask: Int32) {
    var count: Int32 = 0
    curl_multi_socket_action(multi, descriptor, mask, &count)
    tellEnded()
  }

  private func tellEnded() {
    var ended: [(Running, CURLcode)] = []
    var left: Int32 = 0
    while let message = curl_multi_info_read(multi, &left) {
      guard let easy = visitant_curl_ended(message) else { continue }
      let code = visitant_curl_result(message)
      curl_multi_remove_handle(multi, easy)
      if let one = running.removeValue(forKey: easy) { ended.append((one, code)) }
    }
    for (one, code) in ended { one.lane.transferEnded(one.token, code) }
  }

  // MARK: What libcurl asks for. It may not be called from here.

  fileprivate func watch(_ descriptor: Int32, _ what: Int32) {
    guard what != CURL_POLL_REMOVE else { return loop.unwatch(descriptor) }
    var interest: Readiness = []
    if what & CURL_POLL_IN != 0 { interest.insert(.read) }
    if what & CURL_POLL_OUT != 0 { interest.insert(.write) }
    loop.watch(descriptor, for: interest) { [unowned self] ready in
      var mask: Int32 = 0
      if ready.contains(.read) { mask |= CURL_CSELECT_IN }
      if ready.contains(.write) { mask |= CURL_CSELECT_OUT }
      if ready.contains(.hangUp) { mask |= CURL_CSELECT_ERR }
      act(on: descriptor, mask)
    }
  }

  /// - Parameter milliseconds: Below zero: no timer any more.
  fileprivate func wantTimer(_ milliseconds: Int) {
    guard milliseconds >= 0 else {
      wanted = .infinity
      return
    }
    wanted = loop.now + Double(milliseconds) / 1000
    // One that comes earlier than wanted looks again by itself.
    guard wanted < timerDue else { return }
    setTimer(after: Double(milliseconds) / 1000)
  }

  private func setTimer(after seconds: Double) {
    if let timer { loop.cancel(timer) }
    timerDue = loop.now + seconds
    timer = loop.schedule(after: seconds) { [unowned self] in timerCame() }
  }

  private func timerCame() {
    timer = nil
    timerDue = .infinity
    guard wanted < .infinity else { return }
    let wait = wanted - loop.now
    if wait > 0 {
      setTimer(after: wait)
    } else {
      wanted = .infinity
      act(on: CURL_SOCKET_TIMEOUT, 0)
    }
  }
}

/// The object behind a callback's context. It outlives the callbacks: it owns the handle that makes them.
private func multiHandle(_ context: UnsafeMutableRawPointer) -> CurlMulti {
  Unmanaged<CurlMulti>.fromOpaque(context).takeUnretainedValue()
}

/// The multi handles of a loop.
final class CurlPool: LoopResource {
  /// How many lanes a handle takes: those of 64 visitors, a third of which read history and rest for the most
  /// part.
  static let capacity = 64 * Lane.allCases.count

  private var multis: [CurlMulti] = []
  private var nextScope = 1

  func loopEnds() {
    for multi in multis { multi.removeAll() }
  }

  /// A home for another lane, and the number that keeps its connection its own.
  func join(on loop: PollLoop) -> (multi: CurlMulti, scope: Int) {
    defer { nextScope = nextScope == Int(Int32.max) ? 1 : nextScope + 1 }
    if let multi = multis.last(where: { $0.lanes < CurlPool.capacity }) {
      multi.lanes += 1
      return (multi, nextScope)
    }
    let multi = CurlMulti(loop: loop)
    multi.lanes = 1
    multis.append(multi)
    return (multi, nextScope)
  }
}
