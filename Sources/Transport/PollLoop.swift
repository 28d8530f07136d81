import CEpoll
import Glibc
import Synchronization

/// What a descriptor is watched for, or ready for.
package struct Readiness: OptionSet, Sendable {
  package let rawValue: UInt8

  package init(rawValue: UInt8) {
    self.rawValue = rawValue
  }

  package static let read = Readiness(rawValue: 1)
  package static let write = Readiness(rawValue: 2)
  /// The peer has closed its side, or the descriptor has failed. A failure is told unasked.
  package static let hangUp = Readiness(rawValue: 4)
}

/// A loop of one thread over epoll: real time, timers, descriptors, and the executor of the actors that live
/// on it.
///
/// Whoever makes it may set things up before ``start()``. From then on its thread owns it, and only
/// ``post(_:)``, ``enqueue(_:)`` and ``stop()`` may be called from elsewhere. After ``stop()`` what is left
/// belongs to the one who stopped it.
package final class PollLoop: Loop, SerialExecutor, @unchecked Sendable {
  // The guard: `lock` for `mailbox`, `wakePending`, `stopping` and `isOver`; the loop's thread for what is
  // below.
  private let lock = Lock()
  private var mailbox: [Work] = []
  private var wakePending = false
  private var stopping = false
  private var isOver = false
  /// The running thread; 0 before the start and after the end.
  private let owner = Atomic<UInt>(0)
  private let poller = Poller()
  private let name: String
  private let epochOffset: Double

  // Confined
  private var thread: pthread_t?
  private var timers = TimerQueue()
  private var local = WorkQueue<Work>()
  private var watches: [Int32: Watch] = [:]
  private var watchNumber: UInt32 = 0
  private var resources: [ObjectIdentifier: any LoopResource] = [:]

  private enum Work {
    case closure(() -> Void)
    case job(UnownedJob)
  }

  private struct Watch {
    let number: UInt32
    let handler: (Readiness) -> Void
  }

  /// How much work that brings forth more work is done before descriptors get their turn.
  private static let batch = 4096

  /// - Parameter name: The thread's name; the system keeps 15 bytes of it.
  package init(name: String = "loop") {
    self.name = name
    epochOffset = reading(of: CLOCK_REALTIME) - reading(of: CLOCK_MONOTONIC)
  }

  // MARK: Time

  package var now: Double { epochOffset + reading(of: CLOCK_MONOTONIC) }

  package func schedule(after seconds: Double, _ work: @escaping () -> Void) -> LoopTimer {
    assertConfined()
    guard !isOver else { return LoopTimer(number: 0) }
    return timers.add(due: now + max(0, seconds), work)
  }

  package func cancel(_ timer: LoopTimer) {
    assertConfined()
    // What the work held is let go only after the queue is at rest: that may come back here.
    let dropped = timers.cancel(timer)
    withExtendedLifetime(dropped) {}
  }

  package func soon(_ work: @escaping () -> Void) {
    assertConfined()
    if !isOver { local.append(.closure(work)) }
  }

  // MARK: From other threads

  /// Runs `work` on the loop's thread. May be called from any thread.
  ///
  /// What one thread posts runs in its order. After ``stop()`` nothing runs any more.
  package func post(_ work: @escaping @Sendable () -> Void) {
    put(.closure(work))
  }

  package func enqueue(_ job: consuming ExecutorJob) {
    put(.job(UnownedJob(job)))
  }

  private func put(_ work: Work) {
    if isCurrent {
      if !isOver { local.append(work) }
      return
    }
    let mustWake = lock.withLock {
      guard !isOver else { return false }
      mailbox.append(work)
      defer { wakePending = true }
      return !wakePending
    }
    if mustWake { poller.wake() }
  }

  // MARK: Executor

  package func asUnownedSerialExecutor() -> UnownedSerialExecutor { UnownedSerialExecutor(ordinary: self) }

  package func checkIsolated() {
    precondition(isCurrent, "not on the thread of the loop \(name)")
  }

  package func isIsolatingCurrentContext() -> Bool? { isCurrent }

  private var isCurrent: Bool { owner.load(ordering: .relaxed) == UInt(pthread_self()) }

  private func assertConfined() {
    assert(isCurrent || owner.load(ordering: .relaxed) == 0, "not on the thread of the loop \(name)")
  }

  // MARK: Life

  /// Starts the thread.
  package func start() {
    precondition(thread == nil, "the loop \(name) was started before")
    let loop = Unmanaged.passRetained(self)
    var created = pthread_t()
    let status = pthread_create(&created, nil, { runLoop($0) }, loop.toOpaque())
    precondition(status == 0, "no thread is left for the loop \(name)")
    thread = created
  }

  /// Ends the thread and waits for it; what was posted before is still done.
  ///
  /// Timers, descriptors and what they hold are let go on the loop's thread. Not to be called there.
  package func stop() {
    guard let thread else { return }
    precondition(!isCurrent, "the loop \(name) cannot wait for itself")
    lock.withLock { stopping = true }
    poller.wake()
    pthread_join(thread, nil)
    self.thread = nil
  }

  fileprivate func run() {
    owner.store(UInt(pthread_self()), ordering: .relaxed)
    blockSignals()
    visitant_name_thread(name)
    while !takeMailbox() {
      runTimers()
      let timeout = waitMilliseconds()
      poller.wait(milliseconds: timeout) { key, events in
        dispatch(key: key, events: events)
      }
    }
    letGo()
    owner.store(0, ordering: .relaxed)
  }

  /// Does what came from other threads, and reports whether the loop is to end.
  private func takeMailbox() -> Bool {
    let (works, ends) = lock.withLock {
      defer {
        mailbox = []
        wakePending = false
      }
      return (mailbox, stopping)
    }
    for work in works { runOne(work) }
    drainLocal()
    return ends
  }

  private func runTimers() {
    let limit = timers.nextNumber
    let time = now
    while let work = timers.takeDue(at: time, before: limit) { runOne(.closure(work)) }
  }

  private func waitMilliseconds() -> Int32 {
    if !local.isEmpty { return 0 }
    guard let due = timers.nextDue() else { return -1 }
    let wait = ((due - now) * 1000).rounded(.up)
    return Int32(min(max(0, wait), 3_600_000))
  }

  private func dispatch(key: UInt64, events: UInt32) {
    // The number tells a descriptor from an earlier one of the same value, whose event came in the same
    // batch.
    let descriptor = Int32(truncatingIfNeeded: key)
    guard let watch = watches[descriptor], watch.number == UInt32(key >> 32) else { return }
    var ready: Readiness = []
    if events & visitant_epoll_in != 0 { ready.insert(.read) }
    if events & visitant_epoll_out != 0 { ready.insert(.write) }
    if events & (visitant_epoll_rdhup | visitant_epoll_hup | visitant_epoll_err) != 0 {
      ready.insert(.hangUp)
    }
    watch.handler(ready)
    drainLocal()
  }

  private func runOne(_ work: Work) {
    run(work)
    drainLocal()
  }

  private func run(_ work: Work) {
    switch work {
    case .closure(let closure): closure()
    case .job(let job): job.runSynchronously(on: asUnownedSerialExecutor())
    }
  }

  private func drainLocal() {
    for _ in 0..<PollLoop.batch {
      guard let work = local.popFirst() else { return }
      run(work)
    }
  }

  /// From here on nothing runs: what is still given to the loop is let go at once.
  private func letGo() {
    let mailbox = lock.withLock {
      defer { self.mailbox = [] }
      isOver = true
      return self.mailbox
    }
    for resource in resources.values { resource.loopEnds() }
    let (watches, timers, local, resources) = (self.watches, self.timers, self.local, self.resources)
    for descriptor in watches.keys { poller.unwatch(descriptor) }
    self.watches = [:]
    self.timers = TimerQueue()
    self.local = WorkQueue()
    self.resources = [:]
    withExtendedLifetime((mailbox, watches, timers, local, resources)) {}
  }

  // MARK: Descriptors

  /// Calls `handler` whenever the descriptor is ready for one of `interest`, until ``unwatch(_:)``.
  ///
  /// A second call for the same descriptor takes the place of the first.
  package func watch(_ descriptor: Int32, for interest: Readiness, _ handler: @escaping (Readiness) -> Void) {
    assertConfined()
    watchNumber &+= 1
    let watch = Watch(number: watchNumber, handler: handler)
    let previous = watches.updateValue(watch, forKey: descriptor)
    var events: UInt32 = 0
    if interest.contains(.read) { events |= visitant_epoll_in }
    if interest.contains(.write) { events |= visitant_epoll_out }
    if interest.contains(.hangUp) { events |= visitant_epoll_rdhup }
    let key = UInt64(watchNumber) << 32 | UInt64(UInt32(bitPattern: descriptor))
    poller.watch(descriptor, events: events, key: key, known: previous != nil)
    withExtendedLifetime(previous) {}
  }

  /// Forgets a descriptor, before it is closed. One that is not watched is no error.
  package func unwatch(_ descriptor: Int32) {
    assertConfined()
    let previous = watches.removeValue(forKey: descriptor)
    if previous != nil { poller.unwatch(descriptor) }
    withExtendedLifetime(previous) {}
  }

  // MARK: Resources

  /// What the loop keeps one of for everybody on it, made at the first call and let go when the loop ends.
  func resource<Resource: LoopResource>(_ make: () -> Resource) -> Resource {
    assertConfined()
    let key = ObjectIdentifier(Resource.self)
    if let resource = resources[key] as? Resource { return resource }
    let resource = make()
    resources[key] = resource
    return resource
  }
}

/// What a loop keeps one of.
protocol LoopResource: AnyObject {
  /// The loop will do nothing any more.
  func loopEnds()
}

/// A loop's thread.
private func runLoop(_ argument: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
  guard let argument else { return nil }
  Unmanaged<PollLoop>.fromOpaque(argument).takeRetainedValue().run()
  return nil
}

/// Leaves the process's signals to its first thread, and writes to a closed connection to their return value.
private func blockSignals() {
  var signals = sigset_t()
  sigemptyset(&signals)
  for signal in [SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGPIPE, SIGCHLD, SIGUSR1, SIGUSR2, SIGWINCH] {
    sigaddset(&signals, signal)
  }
  pthread_sigmask(SIG_BLOCK, &signals, nil)
}

/// A clock's reading, in seconds.
private func reading(of clock: clockid_t) -> Double {
  var time = timespec()
  clock_gettime(clock, &time)
  return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
}
