import Chat
import JSON
import TestSupport
import Testing

/// Whatever a service says, in whatever order: events and state stay in step.
@Suite struct RandomConversationTests {
  @Test(arguments: 0..<40 as Range<UInt64>)
  func `events told to a list make the same feed, each message added at most once`(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    var conversation = Conversation()
    var mirror = Mirror()
    var faults: [String] = []
    for _ in 0..<250 {
      let update = generator.update()
      let events = conversation.apply(update)
      mirror.told(events, of: update)
      mirror.compare(with: conversation, after: update)
      if !conversation.apply(update).isEmpty { faults.append("\(update) told twice") }
    }
    faults += mirror.faults
    #expect(faults.isEmpty)
  }

  @Test(arguments: 0..<20 as Range<UInt64>)
  func `a store is told of messages in the order in which they stand`(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    var conversation = Conversation()
    for round in 0..<40 {
      conversation.apply((0..<4).map { _ in generator.update() })
      let told = conversation.takeFeedChanges().entries
      let ids = Set(told.map(\.message.id))
      #expect(told == conversation.feed.entries.filter { ids.contains($0.message.id) }, "round \(round)")
    }
  }

  @Test(arguments: 0..<20 as Range<UInt64>)
  func `a conversation comes back from the store equal, whole or in parts`(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    var conversation = Conversation()
    for _ in 0..<60 {
      conversation.apply([generator.update()])
      let node = try JSONNode(parsing: conversation.json())
      #expect(Conversation(json: node) == conversation)
    }
    let header = try JSONNode(parsing: conversation.headerJSON())
    #expect(Conversation(header: header, entries: conversation.feed.entries) == conversation)
  }
}

/// A list that knows only what listeners are told, and what the feed was filled with silently.
private struct Mirror {
  private(set) var messages: [Message] = []
  private(set) var faults: [String] = []
  private var silent: Set<String> = []

  mutating func told(_ events: [ChatEvent], of update: Update) {
    for event in events {
      switch event {
      case .messageAdded(let message, _):
        for known in messages where known.id == message.id || known.serverID == message.serverID {
          if silent.remove(known.id) != nil { messages.removeAll { $0.id == known.id } }
        }
        if messages.contains(where: { $0.id == message.id }) {
          faults.append("\(message.id) again by \(update)")
        }
        insert(message)
      case .messageChanged(let old, let new): change(old, new, update)
      case .messageRemoved(let message):
        if !messages.contains(where: { $0.id == message.id }) {
          faults.append("no \(message.id) by \(update)")
        }
        messages.removeAll { $0.id == message.id }
        silent.remove(message.id)
      case .keyboard(let message):
        if !messages.contains(message) || !message.hasPendingKeyboard {
          faults.append("keyboard of \(message.id) by \(update)")
        }
      default: break
      }
    }
  }

  private mutating func change(_ old: Message, _ new: Message, _ update: Update) {
    guard let index = messages.firstIndex(where: { $0.id == old.id }), !old.looksLike(new) else {
      faults.append("no change of \(old.id) by \(update)")
      return
    }
    messages[index] = new
    if silent.remove(old.id) != nil { silent.insert(new.id) }
    guard old.timestamp != new.timestamp || old.sendStatus != new.sendStatus else { return }
    messages.remove(at: index)
    insert(new)
  }

  /// Takes over what filled the feed silently, then looks whether the two agree.
  mutating func compare(with conversation: Conversation, after update: Update) {
    for entry in conversation.feed.entries where !entry.isAnnounced {
      guard !messages.contains(where: { $0.id == entry.message.id }) else { continue }
      silent.insert(entry.message.id)
      insert(entry.message)
    }
    let feed = conversation.messages
    let isSame = messages.count == feed.count && zip(messages, feed).allSatisfy { $0.looksLike($1) }
    if !isSame || !isOrdered(feed) { faults.append("the feed differs after \(update)") }
  }

  private func isOrdered(_ messages: [Message]) -> Bool {
    let sent = messages.prefix { $0.sendStatus == .sent }
    let inOrder = zip(sent, sent.dropFirst()).allSatisfy { $0.timestamp <= $1.timestamp }
    return inOrder && messages.dropFirst(sent.count).allSatisfy { $0.sendStatus == .sending }
      && Set(messages.map(\.id)).count == messages.count
  }

  private mutating func insert(_ message: Message) {
    guard message.sendStatus == .sent else { return messages.append(message) }
    let place = messages.firstIndex { $0.sendStatus == .sending || $0.timestamp > message.timestamp }
    messages.insert(message, at: place ?? messages.count)
  }
}
