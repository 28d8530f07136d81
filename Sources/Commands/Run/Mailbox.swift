import Transport

/// Values from other threads for the main thread, in order.
///
/// `@unchecked Sendable`: the guard is the lock.
final class Mailbox<Value: Sendable>: @unchecked Sendable {
  private let lock = Lock()
  private var values: [Value] = []
  private let wakeup: Wakeup

  init(waking wakeup: Wakeup) {
    self.wakeup = wakeup
  }

  func put(_ value: Value) {
    let wasEmpty = lock.withLock {
      values.append(value)
      return values.count == 1
    }
    if wasEmpty { wakeup.wake() }
  }

  func take() -> [Value] {
    lock.withLock {
      defer { values = [] }
      return values
    }
  }
}
