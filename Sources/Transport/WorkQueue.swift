/// First in, first out, without moving what waits.
struct WorkQueue<Work> {
  private var items: [Work?] = []
  private var head = 0

  var isEmpty: Bool { head == items.count }
  var count: Int { items.count - head }

  mutating func append(_ work: Work) {
    items.append(work)
  }

  mutating func popFirst() -> Work? {
    guard head < items.count else { return nil }
    let work = items[head]
    items[head] = nil
    head += 1
    if head == items.count {
      items.removeAll(keepingCapacity: head <= 1024)
      head = 0
    } else if head > 1024, head > items.count / 2 {
      items.removeFirst(head)
      head = 0
    }
    return work
  }
}
