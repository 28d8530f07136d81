/// The entries of a feed with what finds them: by their ids, and those of the current chat apart.
///
/// Whatever is asked costs the same however long the feed is, unless it says otherwise.
struct FeedEntries: Sendable {
  private var shelf = FeedShelf()
  private var byID: [Message.ID: FeedPlace] = [:]
  private var byServerID: [String: FeedPlace] = [:]
  /// The latest answers to keyboards, by the server id of the keyboard's message.
  private var responses: [String: FeedPlace] = [:]
  private var live: Set<FeedPlace> = []
  /// Client ids of what was put, changed or removed since the last ``takeChanges()``.
  private var touched: Set<Message.ID> = []
  private var nextOrdinal = 0

  var isEmpty: Bool { shelf.isEmpty }

  /// In order.
  var all: some BidirectionalCollection<Feed.Entry> { shelf.entries }

  /// The places of the current chat's messages, in order; it costs what they are.
  var livePlaces: [FeedPlace] { live.sorted() }

  /// Where the entry with this client id stands.
  func place(ofID id: Message.ID) -> FeedPlace? { byID[id] }

  /// Where the entry with this client id or, failing that, this server id stands.
  func place(_ id: String) -> FeedPlace? { byID[id] ?? byServerID[id] }

  /// The entries that a report of a message is about, the one that stays first.
  func places(of message: Message) -> [FeedPlace] {
    guard let serverID = message.serverID else { return [place(message.id)].compactMap { $0 } }
    var places: [FeedPlace] = []
    for case let place? in [byID[message.id], byServerID[serverID], byID[serverID]]
    where !places.contains(place) {
      places.append(place)
    }
    return places
  }

  /// The latest message that tells of a press on the keyboard of the message with this server id.
  func response(toMessage serverID: String) -> Message? {
    responses[serverID].flatMap { shelf[$0]?.message }
  }

  /// The newest entry after a place for which a condition holds; it costs what is looked at.
  func last(after place: FeedPlace, where condition: (Feed.Entry) -> Bool) -> Feed.Entry? {
    shelf.last(after: place, where: condition)
  }

  func entry(before place: FeedPlace) -> Feed.Entry? { shelf.entry(before: place) }

  subscript(place: FeedPlace) -> Feed.Entry? { shelf[place] }

  /// Adds an entry where it belongs, after those of the same time.
  @discardableResult
  mutating func add(_ entry: Feed.Entry) -> FeedPlace {
    let place = FeedPlace(of: entry.message, ordinal: nextOrdinal)
    nextOrdinal += 1
    shelf[place] = entry
    register(entry, at: place)
    return place
  }

  @discardableResult
  mutating func remove(at place: FeedPlace) -> Feed.Entry? {
    guard let entry = shelf[place] else { return nil }
    unregister(entry, at: place)
    shelf[place] = nil
    return entry
  }

  /// Puts another version of an entry in its stead, elsewhere if its time wants it.
  mutating func set(_ entry: Feed.Entry, at place: FeedPlace) {
    guard let old = shelf[place], old != entry else { return }
    unregister(old, at: place)
    if place.fits(entry.message) {
      shelf[place] = entry
      register(entry, at: place)
    } else {
      shelf[place] = nil
      add(entry)
    }
  }

  private mutating func register(_ entry: Feed.Entry, at place: FeedPlace) {
    let message = entry.message
    byID[message.id] = place
    if let serverID = message.serverID { byServerID[serverID] = place }
    if let response = message.keyboardResponse { responses[response.requestMessageID] = place }
    if entry.isLive { live.insert(place) }
    touched.insert(message.id)
  }

  private mutating func unregister(_ entry: Feed.Entry, at place: FeedPlace) {
    let message = entry.message
    byID[message.id] = nil
    if let serverID = message.serverID, byServerID[serverID] == place { byServerID[serverID] = nil }
    if let keyboard = message.keyboardResponse?.requestMessageID, responses[keyboard] == place {
      responses[keyboard] = nil
    }
    live.remove(place)
    touched.insert(message.id)
  }

  /// What came of the entries since the last call: those that stand in their order, so that a store which
  /// numbers its rows has it too.
  mutating func takeChanges() -> Feed.Changes {
    var changes = Feed.Changes()
    changes.entries = touched.compactMap { byID[$0] }.sorted().compactMap { shelf[$0] }
    changes.removed = touched.filter { byID[$0] == nil }.sorted()
    touched = []
    return changes
  }
}
