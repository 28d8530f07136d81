import Chat
import JSON
import Testing

/// Which messages are told and which only fill the feed.
@Suite struct NewsTests {
  static let old = Sample.message("old", at: 10_000_000, chat: "8")
  static let older = Sample.message("older", at: 5_000_000, chat: "8")
  static let new = Sample.message("new", at: 20_000_000, chat: "9")
  static let mine = Sample.message("mine", .visitorMessage, at: 15_000_000, chat: "9")

  static func unread(_ messages: [Message], count: Int, since: Double?) -> ChatSnapshot {
    with(Sample.chat(9, .chatting, messages)) {
      $0.unreadByVisitorCount = count
      $0.unreadByVisitorSince = since
    }
  }

  static let cases = [
    FoldCase(
      "the first snapshot fills the feed silently", before: [],
      [
        Sample.snapshot(Sample.chat(9, .chatting, [old, new])),
        Sample.snapshot(Sample.chat(9, .chatting, [old, new])),
      ], []),
    FoldCase(
      "unless the service counts a message as unread", before: [],
      [Sample.snapshot(unread([old, mine, new], count: 1, since: 20))], ["message new after mine"]),
    FoldCase(
      "or says only how many are", before: [],
      [Sample.snapshot(unread([old, mine, new], count: 1, since: nil))],
      ["message new after mine"]),
    FoldCase(
      "a later snapshot tells what it has", before: [Sample.snapshot()],
      [Sample.snapshot(Sample.chat(9, .chatting, [new]))], ["message new after none"]),
    FoldCase(
      "but not what is older than all that history told",
      before: [Sample.snapshot(), .history(messages: [new], removed: [])],
      [Sample.snapshot(Sample.chat(8, .chatting, [old]))], []),
    FoldCase(
      "a delta tells what is in the feed silently",
      before: [Sample.snapshot(Sample.chat(9, .chatting, [new]))],
      [.messageAdded(new), .messageAdded(new)], ["message new after none"]),
    FoldCase(
      "the first history fills the feed silently", before: [Sample.snapshot()],
      [.history(messages: [older, old], removed: [])], []),
    FoldCase(
      "but tells what came after the visitor's own message",
      before: [Sample.snapshot(), .sending(Sample.sending("mine", at: 1))],
      [.history(messages: [old, new, mine], removed: [])], ["message_changed mine", "message new after mine"]),
    FoldCase(
      "and what belongs to the chat that has begun meanwhile",
      before: [Sample.snapshot(), .chat(Sample.chat())],
      [.history(messages: [old, new], removed: []), .messageAdded(new)], ["message new after old"]),
    FoldCase(
      "later history tells what is newer than before",
      before: [Sample.snapshot(), .history(messages: [old], removed: [])],
      [.history(messages: [new, old], removed: []), .history(messages: [new], removed: [])],
      ["message new after old"]),
    FoldCase(
      "an older message edited is changed, one that is not on show is nothing",
      before: [Sample.snapshot(), .history(messages: [old], removed: [])],
      [
        .history(messages: [older, with(old) { $0.text = "better" }], removed: [])
      ], ["message_changed old"]),
    FoldCase(
      "a page of older history is never told",
      before: [Sample.snapshot(), .history(messages: [new], removed: [])],
      [
        .historyPage(messages: [older, old], isLast: true),
        .historyPage(messages: [older, old], isLast: true),
      ], []),
    FoldCase(
      "history changes nothing of the current chat", before: [Sample.snapshot(), .chat(Sample.chat())],
      [
        .messageAdded(with(new) { $0.isRead = true }),
        .history(messages: [with(new) { $0.text = "stale" }], removed: []),
      ],
      ["message new after none"]),
  ]

  @Test(arguments: cases)
  func `news is told, and what was read long ago is not`(_ item: FoldCase) {
    var conversation = Conversation(item.before)
    let messages = conversation.apply(item.updates).map(\.brief).filter { $0.hasPrefix("message") }
    #expect(messages == item.events)
  }

  @Test func `a page of older history stands before the rest`() {
    let conversation = Conversation([
      Sample.snapshot(), .history(messages: [Self.new], removed: []),
      .historyPage(messages: [Self.old, Self.older], isLast: false),
    ])
    #expect(conversation.messages.map(\.id) == ["older", "old", "new"])
    #expect(!conversation.isHistoryComplete)
  }

  @Test(arguments: [
    [
      Sample.snapshot(Sample.chat(9, .chatting, [mine, new])), .history(messages: [mine, new], removed: []),
    ],
    [Sample.snapshot(), .history(messages: [mine, new], removed: [])],
    [
      Sample.snapshot(Sample.chat(10)), .history(messages: [mine, new], removed: []),
      .chat(Sample.chat(9, .closed, [new])),
    ],
  ])
  func `after a crash what came meanwhile is told once, whichever way it is learnt`(updates: [Update]) throws
  {
    let before = Conversation([
      Sample.snapshot(), .history(messages: [Self.old], removed: []), .sending(Sample.sending("mine", at: 1)),
    ])
    var conversation = try #require(Conversation(json: JSONNode(parsing: before.json())))
    let told = conversation.apply(updates).map(\.brief).filter { $0.hasPrefix("message") }
    #expect(told == ["message_changed mine", "message new after mine"])
  }

  @Test(
    arguments: [nil, 1e300, -1e300, -9_223_372_036_854.775808, 9_223_372_036_854.775, .infinity, .nan]
      as [Double?],
    [Int.min, -1, 0, 1, .max])
  func `no count and no time of a service traps`(since: Double?, count: Int) {
    var chat = Sample.chat(9, .chatting, [Sample.message("a", at: .min), Sample.message("b", at: .max)])
    chat.isReadByVisitor = false
    chat.unreadByVisitorCount = count
    chat.unreadByVisitorSince = since
    let conversation = Conversation([
      Sample.snapshot(chat), .unreadByVisitor(count: count, since: since),
      .historyPage(messages: [], isLast: true),
    ])
    #expect(conversation.unreadByVisitorMessageCount == count && conversation.messages.count == 2)
  }
}
