internal import Chat
internal import Script

extension ChatEvent {
  /// One line for a report of what came.
  var summary: String {
    switch self {
    case .messageAdded(let message, _): "message \(message.line)"
    case .messageChanged(_, let message): "changed message \(message.line)"
    case .messageRemoved(let message): "removed message \(message.line)"
    case .keyboard(let message): "keyboard \(message.line)"
    case .chatState(let old, let new): "chat state: \(old.rawValue) -> \(new.rawValue)"
    case .sessionState(let old, let new): "session state: \(old.rawValue) -> \(new.rawValue)"
    case .onlineStatus(let old, let new): "online status: \(old.rawValue) -> \(new.rawValue)"
    case .operatorChanged(let old, let new): "operator: \(old?.name ?? "none") -> \(new?.name ?? "none")"
    case .operatorTyping(let isTyping): isTyping ? "the operator types" : "the operator stops typing"
    case .survey(let survey): "survey \(survey.id) with \(survey.questionCount) questions"
    case .surveyQuestion(let question, _):
      "survey question (\(question.kind.rawValue)): \(quoted(question.text))"
    case .surveyCancelled: "the survey is over"
    case .rated(let id, let stars): "rating of operator \(id): \(stars)"
    case .resolved(let id, let answer): "resolution answer for operator \(id): \(answer)"
    case .unreadCount(let count): "unread by the visitor: \(count)"
    case .language(let code): "language: \(code ?? "none")"
    case .greeting(let text): "greeting: \(quoted(text))"
    case .connection(let isConnected): isConnected ? "connected" : "disconnected"
    case .notFatalError(let error): "trouble: \(error.description)"
    case .fatalError(let error): "fatal trouble: \(error.description)"
    case .departments, .locationSettings, .unreadByOperator, .unreadByVisitor: name
    }
  }
}

extension Message {
  fileprivate var line: String {
    let buttons = keyboard?.buttons.map { " [\($0.text)]" }.joined() ?? ""
    let kind =
      kind == .visitorMessage || kind == .operatorMessage || kind == .keyboard ? "" : " (\(kind.rawValue))"
    return "from \(origin.rawValue)\(kind): \(quoted(text))\(buttons)"
  }
}

extension Survey {
  fileprivate var questionCount: Int { forms.reduce(0) { $0 + $1.questions.count } }
}
