import Chat
import Testing

/// What becomes of a conversation by some updates.
struct FoldCase: Sendable, CustomTestStringConvertible {
  let testDescription: String
  let before: [Update]
  let updates: [Update]
  let events: [String]

  init(
    _ name: String, before: [Update] = [Sample.snapshot(Sample.chat())], _ updates: [Update],
    _ events: [String]
  ) {
    testDescription = name
    self.before = before
    self.updates = updates
    self.events = events
  }
}

/// A copy with a change.
func with<Value>(_ value: Value, _ change: (inout Value) -> Void) -> Value {
  var copy = value
  change(&copy)
  return copy
}

/// Short words for the values that the tests of this target are made of.
enum Sample {
  static func message(
    _ id: String, server: String? = nil, _ kind: Message.Kind = .operatorMessage, at time: Int64,
    text: String = "text", chat: String? = nil
  ) -> Message {
    var message = Message(
      id: id, serverID: server ?? "s-\(id)", kind: kind, senderName: "Name", text: text, timestamp: time)
    message.chatID = chat
    return message
  }

  /// A message of the visitor that the service has not seen.
  static func sending(_ id: String, at time: Int64, text: String = "text") -> Message {
    Message(id: id, kind: .visitorMessage, text: text, timestamp: time, sendStatus: .sending)
  }

  static func keyboard(_ id: String, at time: Int64, _ state: Keyboard.State = .pending) -> Message {
    var message = message(id, .keyboard, at: time)
    message.keyboard = Keyboard(
      rows: [[Button(id: "b-yes", text: "Yes"), Button(id: "b-no", text: "No")]], state: state)
    return message
  }

  static func chat(
    _ id: Int = 9, _ state: ChatState = .chatting, _ messages: [Message] = [], operator: Operator? = nil
  ) -> ChatSnapshot {
    var chat = ChatSnapshot(id: id, state: state)
    chat.clientID = "c-\(id)"
    chat.messages = messages
    chat.operator = `operator`
    return chat
  }

  static func snapshot(
    _ chat: ChatSnapshot? = nil, _ state: SessionState = .idle, survey: Survey? = nil
  ) -> Update {
    var snapshot = Snapshot(sessionState: state)
    snapshot.chat = chat
    snapshot.survey = survey
    return .snapshot(snapshot)
  }

  static let anna = Operator(id: "501", name: "Anna")

  static let robot: Operator = {
    var robot = Operator(id: "7", name: "Robby")
    robot.robotType = "internal"
    return robot
  }()

  /// Two forms with an empty one between them: stars and radio, nothing, a comment.
  static func survey(_ id: String = "sv", form: Int = 21, question: Int = 0) -> Survey {
    Survey(
      id: id, configID: 3, version: "2",
      forms: [
        Survey.Form(id: 21, questions: [stars, radio]), Survey.Form(id: 22, questions: []),
        Survey.Form(id: 23, questions: [comment]),
      ], current: Survey.Position(formID: form, question: question))
  }

  static let stars = Survey.Question(kind: .stars, text: "Rate us")
  static let radio = Survey.Question(kind: .radio, text: "Solved?", options: ["Yes", "No"])
  static let comment = Survey.Question(kind: .comment, text: "More?")

  static func position(_ form: Int, _ question: Int) -> Survey.Position {
    Survey.Position(formID: form, question: question)
  }
}

extension Conversation {
  /// A conversation that has taken these updates already.
  init(_ updates: [Update]) {
    self.init()
    apply(updates)
  }

  @discardableResult
  mutating func apply(_ updates: [Update]) -> [ChatEvent] {
    updates.flatMap { apply($0) }
  }
}

extension ChatEvent {
  /// What a test of order compares: the name and the message it is about.
  var brief: String {
    switch self {
    case .messageAdded(let message, let previous): "\(name) \(message.id) after \(previous?.id ?? "none")"
    case .messageChanged(let old, let new):
      old.id == new.id ? "\(name) \(new.id)" : "\(name) \(old.id) to \(new.id)"
    case .messageRemoved(let message), .keyboard(let message): "\(name) \(message.id)"
    case .chatState(let from, let to): "\(name) \(from.rawValue) to \(to.rawValue)"
    case .surveyQuestion(_, let position): "\(name) \(position.formID).\(position.question)"
    case .unreadCount(let count): "\(name) \(count)"
    case .operatorChanged(_, let to): "\(name) \(to?.id ?? "none")"
    default: name
    }
  }
}
