/// What one step of a visit changes: written whole or not at all.
///
/// A `nil` leaves what is stored; rows are added, or replace those of the same id.
package struct CommitUnit: Equatable, Sendable {
  /// As ``Store/beginVisit(_:)`` named it.
  package let visit: Int64
  package var journal: [JournalRow] = []
  package var state: [UInt8]?
  package var conversation: [UInt8]?
  package var memory: [UInt8]?
  package var messages: [MessageRow] = []
  /// Client ids of messages that are gone.
  package var removedMessages: [String] = []
  package var outboxAdded: [OutboxRow] = []
  /// Requests that are settled.
  package var outboxRemoved: [Int] = []
  package var chats: [ChatRow] = []
  package var ratings: [RatingRow] = []
  package var surveyAnswers: [SurveyAnswerRow] = []
  /// Set once, with the visit's last unit.
  package var end: VisitEnd?

  package init(visit: Int64) {
    self.visit = visit
  }

  /// Whether there is nothing to write.
  package var isEmpty: Bool { self == CommitUnit(visit: visit) }
}
