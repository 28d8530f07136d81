import Dialects

/// What took effect at the desk, counted by effect and not by request: the service counts, the desk's events
/// tell what is kept.
package struct RehearsalStatistics: Equatable, Sendable {
  /// Effects of one kind: always counted, kept only if ``RehearsalSettings/keepsStatistics`` asks for it.
  ///
  /// As a sequence, those that are kept.
  package struct Effects<Effect: Equatable & Sendable>: Equatable, Sendable, Sequence {
    package internal(set) var count = 0
    /// In the order in which they took effect, as they are now.
    package internal(set) var kept: [Effect] = []

    package func makeIterator() -> IndexingIterator<[Effect]> { kept.makeIterator() }
  }

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
  package internal(set) var visitors = Effects<String>()
  /// Everybody's messages.
  package internal(set) var messages = Effects<Message>()
  package internal(set) var ratings = Effects<Rating>()
  package internal(set) var surveyAnswers = Effects<SurveyAnswer>()
  /// The texts of the buttons.
  package internal(set) var presses = Effects<String>()
  package internal(set) var chatsStarted = 0
  package internal(set) var chatsClosed = 0
  package internal(set) var requests = 0
  /// Requests that a fault or a cut line spoiled.
  package internal(set) var spoiled = 0

  private let keeps: Bool

  package init(keeps: Bool = false) {
    self.keeps = keeps
  }
}

extension RehearsalStatistics {
  /// Takes over the service's counts.
  mutating func take(_ counts: ServiceStatistics, visitors: Int) {
    self.visitors.count = visitors
    messages.count = counts.written
    ratings.count = counts.ratings
    surveyAnswers.count = counts.surveyAnswers
    presses.count = counts.presses
    chatsStarted = counts.chatsStarted
    chatsClosed = counts.chatsClosed
  }

  mutating func keep<Effect>(_ effect: Effect, in effects: WritableKeyPath<Self, Effects<Effect>>) {
    if keeps { self[keyPath: effects].kept.append(effect) }
  }
}
