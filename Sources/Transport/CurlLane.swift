import CCurl

/// One lane over a socket: its handle, its connection, and when that closes.
final class CurlLane: LaneCarrier {
  private enum State {
    /// No request. A handle may be left, and a connection with it.
    case resting
    /// A transfer is under way.
    case busy(token: UInt64)
    /// A request was refused before it left; its failure is about to be told.
    case failing(number: UInt64)
    /// The connection is being closed; a request may wait for that.
    case hangingUp(token: UInt64, next: HTTPRequest?)
  }

  var ended: ((Result<HTTPResponse, LinkError>) -> Void)?
  private let loop: PollLoop
  private let target: CurlTarget
  private let home: (multi: CurlMulti, scope: Int)
  private let bufferBytes: Int
  /// How long a connection without a request stays open while descriptors abound; `nil` for ever.
  private let idleSeconds: Double?
  private var state = State.resting
  private var transfer: CurlTransfer?
  private var isConnected = false
  private var idleTimer: LoopTimer?
  private var failures: UInt64 = 0

  init(
    loop: PollLoop, target: CurlTarget, home: (multi: CurlMulti, scope: Int), bufferBytes: Int,
    idleSeconds: Double?
  ) {
    self.loop = loop
    self.target = target
    self.home = home
    self.bufferBytes = bufferBytes
    self.idleSeconds = idleSeconds
  }

  deinit {
    home.multi.lanes -= 1
  }

  func begin(_ request: HTTPRequest) {
    stopIdleTimer()
    if case .hangingUp(let token, _) = state {
      state = .hangingUp(token: token, next: request)
      return
    }
    let transfer = self.transfer ?? CurlTransfer(target: target, scope: home.scope, bufferBytes: bufferBytes)
    self.transfer = transfer
    if let trouble = transfer.prepare(request) {
      fail(trouble)
    } else {
      state = .busy(token: home.multi.add(transfer, for: self))
    }
  }

  func abandon() -> Bool {
    switch state {
    case .resting: return false
    case .failing:
      state = .resting
      return false
    case .hangingUp(let token, _):
      state = .hangingUp(token: token, next: nil)
      return false
    case .busy:
      state = .resting
      guard let transfer else { return false }
      let delivered = transfer.mayHaveBeenDelivered
      home.multi.remove(transfer)
      isConnected = false
      rest()
      return delivered
    }
  }

  func close() {
    stopIdleTimer()
    if case .resting = state { hangUp() }
  }

  /// Called by the multi handle when a transfer has ended.
  func transferEnded(_ endedToken: UInt64, _ code: CURLcode) {
    switch state {
    case .busy(let token) where token == endedToken:
      guard let transfer else { return }
      state = .resting
      let result = transfer.result(code)
      isConnected = code == CURLE_OK
      rest()
      ended?(result)
    case .hangingUp(let token, let next) where token == endedToken:
      state = .resting
      transfer = nil
      if let next { begin(next) }
    default: break
    }
  }

  private func fail(_ detail: String) {
    failures += 1
    let number = failures
    state = .failing(number: number)
    loop.soon { [self] in
      guard case .failing(number) = state else { return }
      state = .resting
      rest()
      ended?(
        .failure(LinkError(code: .other, host: target.host, detail: detail, mayHaveBeenDelivered: false)))
    }
  }

  /// Sees to it that an idle connection closes in time.
  private func rest() {
    guard let idleSeconds else { return }
    guard isConnected, let transfer else {
      transfer = nil
      return
    }
    let seconds = Descriptors.idleSeconds(idleSeconds, descriptor: transfer.descriptor)
    idleTimer = loop.schedule(after: seconds) { [unowned self] in
      idleTimer = nil
      hangUp()
    }
  }

  private func stopIdleTimer() {
    guard let timer = idleTimer else { return }
    idleTimer = nil
    loop.cancel(timer)
  }

  private func hangUp() {
    guard let transfer, isConnected else {
      self.transfer = nil
      return
    }
    isConnected = false
    transfer.prepareHangUp()
    state = .hangingUp(token: home.multi.add(transfer, for: self), next: nil)
  }
}
