import Bot
import Chat
import Dialects
import JSON
import Script
import Transport

/// Reads of the feed as the handbook's `MessageTracker` has them: the newest first, then ever older ones.
struct FeedReading {
  /// The oldest message that was handed out.
  var head: Message.ID?
  /// Reads that wait for a page of older history.
  var waiting: [(request: Int, limit: Int)] = []
}

extension Visitor {
  /// `last_messages`, `next_messages`, `all_messages`.
  func read(_ request: Int, _ call: BotCall) {
    let limit = max(0, call[0].integer ?? 0)
    switch call.word {
    case "last_messages": handOut(conversation.messages.suffix(limit), to: request)
    case "next_messages":
      let older = olderMessages
      guard older.isEmpty, limit > 0, !conversation.isHistoryComplete,
        let oldest = conversation.messages.first
      else { return handOut(older.suffix(limit), to: request) }
      reading.waiting.append((request, limit))
      if reading.waiting.count == 1 {
        perform(session.readHistory(before: oldest.timestamp, now: loop.now))
      }
    default: feed(.settled(request: request, .success(conversation.messages.scriptJSON)))
    }
  }

  /// Goes on from where a journalled read has left off.
  func noteReading(_ call: BotCall, _ input: BotInput) {
    guard ["last_messages", "next_messages"].contains(call.word),
      case .settled(_, .success(let json)) = input,
      let first = (try? JSONNode(parsing: json))?.elements.first
    else { return }
    reading.head = first["id"]?.string ?? reading.head
  }

  /// Answers the reads that waited for a page; a page that brings nothing answers with nothing.
  func pageCame() {
    let waiting = reading.waiting
    reading.waiting = []
    for read in waiting { handOut(olderMessages.suffix(read.limit), to: read.request) }
  }

  private var olderMessages: ArraySlice<Message> {
    let messages = conversation.messages
    let end = reading.head.flatMap { head in messages.firstIndex { $0.id == head } }
    return messages[..<(end ?? messages.endIndex)]
  }

  private func handOut(_ messages: ArraySlice<Message>, to request: Int) {
    reading.head = messages.first?.id ?? reading.head
    feed(.settled(request: request, .success(messages.scriptJSON)))
  }
}
