import Glibc

/// Values from other threads for the main thread, in order.
///
/// `@unchecked Sendable`: the guard is the mutex.
final class Mailbox<Value: Sendable>: @unchecked Sendable {
  private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
  private var values: [Value] = []
  private let wakeup: Wakeup

  init(waking wakeup: Wakeup) {
    self.wakeup = wakeup
    mutex.initialize(to: pthread_mutex_t())
    pthread_mutex_init(mutex, nil)
  }

  deinit {
    pthread_mutex_destroy(mutex)
    mutex.deallocate()
  }

  func put(_ value: Value) {
    pthread_mutex_lock(mutex)
    let wasEmpty = values.isEmpty
    values.append(value)
    pthread_mutex_unlock(mutex)
    if wasEmpty { wakeup.wake() }
  }

  func take() -> [Value] {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    let taken = values
    values = []
    return taken
  }
}
