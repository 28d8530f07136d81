/// What concerns messages: deltas, the chat's own list, history.
extension Conversation {
  mutating func messageUpdate(_ update: Update, _ events: inout [ChatEvent]) {
    switch update {
    case .messageAdded(let message): feed.put(marked(message), from: .added, isNews: true, &events)
    case .messageChanged(let message): messageChanged(message, &events)
    case .messageRemoved(let serverID): feed.delete(serverID, &events)
    case .messageRead(let serverID, let isRead):
      guard let place = feed.place(serverID) else { return }
      feed.change(at: place, &events) { $0.isRead = isRead }
    case .history(let messages, let removed): historyReceived(messages, removed: removed, &events)
    case .historyPage(let messages, let isLast):
      for message in messages { feed.put(markedOfHistory(message), from: .history, isNews: false, &events) }
      isHistoryComplete = isHistoryComplete || isLast
    case .sending(let message): feed.send(message, &events)
    case .sendingFailed(let id):
      guard let place = feed.place(id), feed[place]?.message.sendStatus == .sending else { return }
      feed.remove(at: place, &events)
    default: break
    }
  }

  /// A change of an unknown message that is newer than all others is the first word of it; of an older one
  /// nothing is on show that could change.
  private mutating func messageChanged(_ message: Message, _ events: inout [ChatEvent]) {
    let isNews = hasChat && message.timestamp > feed.newestTimestamp ?? 0
    guard isNews || feed.contains(message) else { return }
    feed.put(marked(message), from: .changed, isNews: isNews, &events)
  }

  /// Folds the list of the current chat in: what the same chat no longer lists was removed, from wherever it
  /// stood.
  mutating func mergeMessages(of new: ChatSnapshot, isSame: Bool, _ events: inout [ChatEvent]) {
    if !isSame {
      retireMessages(except: new.messages, &events)
    } else if new.listsMessages {
      removeUnlisted(new.messages, &events)
    }
    let unread = new.unreadTimestamp
    for message in new.messages {
      feed.put(
        marked(message, in: new.state), from: .snapshot,
        isNews: isNews(message, unreadSince: unread), &events)
    }
  }

  private func isNews(_ message: Message, unreadSince unread: Int64?) -> Bool {
    if message.origin != .visitor, let unread, message.timestamp >= unread { return true }
    guard hasBegun, !feed.contains(message) else { return false }
    guard historyMark != nil, let oldest = feed.oldestTimestamp else { return true }
    return message.timestamp >= oldest
  }

  private mutating func removeUnlisted(_ listed: [Message], _ events: inout [ChatEvent]) {
    let known = ids(of: listed)
    for place in feed.livePlaces {
      guard let message = feed[place]?.message, !isListed(message, known) else { continue }
      feed.remove(at: place, &events)
    }
  }

  /// The chat of all live messages is over: they become history, and their pending keyboards are cancelled.
  mutating func retireMessages(except listed: [Message], _ events: inout [ChatEvent]) {
    let known = ids(of: listed)
    for place in feed.livePlaces {
      feed.retire(at: place)
      guard let message = feed[place]?.message, message.hasPendingKeyboard, !isListed(message, known) else {
        continue
      }
      feed.change(at: place, &events) { $0.keyboard?.state = .canceled }
    }
  }

  private func ids(of messages: [Message]) -> Set<String> {
    Set(messages.flatMap { [$0.id, $0.serverID].compactMap { $0 } })
  }

  private func isListed(_ message: Message, _ ids: Set<String>) -> Bool {
    ids.contains(message.id) || message.serverID.map(ids.contains) ?? false
  }
}

extension Conversation {
  /// Changes after a revision. What is known goes first, since an echo among it tells where the news begins.
  private mutating func historyReceived(
    _ messages: [Message], removed: [String], _ events: inout [ChatEvent]
  ) {
    for id in removed { feed.delete(id, &events) }
    var unknown: [Message] = []
    for message in messages {
      if feed.contains(message) {
        feed.put(message, from: .history, isNews: false, &events)
      } else {
        unknown.append(message)
      }
    }
    let oldestNews = feed.oldestNewsTimestamp
    let oldestLive = feed.oldestLiveTimestamp
    for message in unknown {
      let isNews = isNewsOfHistory(message, oldestNews, oldestLive)
      guard isNews || belongsToFeed(message) else { continue }
      feed.put(markedOfHistory(message), from: .history, isNews: isNews, &events)
    }
    historyMark = max(historyMark ?? 0, messages.map(\.timestamp).max() ?? 0)
  }

  private func isNewsOfHistory(_ message: Message, _ oldestNews: Int64?, _ oldestLive: Int64?) -> Bool {
    if let historyMark { return message.timestamp > historyMark }
    if let oldestNews, message.timestamp > oldestNews { return true }
    guard hasBegun, isOfCurrentChat(message) else { return false }
    return oldestLive.map { message.timestamp > $0 } ?? true
  }

  /// Whether a message stands within what the feed shows, so that it leaves no gap before it.
  private func belongsToFeed(_ message: Message) -> Bool {
    guard historyMark != nil, !isHistoryComplete, let oldest = feed.oldestTimestamp else { return true }
    return message.timestamp >= oldest
  }

  private func isOfCurrentChat(_ message: Message) -> Bool {
    guard hasChat, let chat, let id = message.chatID else { return false }
    return id == String(chat.id)
  }

  private func marked(_ message: Message) -> Message {
    marked(message, in: chatState)
  }

  /// Only the present chat's messages came in its state.
  private func markedOfHistory(_ message: Message) -> Message {
    marked(message, in: isOfCurrentChat(message) ? chatState : nil)
  }

  /// The message with the mark of a robot, if its author is known as one or it came in the robot's state.
  ///
  /// History may tell of an operator's message before the poll tells of the operator: while a robot that is
  /// known as one holds the chat, what has another author is not the robot's.
  private func marked(_ message: Message, in state: ChatState?) -> Message {
    guard message.origin == .operator else { return message }
    let author = message.senderID.flatMap { id in operators.first { $0.id == id } }
    let robot = self.operator.flatMap { $0.robotType == nil ? nil : $0.id }
    let isOfAnother = robot != nil && message.senderID != nil && message.senderID != robot
    guard author?.robotType != nil || state == .chattingWithRobot && !isOfAnother else { return message }
    var marked = message
    marked.isFromRobot = true
    return marked
  }
}

extension ChatSnapshot {
  /// The time in microseconds from which the visitor has not read; nil when all is read.
  ///
  /// The service says it in seconds, which a thousandth more makes up for; with a count alone, that many of
  /// the newest messages of others are meant.
  fileprivate var unreadTimestamp: Int64? {
    guard !isReadByVisitor, unreadByVisitorCount > 0 || unreadByVisitorSince != nil else { return nil }
    if let since = unreadByVisitorSince, let time = Microseconds.from(seconds: since) { return time - 1000 }
    return messages.filter { $0.origin != .visitor }.suffix(max(0, unreadByVisitorCount)).first?.timestamp
  }
}
