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

  init() {
    var ends: [Int32] = [0, 0]
    // Without a pipe nothing can be waited for; the reads below then return at once and the command ends.
    _ = pipe(&ends)
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

  /// Makes Ctrl-C and a polite kill wake the main thread; a closed standard output no longer ends the process.
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

  /// Sleeps until something happens; nil when the pipe is broken.
  func wait() -> Reason? {
    var byte: UInt8 = 0
    while true {
      let count = read(reader, &byte, 1)
      if count == 1 { return Reason(rawValue: byte) }
      if count < 0, errno == EINTR { continue }
      return nil
    }
  }
}

/// The guard: written once, before the handlers that read it are installed.
nonisolated(unsafe) private var signalWriter: Int32 = -1
