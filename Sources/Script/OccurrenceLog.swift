/// What happened lately, in the order of arrival: where waits look first.
///
/// Bounded: of each stream the latest ``capacity`` occurrences are kept, and fewer once no coroutine can look
/// at them any more.
package struct OccurrenceLog: Sendable {
  /// The most occurrences kept of a stream.
  package static let capacity = 256
  /// How many are kept though every coroutine has gone past them, for filters with `after` and for reports.
  package static let kept = 32

  struct Stream: Sendable {
    var entries: [Occurrence] = []
    /// The latest occurrence of each name that tells a lasting state.
    var standing: [String: Occurrence] = [:]
    /// The sequence number of the latest occurrence that is no longer kept.
    var forgotten = 0
  }

  private var streams: [Int: Stream] = [:]
  /// The sequence number of the latest occurrence, 0 before the first one.
  package private(set) var last = 0

  package init() {}

  /// Takes an occurrence in and numbers it.
  @discardableResult
  package mutating func append(_ occurrence: Occurrence) -> Occurrence {
    last += 1
    var numbered = occurrence
    numbered.sequence = last
    streams[occurrence.stream, default: Stream()].append(numbered)
    return numbered
  }

  /// The occurrences of a stream after a sequence number, oldest first.
  package func since(_ sequence: Int, stream: Int) -> ArraySlice<Occurrence> {
    guard let entries = streams[stream]?.entries else { return [] }
    var start = entries.endIndex
    while start > entries.startIndex, entries[start - 1].sequence > sequence { start -= 1 }
    return entries[start...]
  }

  /// Whether something after the sequence number is no longer kept.
  package func hasForgotten(since sequence: Int, stream: Int) -> Bool {
    (streams[stream]?.forgotten ?? 0) > sequence
  }

  /// The latest occurrence of a name that tells a lasting state.
  package func standing(_ name: String, stream: Int) -> Occurrence? {
    streams[stream]?.standing[name]
  }

  /// The latest occurrence that tells of the thing with this id.
  package func occurrence(ofID id: String, stream: Int) -> Occurrence? {
    streams[stream]?.entries.last { $0.facts.id == id }
  }

  /// Lets go what lies behind all cursors, except the latest few.
  package mutating func trim(before cursor: Int, stream: Int) {
    streams[stream]?.trim(before: cursor)
  }

  /// Forgets a stream that has ended.
  package mutating func remove(stream: Int) {
    streams[stream] = nil
  }
}

extension OccurrenceLog.Stream {
  mutating func append(_ occurrence: Occurrence) {
    entries.append(occurrence)
    if let amendment = occurrence.amendment { amend(amendment) }
    if occurrence.lasts { standing[occurrence.name] = occurrence }
    if entries.count > OccurrenceLog.capacity { drop(entries.count - OccurrenceLog.capacity) }
  }

  private mutating func amend(_ amendment: Occurrence.Amendment) {
    guard let thing = standing[amendment.name] else { return }
    if let id = amendment.id, id != thing.facts.id, id != thing.otherID { return }
    switch amendment.effect {
    case .ends: standing[amendment.name] = nil
    case .meets(let fate): standing[amendment.name]?.fate = fate
    case .becomes(let id, let fate):
      standing[amendment.name]?.facts.id = id
      standing[amendment.name]?.fate = fate
    }
  }

  mutating func trim(before cursor: Int) {
    let behind = entries.prefix { $0.sequence <= cursor }.count
    // In portions, so that a long visit does not move its entries with each event.
    guard behind >= 2 * OccurrenceLog.kept else { return }
    drop(behind - OccurrenceLog.kept)
  }

  private mutating func drop(_ count: Int) {
    forgotten = entries[count - 1].sequence
    entries.removeFirst(count)
  }
}
