import Glibc

/// What the main thread sleeps on: a pipe that signals and other threads write to.
final class Wakeup: Sendable {
  private let reader: Int32
  private let writer: Int32

  /// What woke the main thread.
  enum Reason: UInt8 {
    /// There is something to look at.
    case news = 1
    /// The user wants the command to end.
    case interrupt = 2
    /// Its time is over.
    case over = 3
  }

  /// - Throws: ``CommandFailure`` with status 5 when the process may open no more files.
  init() throws(CommandFailure) {
    var ends: [Int32] = [0, 0]
    guard pipe(&ends) == 0 else {
      throw CommandFailure(.host, "this process gets no pipe to wait on: \(String(cString: strerror(errno)))")
    }
    reader = ends[0]
    writer = ends[1]
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    // A full pipe already holds what wakes the reader; a writer must not wait for it.
    _ = fcntl(writer, F_SETFL, O_NONBLOCK)
  }

  deinit {
    close(reader)
    close(writer)
  }

  /// Makes Ctrl-C and a polite kill wake the main thread, and the second of them end the process at once,
  /// whatever stands still; a closed standard output no longer ends it.
  func watchSignals() {
    signalWriter = writer
    signal(SIGPIPE, SIG_IGN)
    // A parent may have left them blocked.
    var set = sigset_t()
    sigemptyset(&set)
    for number in [SIGINT, SIGTERM, SIGHUP] { sigaddset(&set, number) }
    pthread_sigmask(SIG_UNBLOCK, &set, nil)
    for number in [SIGINT, SIGTERM, SIGHUP] {
      signal(number) { _ in
        if wasInterrupted != 0 { _exit(ExitStatus.interrupted.rawValue) }
        wasInterrupted = 1
        var byte = Wakeup.Reason.interrupt.rawValue
        _ = write(signalWriter, &byte, 1)
      }
    }
  }

  /// Wakes the main thread, from any thread.
  func wake(_ reason: Reason = .news) {
    var byte = reason.rawValue
    _ = write(writer, &byte, 1)
  }

  /// Sleeps until something happens.
  func wait() -> Reason {
    var byte: UInt8 = 0
    while read(reader, &byte, 1) != 1 {
      precondition(errno == EINTR, "a wakeup's pipe is open as long as it lives")
    }
    return Reason(rawValue: byte) ?? .news
  }
}

/// The guard: written once, before the handlers that read it are installed.
nonisolated(unsafe) private var signalWriter: Int32 = -1

/// The guard: only a signal handler touches it, and a second one at the same time may leave as well.
nonisolated(unsafe) private var wasInterrupted: sig_atomic_t = 0
