/// The messages of a visitor in their order: by time, then what is still being sent, in the order of sending.
///
/// A message is known by its client id or its server id, whichever agrees, so two reports of one message fold
/// into one entry. Every change of what a listener can see is an event; what is only another spelling of the
/// same is none.
///
/// A report costs the same however long the feed is.
package struct Feed: Sendable {
  package struct Entry: Equatable, Sendable {
    package internal(set) var message: Message
    /// Whether an event has told of it.
    package internal(set) var isAnnounced: Bool
    /// Whether the current chat is known to hold it: only then does its absence from a snapshot mean
    /// anything.
    package internal(set) var isLive: Bool
  }

  /// What a store has to write to be level with the feed, and to forget.
  package struct Changes: Equatable, Sendable {
    package var entries: [Entry] = []
    /// Client ids.
    package var removed: [Message.ID] = []
  }

  /// Where a report of a message comes from.
  enum Source: Equatable {
    case added
    case changed
    case snapshot
    case history

    var isLive: Bool { self != .history }
  }

  private var kept = FeedEntries()
  private(set) var tombstones = Tombstones()

  package init() {}

  /// Puts a feed together again, from entries in any order; those being sent in the order of their sending.
  init(_ entries: [Entry], tombstones: [String]) {
    self.tombstones = Tombstones(tombstones)
    for entry in entries where kept.place(ofID: entry.message.id) == nil { kept.add(entry) }
    _ = kept.takeChanges()
  }

  package var entries: [Entry] { Array(kept.all) }
  package var messages: [Message] { kept.all.map(\.message) }
  var isEmpty: Bool { kept.isEmpty }

  /// The time of the oldest message that the service has; nil when there is none.
  var oldestTimestamp: Int64? {
    kept.all.first.flatMap { $0.message.sendStatus == .sent ? $0.message.timestamp : nil }
  }

  var newestTimestamp: Int64? { kept.entry(before: .endOfSent)?.message.timestamp }

  /// The time of the oldest message that was news.
  var oldestNewsTimestamp: Int64? {
    kept.all.first { $0.isAnnounced && $0.message.sendStatus == .sent }?.message.timestamp
  }

  /// The time of the oldest message of the current chat.
  var oldestLiveTimestamp: Int64? { livePlaces.first.flatMap { kept[$0]?.message.timestamp } }

  /// The places of the current chat's messages, in order.
  var livePlaces: [FeedPlace] { kept.livePlaces }

  subscript(place: FeedPlace) -> Entry? { kept[place] }

  /// Where the message with this client id or, failing that, this server id stands.
  func place(_ id: String) -> FeedPlace? { kept.place(id) }

  func message(_ id: String) -> Message? { kept.place(id).flatMap { kept[$0]?.message } }

  /// The latest message that tells of a press on the keyboard of the message with this server id.
  func response(toMessage serverID: String) -> Message? { kept.response(toMessage: serverID) }

  /// The newest keyboard after a message.
  func keyboard(after place: FeedPlace) -> Message? {
    kept.last(after: place) { $0.message.keyboard != nil }?.message
  }

  func contains(_ message: Message) -> Bool { !kept.places(of: message).isEmpty }

  private func isDeleted(_ message: Message) -> Bool {
    tombstones.contains(message.id) || message.serverID.map(tombstones.contains) ?? false
  }

  /// What came of the feed since the last call.
  mutating func takeChanges() -> Changes { kept.takeChanges() }
}

extension Feed: Equatable {
  /// Whether two feeds show the same; what is still to be kept of them says nothing.
  package static func == (one: Feed, other: Feed) -> Bool {
    one.tombstones == other.tombstones && one.kept.all.elementsEqual(other.kept.all)
  }
}

// MARK: - Reports

extension Feed {
  /// Folds a report of a message in.
  ///
  /// - Parameter isNews: Whether the message is to be announced if no event has told of it yet.
  mutating func put(_ message: Message, from source: Source, isNews: Bool, _ events: inout [ChatEvent]) {
    if isDeleted(message) {
      if let place = kept.place(ofID: message.id) { remove(at: place, &events) }
      return
    }
    let found = kept.places(of: message)
    guard let place = found.first else {
      return insert(Entry(message: message, isAnnounced: isNews, isLive: source.isLive), &events)
    }
    for other in found.dropFirst() { remove(at: other, &events) }
    update(at: place, with: message, from: source, isNews, &events)
  }

  /// Adds a message that is about to be sent; nothing happens when it is known, as in a repeat after a crash.
  mutating func send(_ message: Message, _ events: inout [ChatEvent]) {
    guard !contains(message) else { return }
    var sending = message
    sending.sendStatus = .sending
    insert(Entry(message: sending, isAnnounced: true, isLive: false), &events)
  }

  /// Removes what the service deleted, by either id.
  mutating func delete(_ id: String, _ events: inout [ChatEvent]) {
    tombstones.add(id)
    guard let place = kept.place(id) else { return }
    if let serverID = kept[place]?.message.serverID { tombstones.add(serverID) }
    remove(at: place, &events)
  }

  /// Replaces a message by a version of it that is ours.
  mutating func change(at place: FeedPlace, _ events: inout [ChatEvent], _ body: (inout Message) -> Void) {
    guard var entry = kept[place] else { return }
    body(&entry.message)
    replace(at: place, by: entry, &events)
  }

  mutating func remove(at place: FeedPlace, _ events: inout [ChatEvent]) {
    if let entry = kept.remove(at: place) { events.append(.messageRemoved(entry.message)) }
  }

  /// The chat that held the message is over.
  mutating func retire(at place: FeedPlace) {
    guard var entry = kept[place] else { return }
    entry.isLive = false
    kept.set(entry, at: place)
  }

  private mutating func insert(_ entry: Entry, _ events: inout [ChatEvent]) {
    let place = kept.add(entry)
    guard entry.isAnnounced else { return }
    events.append(.messageAdded(entry.message, previous: kept.entry(before: place)?.message))
    if entry.message.hasPendingKeyboard { events.append(.keyboard(entry.message)) }
  }

  private mutating func update(
    at place: FeedPlace, with report: Message, from source: Source, _ isNews: Bool,
    _ events: inout [ChatEvent]
  ) {
    guard var entry = kept[place], let new = entry.merged(with: report, from: source) else { return }
    entry.message = new
    entry.isLive = entry.isLive || source.isLive
    if isNews, !entry.isAnnounced {
      entry.isAnnounced = true
      kept.remove(at: place)
      insert(entry, &events)
    } else {
      replace(at: place, by: entry, &events)
    }
  }

  private mutating func replace(at place: FeedPlace, by entry: Entry, _ events: inout [ChatEvent]) {
    guard let old = kept[place]?.message else { return }
    kept.set(entry, at: place)
    let new = entry.message
    guard !old.looksLike(new) else { return }
    events.append(.messageChanged(from: old, to: new))
    if new.hasPendingKeyboard, !old.hasPendingKeyboard { events.append(.keyboard(new)) }
  }
}

extension Feed.Entry {
  /// The message as it is after a report; nil when the report is older than what is known.
  ///
  /// History is asked for beside the deltas and may be behind them: it changes nothing of the current chat,
  /// takes back neither a read mark nor an edit, and makes no answered keyboard pending.
  fileprivate func merged(with report: Message, from source: Feed.Source) -> Message? {
    let old = message
    var new = report
    if report.id == report.serverID { new.id = old.id }
    new.serverID = report.serverID ?? old.serverID
    new.chatID = report.chatID ?? old.chatID
    guard old.sendStatus == .sent else { return new }
    let isLate = source == .history || source == .added
    if report.sendStatus == .sending || source == .history && isLive { return nil }
    if isLate, old.isEdited, !report.isEdited { return nil }
    new.isFromRobot = old.isFromRobot || report.isFromRobot && source == .added && !isAnnounced
    guard isLate else { return new }
    new.isRead = old.isRead || report.isRead
    if !old.hasPendingKeyboard, old.keyboard != nil, new.hasPendingKeyboard { new.keyboard = old.keyboard }
    return new
  }
}

extension Message {
  package var hasPendingKeyboard: Bool { keyboard?.state == .pending }

  /// Whether a listener would call the two equal: all but the wire's own spelling (`raw`, `data`) agrees.
  package func looksLike(_ other: Message) -> Bool {
    if self == other { return true }
    var one = self
    one.raw = other.raw
    one.data = other.data
    return one == other
  }
}
