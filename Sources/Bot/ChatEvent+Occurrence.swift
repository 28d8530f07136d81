package import Chat
internal import JSON
package import Script

extension ChatEvent {
  /// The event as filters and reports see it.
  package func occurrence(at now: Double) -> Occurrence {
    var occurrence = Occurrence(
      at: now, name: name, facts: facts, summary: summary, value: value, lasts: lasts)
    if case .keyboard(let message) = self { occurrence.otherID = message.serverID }
    occurrence.amendment = keyboardAmendment
    return occurrence
  }

  /// What the event does to a keyboard that was offered before.
  private var keyboardAmendment: Occurrence.Amendment? {
    switch self {
    case .messageAdded(let message, _):
      guard let response = message.keyboardResponse else { return nil }
      return Occurrence.Amendment(
        of: "keyboard", id: response.requestMessageID,
        .meets(fate: "answered with \(quoted(response.button.text))"))
    case .messageChanged(let old, let new):
      let effect = new.keyboard.map { Occurrence.Amendment.Effect.becomes(id: new.id, fate: $0.fate) }
      return Occurrence.Amendment(of: "keyboard", id: old.id, effect ?? .ends)
    case .messageRemoved(let message): return Occurrence.Amendment(of: "keyboard", id: message.id, .ends)
    default: return nil
    }
  }

  /// JSON values of what handlers get, in the order of the listener's arguments.
  package var arguments: [[UInt8]] {
    switch self {
    case .messageAdded(let message, let previous): [script(message), script(previous)]
    case .messageChanged(let old, let new): [script(old), script(new)]
    case .messageRemoved(let message): [script(message)]
    case .keyboard(let message): [script(message), script(message.keyboard)]
    case .chatState(let old, let new): [text(old.rawValue), text(new.rawValue)]
    case .sessionState(let old, let new): [text(old.rawValue), text(new.rawValue)]
    case .onlineStatus(let old, let new): [text(old.rawValue), text(new.rawValue)]
    case .operatorChanged(let old, let new): [script(old), script(new)]
    case .departments(let departments): [list(departments.map { $0.json(.script) })]
    case .survey(let survey): [script(survey)]
    case .surveyQuestion(let question, let position): [script(question), script(position)]
    case .surveyCancelled(let survey): [script(survey)]
    case .notFatalError(let error), .fatalError(let error): [script(error)]
    case .operatorTyping, .locationSettings, .unreadByOperator, .unreadByVisitor, .unreadCount, .rated,
      .resolved, .language, .greeting, .connection:
      plainArguments.map(\.bytes)
    }
  }

  /// The arguments of the events that tell no more than a few values.
  private var plainArguments: [JSONValue] {
    switch self {
    case .operatorTyping(let isTyping): [.bool(isTyping)]
    case .locationSettings(let old, let new): [parsed(old), parsed(new)]
    case .unreadByOperator(let since), .unreadByVisitor(let since): [since.map { .number($0) } ?? .null]
    case .unreadCount(let count): [.integer(count)]
    case .rated(let operatorID, let stars): [.string(operatorID), .integer(stars)]
    case .resolved(let operatorID, let answer): [.string(operatorID), .integer(answer)]
    case .language(let code): [code.map { .string($0) } ?? .null]
    case .greeting(let text): [.string(text)]
    case .connection(let isConnected): [.bool(isConnected)]
    default: []
    }
  }

  /// What a wait returns: the new one of two, else the first argument; `true` for an event that tells nothing
  /// more, `false` where it tells that something is not there. Only an operator who has gone is nothing to
  /// wait for.
  private var value: [UInt8] {
    switch self {
    case .messageAdded(let message, _), .messageChanged(_, let message), .messageRemoved(let message),
      .keyboard(let message):
      return script(message)
    case .chatState(_, let state): return text(state.rawValue)
    case .sessionState(_, let state): return text(state.rawValue)
    case .onlineStatus(_, let status): return text(status.rawValue)
    case .operatorChanged(_, let new): return script(new)
    case .locationSettings(_, let new): return parsed(new).bytes
    default:
      guard let first = arguments.first, first != Array("null".utf8) else { return Array("false".utf8) }
      return first
    }
  }

  private var lasts: Bool {
    switch self {
    case .chatState, .sessionState, .onlineStatus, .operatorChanged, .keyboard: true
    default: false
    }
  }

  private var facts: Occurrence.Facts {
    switch self {
    case .messageAdded(let message, _), .messageChanged(_, let message), .messageRemoved(let message),
      .keyboard(let message):
      return Occurrence.Facts(message)
    default: break
    }
    var facts = Occurrence.Facts()
    switch self {
    case .chatState(_, let state): facts.state = state.rawValue
    case .sessionState(_, let state): facts.state = state.rawValue
    case .onlineStatus(_, let status): facts.state = status.rawValue
    case .operatorChanged(_, let new):
      facts.operatorID = new?.id
      facts.operatorName = new?.name
    case .surveyQuestion(let question, _):
      facts.type = question.kind.rawValue
      facts.text = question.text
    case .greeting(let text): facts.text = text
    case .rated(let id, _), .resolved(let id, _): facts.operatorID = id
    case .notFatalError(let error), .fatalError(let error): facts.type = error.code.rawValue
    default: break
    }
    return facts
  }
}

extension Keyboard {
  /// What has become of it, for reports; nil while it waits for an answer.
  fileprivate var fate: String? {
    switch state {
    case .pending: return nil
    case .canceled: return "cancelled"
    case .completed:
      let chosen = buttons.first { $0.id == response?.buttonID }
      return "answered" + (chosen.map { " with \(quoted($0.text))" } ?? "")
    }
  }
}

extension Occurrence.Facts {
  init(_ message: Message) {
    self.init()
    id = message.id
    from = message.origin.rawValue
    type = message.kind.rawValue
    text = message.text
    buttons = message.keyboard?.buttons.map { Occurrence.Button(id: $0.id, text: $0.text) } ?? []
    operatorID = message.senderID
    operatorName = message.senderName
  }
}

// MARK: - JSON

private func script(_ value: (some JSONCoded)?) -> [UInt8] {
  value?.json(.script) ?? Array("null".utf8)
}

private func text(_ text: String) -> [UInt8] {
  JSONValue.string(text).bytes
}

private func list(_ values: [[UInt8]]) -> [UInt8] {
  var writer = JSONWriter()
  writer.array { for value in values { $0.raw(value) } }
  return writer.bytes
}

/// Compact JSON as a value; what is no JSON stays a text.
private func parsed(_ json: String?) -> JSONValue {
  guard let json else { return .null }
  return (try? JSONNode(parsing: json).value) ?? .string(json)
}
