import Transport

extension PollLoop {
  /// Waits for a condition on the loop's own thread, looking at it every millisecond; whether it came to hold.
  ///
  /// The limit is a number of looks and no time: a loop that a busy machine slows looks the less often, so that only
  /// a condition which the loop had every chance to bring about is given up.
  package func comes(
    toHold condition: @escaping () -> Bool, looks: Int = 30_000
  ) async -> Bool {
    await withCheckedContinuation { continuation in
      look(looks, condition) { continuation.resume(returning: $0) }
    }
  }

  private func look(
    _ left: Int, _ condition: @escaping () -> Bool, _ then: @escaping (Bool) -> Void
  ) {
    if condition() { return then(true) }
    guard left > 0 else { return then(false) }
    _ = schedule(after: 0.001) { self.look(left - 1, condition, then) }
  }
}
