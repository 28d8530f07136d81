internal import Chat
internal import JSON

/// The data of a history answer (the protocol's section 5.2); absent data is an empty page.
struct HistoryBatch: Equatable, Sendable {
  var messages: [Message] = []
  /// Server ids of messages that were deleted, and their client ids where the answer has them.
  var removed: [String] = []
  var hasMore: Bool
  var revision: String?

  init(wire answer: JSONNode, decoder: MessageDecoder) {
    let data = answer["data"]
    hasMore = data?["hasMore"]?.bool ?? false
    revision = data?["revision"]?.revision
    for node in data?["messages"]?.elements ?? [] {
      if node["deleted"]?.bool == true {
        removed += [node["id"]?.string, node["clientSideId"]?.string].compactMap { $0 }
        continue
      }
      if let message = decoder.decode(node) { messages.append(message) }
    }
  }
}
