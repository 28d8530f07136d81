/// Something that happened to a script's stream of events: what handlers get, filters look at and reports tell.
package struct Occurrence: Equatable, Sendable {
  package struct Button: Equatable, Sendable {
    package var id: String
    package var text: String

    package init(id: String, text: String) {
      self.id = id
      self.text = text
    }
  }

  /// What a filter may ask about; a fact that the occurrence lacks never matches.
  package struct Facts: Equatable, Sendable {
    /// The id that the filter `after` names.
    package var id: String?
    /// `visitor`, `operator`, `robot` or `system`.
    package var from: String?
    package var type: String?
    package var text: String?
    package var buttons: [Button] = []
    package var operatorID: String?
    package var operatorName: String?
    /// The new state, of an occurrence that tells one.
    package var state: String?

    package init() {}
  }

  /// Counted from 1 in the order of arrival; the log gives it.
  package var sequence = 0
  /// Seconds since the epoch.
  package var at: Double
  /// Which conversation: always 0 for a bot, the number of the chat for a desk.
  package var stream: Int
  /// The name of the handler without `on_`.
  package var name: String
  package var facts: Facts
  /// One line for reports, such as `message from robot: "Hello"`.
  package var summary: String
  /// What a wait returns, as JSON.
  package var value: [UInt8]
  /// Whether it tells a state that stays true until the next occurrence of its name.
  package var lasts: Bool

  package init(
    at: Double, stream: Int = 0, name: String, facts: Facts = Facts(), summary: String, value: [UInt8],
    lasts: Bool = false
  ) {
    self.at = at
    self.stream = stream
    self.name = name
    self.facts = facts
    self.summary = summary
    self.value = value
    self.lasts = lasts
  }
}
