/// A loop whose clock is moved by hand: virtual time, for rehearsals without sockets and for tests.
package final class ManualLoop: Loop {
  package private(set) var now: Double
  private var timers = TimerQueue()
  private var pending = WorkQueue<() -> Void>()

  /// - Parameter start: The time on its clock at the beginning, in seconds since the Unix epoch.
  package init(start: Double = 1_700_000_000) {
    now = start
  }

  package func schedule(after seconds: Double, _ work: @escaping () -> Void) -> LoopTimer {
    timers.add(due: now + max(0, seconds), work)
  }

  package func cancel(_ timer: LoopTimer) {
    let dropped = timers.cancel(timer)
    withExtendedLifetime(dropped) {}
  }

  package func soon(_ work: @escaping () -> Void) {
    pending.append(work)
  }

  /// When the next timer is due, in seconds since the Unix epoch.
  package var nextTimer: Double? { timers.nextDue() }

  /// Does what is to be done without the clock moving.
  ///
  /// - Parameter limit: How many pieces of work at most, so that two which call each other do not go on for
  ///   ever.
  /// - Returns: Whether nothing is left to do now.
  @discardableResult
  package func runUntilIdle(limit: Int = 1_000_000) -> Bool {
    for _ in 0..<limit where !step() { return true }
    return !hasWorkNow
  }

  /// Moves the clock, doing what becomes due on the way at its own time.
  ///
  /// - Parameter limit: How many pieces of work at most.
  /// - Returns: Whether the clock got there.
  @discardableResult
  package func advance(by seconds: Double, limit: Int = 1_000_000) -> Bool {
    let end = now + max(0, seconds)
    for _ in 0..<limit where !step() {
      guard let due = timers.nextDue(), due <= end else {
        now = end
        return true
      }
      now = max(now, due)
    }
    return false
  }

  /// Runs, the clock jumping from timer to timer, until `condition` holds.
  ///
  /// - Parameter seconds: How far the clock may go.
  /// - Returns: Whether the condition holds; `false` also when nothing is left that could bring it about.
  @discardableResult
  package func runUntil(
    within seconds: Double = .infinity, limit: Int = 1_000_000, _ condition: () -> Bool
  ) -> Bool {
    let end = now + seconds
    for _ in 0..<limit {
      if condition() { return true }
      if step() { continue }
      guard let due = timers.nextDue(), due <= end else { return false }
      now = max(now, due)
    }
    return condition()
  }

  /// Does one piece of work, if there is one that needs no time to pass.
  private func step() -> Bool {
    guard let work = pending.popFirst() ?? timers.takeDue(at: now, before: timers.nextNumber) else {
      return false
    }
    work()
    return true
  }

  private var hasWorkNow: Bool {
    guard pending.isEmpty else { return true }
    guard let due = timers.nextDue() else { return false }
    return due <= now
  }
}
