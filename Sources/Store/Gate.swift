import Glibc

/// A lock and a bell: who waits for a condition sleeps until somebody rings.
final class Gate: @unchecked Sendable {
  // The guard is the mutex itself: addresses do not change, and the calls may come from any thread.
  private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
  private let bell = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)

  init() {
    mutex.initialize(to: pthread_mutex_t())
    bell.initialize(to: pthread_cond_t())
    pthread_mutex_init(mutex, nil)
    pthread_cond_init(bell, nil)
  }

  deinit {
    pthread_cond_destroy(bell)
    pthread_mutex_destroy(mutex)
    bell.deallocate()
    mutex.deallocate()
  }

  /// Holds the lock for the body: a few lines, never a call out.
  func locked<T>(_ body: () -> T) -> T {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    return body()
  }

  /// Rings: whoever waits looks at its condition again.
  func ring() {
    pthread_cond_broadcast(bell)
  }

  /// Sleeps as long as the condition holds, which is looked at under the lock.
  func wait(while condition: () -> Bool) {
    pthread_mutex_lock(mutex)
    while condition() { pthread_cond_wait(bell, mutex) }
    pthread_mutex_unlock(mutex)
  }
}
