package import Lua

/// What a wait looks for: the name of an event and what its facts have to be.
package struct Filter: Equatable, Sendable {
  package enum Criterion: Equatable, Sendable {
    case from(String)
    case type(String)
    case text(String)
    case contains(String)
    case like(String, Wildcard)
    /// A Lua pattern.
    case matches(String)
    /// The id or the text of a button.
    case button(String)
    /// The id or the name of an operator.
    case `operator`(String)
    case state(String)
    /// Written by anybody but the visitor: what a message filter means that says neither `from` nor `type`.
    case others
  }

  /// The most comparisons that one pattern may take on one text.
  package static let patternSteps = 1_000_000

  /// The name of the event, such as `message`.
  package var event: String
  package var criteria: [Criterion]
  /// The id of a message: only what came after it counts, whatever else was matched since.
  package var after: String?
  /// Seconds; nil when the filter names no limit.
  package var within: Double?

  package init(event: String, criteria: [Criterion] = [], after: String? = nil, within: Double? = nil) {
    self.event = event
    self.criteria = criteria
    self.after = after
    self.within = within
  }

  /// Whether the occurrence is looked for.
  ///
  /// - Parameter steps: What the turn has left; what looking costs is taken off, and below zero nothing is
  ///   looked for.
  /// - Throws: ``LuaError`` for a malformed pattern, or one that takes too many steps.
  package func matches(_ occurrence: Occurrence, steps: inout Int) throws(LuaError) -> Bool {
    steps -= 1
    guard occurrence.name == event else { return false }
    for criterion in criteria where try !criterion.holds(for: occurrence.facts, steps: &steps) {
      return false
    }
    return steps >= 0
  }

  /// How near an occurrence came, for reports: how many criteria it meets, and the first that it misses.
  package func nearness(of occurrence: Occurrence, steps: inout Int) -> (met: Int, missed: Criterion?) {
    var met = 0
    var missed: Criterion?
    for criterion in criteria {
      // A pattern that cannot be tried was reported when the wait tried it.
      if (try? criterion.holds(for: occurrence.facts, steps: &steps)) == true {
        met += 1
      } else if missed == nil {
        missed = criterion
      }
    }
    return (met, missed)
  }

  /// What is looked for, such as `a message from operator that contains "on its way"`.
  package var description: String {
    let noun = Filter.nouns[event] ?? "the event \(event)"
    let details = criteria.filter { $0 != .others }.map(\.description)
    let place = after == nil ? [] : ["after the message named"]
    return ([noun] + details + place).joined(separator: " ")
  }

  private static let nouns = [
    "message": "a message", "keyboard": "a keyboard", "chat_state": "a chat state", "survey": "a survey",
    "survey_question": "a survey question", "operator": "an operator", "press": "a press",
  ]
}

extension Filter.Criterion: CustomStringConvertible {
  package var description: String {
    switch self {
    case .from(let origin): "from \(origin)"
    case .type(let type): "of type \(type)"
    case .text(let text): "with the text \(quoted(text))"
    case .contains(let part): "that contains \(quoted(part))"
    case .like(let pattern, _): "like \(quoted(pattern))"
    case .matches(let pattern): "that matches \(quoted(pattern))"
    case .button(let button): "with the button \(quoted(button))"
    case .operator(let name): "by the operator \(quoted(name))"
    case .state(let state): "\(state)"
    case .others: "from somebody else"
    }
  }

  func holds(for facts: Occurrence.Facts, steps: inout Int) throws(LuaError) -> Bool {
    steps -= 1
    switch self {
    case .from(let origin): return facts.from == origin
    case .type(let type): return facts.type == type
    case .text(let text): return facts.text == text
    case .contains(let part):
      guard let text = facts.text else { return part.isEmpty }
      steps -= text.utf8.count / 16 * (1 + part.utf8.count / 256)
      return steps >= 0 && (part.isEmpty || text.contains(part))
    case .like(_, let wildcard):
      guard let text = facts.text else { return false }
      return wildcard.matches(text, steps: &steps)
    case .matches(let pattern):
      guard steps >= 0, let text = facts.text else { return false }
      let allowed = min(Filter.patternSteps, steps)
      var left = allowed
      defer { steps -= allowed - left }
      return try LuaPattern.matches(pattern, text, steps: &left)
    case .button(let button): return facts.buttons.contains { $0.id == button || $0.text == button }
    case .operator(let name): return facts.operatorID == name || facts.operatorName == name
    case .state(let state): return facts.state == state
    case .others: return facts.from != "visitor"
    }
  }
}

/// A text in quotes on one line, cut where it grows long.
package func quoted(_ text: String, limit: Int = 200) -> String {
  var line = ""
  for character in text.prefix(limit) {
    switch character {
    case "\n", "\r\n": line += "\\n"
    case "\r": line += "\\r"
    case "\t": line += "\\t"
    case "\"": line += "\\\""
    case "\\": line += "\\\\"
    default: line.append(character)
    }
  }
  return "\"\(line)\"" + (text.dropFirst(limit).isEmpty ? "" : "…")
}
