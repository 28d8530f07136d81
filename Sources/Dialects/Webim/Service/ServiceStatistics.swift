/// What became of the visitors' requests: effects are counted, not requests.
package struct ServiceStatistics: Equatable, Sendable {
  /// Messages that exist, by the visitor's client id; a second one of the same id would be a fault of the
  /// service.
  package var messages: [String: Int] = [:]
  /// Messages of everybody and the service itself, those that were deleted later too.
  package var written = 0
  /// Requests that repeated a message, a start, a deletion or a rating and changed nothing.
  package var repeats = 0
  /// Ratings that took effect: a repeat with the same value does not.
  package var ratings = 0
  package var resolutions = 0
  package var surveyAnswers = 0
  package var surveysFinished = 0
  package var presses = 0
  package var edits = 0
  package var deletions = 0
  /// Chats that began, by whomever; one that is opened again is the same.
  package var chatsStarted = 0
  /// How often an open chat was closed; a closed one that the other side closes too is closed already.
  package var chatsClosed = 0
}
