import Chat
import TestSupport

/// A service that tells the truth, over a link that does not always: deltas wait, are lost with the
/// connection or come twice, and history is asked for beside them and may be behind.
struct ModelService {
  private struct Kept {
    var message: Message
    var chat: Int
    var revision: Int
    var isDeleted = false
  }

  private var kept: [Kept] = []
  private var chatID = 0
  private var isOpen = false
  private var revision = 0
  private var clock: Int64 = 1_000_000
  private var unreadSince: Int64?
  /// Deltas that were not delivered yet.
  private var queue: [Update] = []
  /// The revision up to which the visitor has history, and answers that are still on their way.
  private var historyRevision: Int?
  private var answers: [(updates: Update, revision: Int)] = []

  /// What the service has and the visitor must know in the end, oldest first.
  var messages: [Message] { kept.filter { !$0.isDeleted }.map(\.message) }

  /// The current chat's list, or none.
  var snapshot: Update {
    var snapshot = Snapshot(sessionState: isOpen ? .chat : .idle)
    if isOpen {
      var chat = ChatSnapshot(id: chatID, state: .chatting)
      chat.clientID = "c-\(chatID)"
      chat.messages = live
      chat.unreadByVisitorSince = unreadSince.map { Double($0) / 1_000_000 }
      chat.unreadByVisitorCount = unreadSince == nil ? 0 : 1
      snapshot.chat = chat
    }
    return .snapshot(snapshot)
  }

  private var live: [Message] { kept.filter { $0.chat == chatID && !$0.isDeleted }.map(\.message) }

  mutating func happen(_ generator: inout SeededGenerator) {
    guard isOpen else { return open() }
    let candidates = kept.indices.filter { kept[$0].chat == chatID && !kept[$0].isDeleted }
    let index = candidates.randomElement(using: &generator)
    switch (generator.integer(0...9), index) {
    case (0...4, _), (_, nil): say("o\(kept.count)", .operatorMessage)
    case (5, let index?):
      touch(index) {
        $0.text += "!"
        $0.isEdited = true
      }
    case (6, let index?):
      touch(index) { $0.isRead = true }
    case (7, let index?):
      revision += 1
      kept[index].revision = revision
      kept[index].isDeleted = true
      queue.append(.messageRemoved(serverID: kept[index].message.serverID ?? ""))
    case (8, _):
      unreadSince = nil
      queue.append(.readByVisitor(true))
    default:
      isOpen = false
      queue.append(.chat(nil))
    }
  }

  /// Takes a message of the visitor; a repeat of one it has is the same message.
  mutating func receive(_ id: Message.ID) {
    if !isOpen { open() }
    guard !kept.contains(where: { $0.message.id == id }) else { return }
    say(id, .visitorMessage)
  }

  /// The next delta.
  mutating func deliver() -> Update? {
    queue.isEmpty ? nil : queue.removeFirst()
  }

  /// Everything that was on its way is lost.
  mutating func disconnect() {
    queue = []
    answers = []
  }

  mutating func askHistory() {
    let since = historyRevision
    let changed = kept.filter { $0.revision > since ?? 0 }
    let update = Update.history(
      messages: changed.filter { !$0.isDeleted }.map(\.message),
      removed: since == nil
        ? [] : changed.filter(\.isDeleted).flatMap { [$0.message.serverID ?? "", $0.message.id] })
    answers.append((update, revision))
  }

  mutating func answerHistory() -> Update? {
    guard !answers.isEmpty else { return nil }
    let answer = answers.removeFirst()
    historyRevision = answer.revision
    return answer.updates
  }

  private mutating func open() {
    chatID += 1
    isOpen = true
    unreadSince = nil
    queue.append(
      .chat(with(ChatSnapshot(id: chatID, state: .chatting)) { [chatID] in $0.clientID = "c-\(chatID)" }))
  }

  private mutating func say(_ id: String, _ kind: Message.Kind) {
    clock += 1_000_000
    revision += 1
    var message = Message(id: id, serverID: "s-\(id)", kind: kind, text: id, timestamp: clock)
    message.chatID = "\(chatID)"
    kept.append(Kept(message: message, chat: chatID, revision: revision))
    if kind != .visitorMessage { unreadSince = unreadSince ?? clock }
    queue.append(.messageAdded(message))
  }

  private mutating func touch(_ index: Int, _ change: (inout Message) -> Void) {
    revision += 1
    kept[index].revision = revision
    change(&kept[index].message)
    queue.append(.messageChanged(kept[index].message))
  }
}
