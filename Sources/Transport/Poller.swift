import CEpoll
import Glibc

/// An epoll descriptor and the event descriptor that wakes it from other threads.
struct Poller: ~Copyable {
  /// The key that the waking descriptor's events carry.
  static let wakeKey = UInt64.max
  private static let capacity = 256

  private let epoll: Int32
  private let wakeUp: Int32
  private let events = UnsafeMutablePointer<epoll_event>.allocate(capacity: Poller.capacity)

  init() {
    epoll = visitant_epoll_create()
    wakeUp = visitant_eventfd_create()
    precondition(epoll >= 0 && wakeUp >= 0, "no descriptor is left for a loop")
    _ = visitant_epoll_add(epoll, wakeUp, visitant_epoll_in, Poller.wakeKey)
  }

  deinit {
    close(epoll)
    close(wakeUp)
    events.deallocate()
  }

  /// Watches a descriptor, whether it was watched before or not.
  func watch(_ descriptor: Int32, events: UInt32, key: UInt64, known: Bool) {
    if known {
      guard visitant_epoll_change(epoll, descriptor, events, key) != 0 else { return }
      // Its number was closed and given away again behind our back.
      _ = visitant_epoll_add(epoll, descriptor, events, key)
    } else {
      guard visitant_epoll_add(epoll, descriptor, events, key) != 0 else { return }
      _ = visitant_epoll_change(epoll, descriptor, events, key)
    }
  }

  func unwatch(_ descriptor: Int32) {
    // A descriptor that was closed first is gone from the set by itself.
    _ = visitant_epoll_remove(epoll, descriptor)
  }

  /// Waits, and hands over what is ready.
  ///
  /// - Parameter milliseconds: The longest wait; below zero there is none.
  func wait(milliseconds: Int32, _ body: (_ key: UInt64, _ events: UInt32) -> Void) {
    let count = epoll_wait(epoll, events, Int32(Poller.capacity), milliseconds)
    guard count > 0 else { return }
    for index in 0..<Int(count) {
      let key = visitant_epoll_key(events + index)
      if key == Poller.wakeKey {
        drainWakeUp()
      } else {
        body(key, visitant_epoll_events(events + index))
      }
    }
  }

  /// Ends the present or the next wait. May be called from any thread.
  func wake() {
    var one: UInt64 = 1
    _ = write(wakeUp, &one, 8)
  }

  private func drainWakeUp() {
    var count: UInt64 = 0
    _ = read(wakeUp, &count, 8)
  }
}
