/// The messages of a visitor in their order: by time, then what is still being sent, in the order of sending.
///
/// A message is known by its client id or its server id, whichever agrees, so two reports of one message fold into one
/// entry. Every change of what a listener can see is an event; what is only another spelling of the same is none.
package struct Feed: Equatable, Sendable {
  package struct Entry: Equatable, Sendable {
    package internal(set) var message: Message
    /// Whether an event has told of it.
    package internal(set) var isAnnounced: Bool
    /// Whether the current chat is known to hold it: only then does its absence from a snapshot mean anything.
    package internal(set) var isLive: Bool
  }

  /// Where a report of a message comes from.
  enum Source: Equatable {
    case added
    case changed
    case snapshot
    case history

    var isLive: Bool { self != .history }
  }

  package internal(set) var entries: [Entry] = []
  /// The latest ids under which the service deleted a message: none of them comes back by a late report.
  var tombstones: [String] = []

  package init() {}

  /// Puts a feed together again, from messages in any order.
  init(_ messages: [Message], live: Set<String>, silent: Set<String>, tombstones: [String]) {
    self.tombstones = tombstones
    for message in messages {
      let entry = Entry(
        message: message, isAnnounced: !silent.contains(message.id), isLive: live.contains(message.id))
      entries.insert(entry, at: place(of: message))
    }
  }

  package var messages: [Message] { entries.map(\.message) }

  /// The time of the oldest message that the service has; nil when there is none.
  var oldestTimestamp: Int64? {
    entries.first.flatMap { $0.message.sendStatus == .sent ? $0.message.timestamp : nil }
  }

  var newestTimestamp: Int64? {
    let end = sentEnd
    return end > 0 ? entries[end - 1].message.timestamp : nil
  }

  /// The time of the oldest message that was news.
  var oldestNewsTimestamp: Int64? {
    entries.first { $0.isAnnounced && $0.message.sendStatus == .sent }?.message.timestamp
  }

  /// The entry with this client id or, failing that, this server id; the newest of them.
  func index(_ id: String) -> Int? {
    entries.lastIndex { $0.message.id == id } ?? entries.lastIndex { $0.message.serverID == id }
  }

  /// The entries of a message, at most one by its client id and one by its server id.
  func indices(of message: Message) -> (byID: Int?, byServerID: Int?) {
    let byID = entries.lastIndex { $0.message.id == message.id }
    guard let serverID = message.serverID else { return (byID ?? index(message.id), nil) }
    return (byID, entries.lastIndex { $0.message.serverID == serverID || $0.message.id == serverID })
  }

  func contains(_ message: Message) -> Bool {
    let found = indices(of: message)
    return found.byID != nil || found.byServerID != nil
  }

  func isDeleted(_ message: Message) -> Bool {
    tombstones.contains { $0 == message.id || $0 == message.serverID }
  }

  /// The end of the part that is ordered by time.
  private var sentEnd: Int {
    (entries.lastIndex { $0.message.sendStatus == .sent } ?? -1) + 1
  }

  /// Where a message belongs: after all that is not later.
  private func place(of message: Message) -> Int {
    guard message.sendStatus == .sent else { return entries.count }
    var place = sentEnd
    while place > 0, entries[place - 1].message.timestamp > message.timestamp { place -= 1 }
    return place
  }
}

extension Feed {
  /// Folds a report of a message in.
  ///
  /// - Parameter isNews: Whether the message is to be announced if no event has told of it yet.
  mutating func put(_ message: Message, from source: Source, isNews: Bool, _ events: inout [ChatEvent]) {
    let found = indices(of: message)
    if isDeleted(message) {
      if let index = found.byID { remove(at: index, &events) }
      return
    }
    if let first = found.byID, let second = found.byServerID, first != second {
      remove(at: second, &events)
      update(at: second < first ? first - 1 : first, with: message, from: source, isNews, &events)
    } else if let index = found.byID ?? found.byServerID {
      update(at: index, with: message, from: source, isNews, &events)
    } else {
      insert(Entry(message: message, isAnnounced: isNews, isLive: source.isLive), &events)
    }
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
    bury(id)
    guard let index = index(id) else { return }
    if let serverID = entries[index].message.serverID { bury(serverID) }
    remove(at: index, &events)
  }

  /// Replaces a message by a version of it that is ours.
  mutating func change(at index: Int, _ events: inout [ChatEvent], _ body: (inout Message) -> Void) {
    var new = entries[index].message
    body(&new)
    replace(at: index, by: new, &events)
  }

  mutating func remove(at index: Int, _ events: inout [ChatEvent]) {
    events.append(.messageRemoved(entries.remove(at: index).message))
  }

  private mutating func bury(_ id: String) {
    guard !tombstones.contains(id) else { return }
    tombstones.append(id)
    if tombstones.count > 256 { tombstones.removeFirst() }
  }

  private mutating func insert(_ entry: Entry, _ events: inout [ChatEvent]) {
    let place = place(of: entry.message)
    entries.insert(entry, at: place)
    guard entry.isAnnounced else { return }
    events.append(.messageAdded(entry.message, previous: place > 0 ? entries[place - 1].message : nil))
    if entry.message.hasPendingKeyboard { events.append(.keyboard(entry.message)) }
  }

  private mutating func update(
    at index: Int, with report: Message, from source: Source, _ isNews: Bool, _ events: inout [ChatEvent]
  ) {
    guard let new = entries[index].merged(with: report, from: source) else { return }
    entries[index].isLive = entries[index].isLive || source.isLive
    if isNews, !entries[index].isAnnounced {
      let old = entries.remove(at: index)
      insert(Entry(message: new, isAnnounced: true, isLive: old.isLive), &events)
    } else {
      replace(at: index, by: new, &events)
    }
  }

  private mutating func replace(at index: Int, by new: Message, _ events: inout [ChatEvent]) {
    let old = entries[index].message
    entries[index].message = new
    guard !old.looksLike(new) else { return }
    if old.timestamp != new.timestamp || old.sendStatus != new.sendStatus {
      let entry = entries.remove(at: index)
      entries.insert(entry, at: place(of: new))
    }
    events.append(.messageChanged(from: old, to: new))
    if new.hasPendingKeyboard, !old.hasPendingKeyboard { events.append(.keyboard(new)) }
  }
}

extension Feed.Entry {
  /// The message as it is after a report; nil when the report is older than what is known.
  ///
  /// History is asked for beside the deltas and may be behind them: it changes nothing of the current chat, takes back
  /// neither a read mark nor an edit, and makes no answered keyboard pending.
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
