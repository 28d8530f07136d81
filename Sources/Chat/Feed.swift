/// The messages of a visitor in their order: by time, then what is still being sent.
package struct Feed: Equatable, Sendable {
  package struct Entry: Equatable, Sendable {
    package internal(set) var message: Message
    /// Whether an event has told of it.
    package internal(set) var isAnnounced: Bool
    /// Whether the current chat is known to hold it.
    package internal(set) var isLive: Bool
  }

  package internal(set) var entries: [Entry] = []
  /// The latest server ids that were deleted: none of them comes back.
  var tombstones: [String] = []

  package var messages: [Message] { entries.map(\.message) }
}
