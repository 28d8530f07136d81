/// Something that happened to a script's stream of events: what handlers get, filters look at and reports
/// tell.
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

  /// What an occurrence does to one that lasts: to the latest of that name, if it tells of the same thing.
  package struct Amendment: Equatable, Sendable {
    package enum Effect: Equatable, Sendable {
      /// The thing has another id now, and its fate is known or, with nil, open again.
      case becomes(id: String, fate: String?)
      case meets(fate: String)
      /// The thing is gone.
      case ends
    }

    package var name: String
    /// Any id of the thing; nil for whatever thing it is.
    package var id: String?
    package var effect: Effect

    package init(of name: String, id: String?, _ effect: Effect) {
      self.name = name
      self.id = id
      self.effect = effect
    }
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
  /// Another id of the thing that it tells of, beside `facts.id`.
  package var otherID: String?
  package var amendment: Amendment?
  /// What has become of it since, for reports of what stands, such as `cancelled`; nil while it is as it was
  /// told.
  package internal(set) var fate: String?

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
