/// What a thread of visitors runs on: time, timers, and work to do soon.
///
/// A loop is confined to its thread: only that thread may call these members. ``PollLoop`` keeps real time
/// and watches descriptors; ``ManualLoop`` is driven by its owner, in virtual time.
package protocol Loop: AnyObject {
  /// Seconds since the Unix epoch, never going back.
  ///
  /// The wall clock is read once, when the loop is made; from there on a monotonic clock counts.
  var now: Double { get }

  /// Runs `work` once `seconds` have passed, on the loop's thread.
  ///
  /// Timers run in the order of their times; those of one time in the order of their scheduling. Work that is
  /// due at once still waits for the loop's next turn.
  ///
  /// - Parameter seconds: Zero or less means the next turn; infinity never comes.
  func schedule(after seconds: Double, _ work: @escaping () -> Void) -> LoopTimer

  /// Forgets a timer. One that has run or was cancelled before is no error.
  func cancel(_ timer: LoopTimer)

  /// Runs `work` after the present callback, on the same thread, in order.
  func soon(_ work: @escaping () -> Void)
}

/// A timer of one loop; its number is not used again.
package struct LoopTimer: Hashable, Sendable {
  let number: UInt64
}
