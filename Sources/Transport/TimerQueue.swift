/// Timers by time: what both loops keep. A value, without a clock.
struct TimerQueue {
  private struct Entry {
    let due: Double
    let number: UInt64

    func precedes(_ other: Entry) -> Bool {
      due < other.due || (due == other.due && number < other.number)
    }
  }

  /// A binary heap; a cancelled timer stays in it until it is due or too many are stale.
  private var heap: [Entry] = []
  private var works: [UInt64: () -> Void] = [:]
  private(set) var nextNumber: UInt64 = 1

  var count: Int { works.count }

  mutating func add(due: Double, _ work: @escaping () -> Void) -> LoopTimer {
    let number = nextNumber
    nextNumber += 1
    works[number] = work
    if due < .infinity {
      heap.append(Entry(due: due, number: number))
      siftUp(heap.count - 1)
    }
    return LoopTimer(number: number)
  }

  /// Forgets a timer, and hands its work out so that what it holds is let go outside of this access.
  mutating func cancel(_ timer: LoopTimer) -> (() -> Void)? {
    guard let work = works.removeValue(forKey: timer.number) else { return nil }
    if heap.count > 64, heap.count > 2 * works.count { dropStale() }
    return work
  }

  /// When the next timer is due.
  mutating func nextDue() -> Double? {
    while let first = heap.first {
      if works[first.number] != nil { return first.due }
      _ = popFirst()
    }
    return nil
  }

  /// Takes the first timer that is due at `now` and was made before number `limit`.
  mutating func takeDue(at now: Double, before limit: UInt64) -> (() -> Void)? {
    guard let due = nextDue(), due <= now, let first = heap.first, first.number < limit else { return nil }
    _ = popFirst()
    return works.removeValue(forKey: first.number)
  }

  private mutating func dropStale() {
    heap = heap.filter { works[$0.number] != nil }.sorted { $0.precedes($1) }
  }

  private mutating func popFirst() -> Entry? {
    guard let last = heap.popLast() else { return nil }
    guard let first = heap.first else { return last }
    heap[0] = last
    siftDown()
    return first
  }

  private mutating func siftUp(_ start: Int) {
    var child = start
    while child > 0 {
      let parent = (child - 1) / 2
      guard heap[child].precedes(heap[parent]) else { return }
      heap.swapAt(child, parent)
      child = parent
    }
  }

  private mutating func siftDown() {
    var parent = 0
    while true {
      var least = parent
      for child in [2 * parent + 1, 2 * parent + 2]
      where child < heap.count && heap[child].precedes(heap[least]) {
        least = child
      }
      guard least != parent else { return }
      heap.swapAt(parent, least)
      parent = least
    }
  }
}
