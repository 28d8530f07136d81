/// What took effect at the desk, counted by effect and not by request.
package struct RehearsalStatistics: Equatable, Sendable {
  package struct Message: Equatable, Sendable {
    package var visitor: String
    package var chat: Int
    /// The wire's word for who wrote it and how.
    package var kind: String
    package var clientID: String
    package var text: String
  }

  package struct Rating: Equatable, Sendable {
    package var visitor: String
    package var operatorID: Int
    package var stars: Int
  }

  package struct SurveyAnswer: Equatable, Sendable {
    package var visitor: String
    package var survey: String
    package var question: String
    package var answer: String
  }

  /// Visitors in the order of their first visit.
  package internal(set) var visitors: [String] = []
  /// Messages in the order in which they took effect, as they are now.
  package internal(set) var messages: [Message] = []
  package internal(set) var ratings: [Rating] = []
  package internal(set) var surveyAnswers: [SurveyAnswer] = []
  package internal(set) var presses: [String] = []
  package internal(set) var chatsStarted = 0
  package internal(set) var chatsClosed = 0
  package internal(set) var requests = 0
  /// Requests that a fault or a cut line spoiled.
  package internal(set) var spoiled = 0

  package init() {}
}
