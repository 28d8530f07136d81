/// Where an entry stands in a feed: by time, then what is still being sent; the earlier comer first.
struct FeedPlace: Hashable, Comparable, Sendable {
  private let isSending: Bool
  private let timestamp: Int64
  private let ordinal: Int

  init(of message: Message, ordinal: Int) {
    isSending = message.sendStatus == .sending
    timestamp = isSending ? 0 : message.timestamp
    self.ordinal = ordinal
  }

  private init(isSending: Bool, timestamp: Int64, ordinal: Int) {
    (self.isSending, self.timestamp, self.ordinal) = (isSending, timestamp, ordinal)
  }

  /// Before all that is being sent, after all else.
  static let endOfSent = FeedPlace(isSending: true, timestamp: 0, ordinal: -1)

  /// Whether a message that changed may stay where it is.
  func fits(_ message: Message) -> Bool {
    self == FeedPlace(of: message, ordinal: ordinal)
  }

  static func < (one: FeedPlace, other: FeedPlace) -> Bool {
    if one.isSending != other.isSending { return other.isSending }
    return (one.timestamp, one.ordinal) < (other.timestamp, other.ordinal)
  }
}

/// The entries of a feed by their places.
///
/// They lie in portions, so that one put in the middle moves few others: a service that tells a long history
/// in the worst order costs its visitor no more than one that tells it in the best.
struct FeedShelf: Sendable {
  private struct Slot: Sendable {
    let place: FeedPlace
    var entry: Feed.Entry
  }

  private static let portion = 128
  /// None is empty.
  private var portions: [[Slot]] = []

  var isEmpty: Bool { portions.isEmpty }

  /// In order.
  var entries: some BidirectionalCollection<Feed.Entry> {
    portions.joined().lazy.map(\.entry)
  }

  subscript(place: FeedPlace) -> Feed.Entry? {
    get {
      let (portion, index) = position(of: place)
      return holds(place, portion, index) ? portions[portion][index].entry : nil
    }
    set {
      let (portion, index) = position(of: place)
      if let newValue, holds(place, portion, index) {
        portions[portion][index].entry = newValue
      } else if let newValue {
        insert(Slot(place: place, entry: newValue), portion, index)
      } else if holds(place, portion, index) {
        portions[portion].remove(at: index)
        if portions[portion].isEmpty { portions.remove(at: portion) }
      }
    }
  }

  /// The nearest entry in front of a place.
  func entry(before place: FeedPlace) -> Feed.Entry? {
    let (portion, index) = position(of: place)
    if index > 0 { return portions[portion][index - 1].entry }
    return portion > 0 ? portions[portion - 1].last?.entry : nil
  }

  /// The newest entry after a place for which a condition holds.
  func last(after place: FeedPlace, where condition: (Feed.Entry) -> Bool) -> Feed.Entry? {
    let found = portions.joined().last { $0.place <= place || condition($0.entry) }
    return found.flatMap { $0.place > place ? $0.entry : nil }
  }

  /// Where a place is, or belongs: in the portion that begins in front of it.
  private func position(of place: FeedPlace) -> (portion: Int, index: Int) {
    let portion = max(0, Self.firstIndex(in: portions.count) { portions[$0][0].place > place } - 1)
    guard portion < portions.count else { return (0, 0) }
    let slots = portions[portion]
    return (portion, Self.firstIndex(in: slots.count) { slots[$0].place >= place })
  }

  private func holds(_ place: FeedPlace, _ portion: Int, _ index: Int) -> Bool {
    portion < portions.count && index < portions[portion].count && portions[portion][index].place == place
  }

  private mutating func insert(_ slot: Slot, _ portion: Int, _ index: Int) {
    guard portion < portions.count else { return portions.append([slot]) }
    portions[portion].insert(slot, at: index)
    guard portions[portion].count > Self.portion else { return }
    let half = Array(portions[portion][(Self.portion / 2)...])
    portions[portion].removeLast(half.count)
    portions.insert(half, at: portion + 1)
  }

  /// The first of some indices for which a condition holds that holds for all after it too; their count for
  /// none.
  private static func firstIndex(in count: Int, where condition: (Int) -> Bool) -> Int {
    var (low, high) = (0, count)
    while low < high {
      let middle = (low + high) / 2
      if condition(middle) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}
