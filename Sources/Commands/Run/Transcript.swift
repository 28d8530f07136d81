import Chat
package import Hosting
import Script

/// A run's conversations as people read them: one line a happening, seconds since the run began on the left.
package struct Transcript {
  /// What a line is, for its colour.
  enum Tone {
    case visitor, service, quiet, good, bad
  }

  struct Line {
    var tone: Tone
    var seconds: Double
    var visitor: String
    var who: String
    var text: String
  }

  private let start: Double
  private let terminal: Terminal
  /// The widest visitor's name; 0 when one visitor needs no name.
  private let nameWidth: Int

  /// - Parameter visitors: The names of all visitors of the run.
  package init(start: Double, visitors: [String], terminal: Terminal) {
    self.start = start
    self.terminal = terminal
    nameWidth = visitors.count > 1 ? min(24, visitors.map(\.count).max() ?? 0) : 0
  }

  /// The lines of one report; none when it says nothing to a reader.
  package func lines(of report: VisitReport) -> [String] {
    lines(report).map { format($0) }
  }

  private func lines(_ report: VisitReport) -> [Line] {
    func line(_ tone: Tone, _ who: String, _ text: String) -> [Line] {
      [Line(tone: tone, seconds: report.at - start, visitor: report.visitor, who: who, text: text)]
    }
    switch report.what {
    case .started(let isResumed):
      return line(.quiet, "", isResumed ? "the visit goes on" : "the visit begins")
    case .event(let event):
      return Self.told(event).map { line($0.tone, $0.who, $0.text) } ?? []
    case .action(let action): return Self.told(action).map { line(.visitor, $0.who, $0.text) } ?? []
    case .refused(let error): return line(.bad, "refused", error.description)
    case .log(let text): return line(.quiet, "log", text)
    case .check(let name, let passed, let position):
      return line(
        passed ? .good : .bad, "check", passed ? "\(name): passed" : "\(name): failed at \(position)")
    case .step(let name, let seconds): return line(.quiet, "step", "\(name): \(Self.decimal(seconds)) s")
    case .metric(let name, let value, let unit):
      return line(.quiet, "metric", "\(name) = \(value)\(unit.isEmpty ? "" : " \(unit)")")
    case .trace(let text): return line(.quiet, "trace", text)
    case .stopped(let outcome): return Self.told(outcome).map { line($0.tone, "", $0.text) } ?? []
    }
  }

  private func format(_ line: Line) -> String {
    var head = Self.padded(Self.decimal(max(0, line.seconds)), 7, left: true) + "  "
    if nameWidth > 0 { head += Self.padded(Report.harmless(line.visitor), nameWidth) + "  " }
    head += Self.padded(Report.harmless(line.who), 12) + "  "
    let indent = String(repeating: " ", count: head.count)
    let texts = line.text.split(separator: "\n", omittingEmptySubsequences: false)
      .map { Self.dressed(Report.harmless(String($0)), line.tone, terminal) }
    return head + texts.joined(separator: "\n" + indent)
  }

  private static func dressed(_ text: String, _ tone: Tone, _ terminal: Terminal) -> String {
    switch tone {
    case .visitor: terminal.styled(text, .cyan)
    case .service: text
    case .quiet: terminal.styled(text, .dim)
    case .good: terminal.styled(text, .green)
    case .bad: terminal.styled(text, .red)
    }
  }

  static func decimal(_ seconds: Double) -> String {
    let hundredths = Int((min(max(seconds, 0), 1e12) * 100).rounded())
    let rest = hundredths % 100
    return "\(hundredths / 100).\(rest < 10 ? "0" : "")\(rest)"
  }

  private static func padded(_ text: String, _ width: Int, left: Bool = false) -> String {
    let shown = text.count > width ? String(text.prefix(max(0, width - 1))) + "…" : text
    let space = String(repeating: " ", count: max(0, width - shown.count))
    return left ? space + shown : shown + space
  }
}

// MARK: - What is worth a line

extension Transcript {
  private static func told(_ event: ChatEvent) -> (tone: Tone, who: String, text: String)? {
    switch event {
    case .messageAdded(let message, _): return told(message)
    case .messageChanged(let old, let new):
      guard old.text != new.text else { return nil }
      return (.service, who(new), "(edited) \(new.text)")
    case .messageRemoved(let message): return (.quiet, who(message), "(deleted) \(message.text)")
    case .chatState(let from, let to): return (.quiet, "chat", "\(from.rawValue) → \(to.rawValue)")
    case .operatorChanged(let from, let to):
      return (.quiet, "operator", "\(from?.name ?? "nobody") → \(to?.name ?? "nobody")")
    case .operatorTyping(let isTyping): return isTyping ? (.quiet, "operator", "is typing …") : nil
    case .survey(let survey): return (.quiet, "survey", "\(survey.id) begins")
    case .surveyQuestion(let question, _):
      let options = question.options.map { "[\($0)]" }.joined(separator: " ")
      return (.service, "survey", "\(question.text) (\(question.kind.rawValue)) \(options)")
    case .surveyCancelled: return (.quiet, "survey", "ends")
    case .rated(_, let stars): return (.good, "rated", Self.drawn(stars))
    case .connection(let isConnected): return (.quiet, "connection", isConnected ? "up" : "down")
    case .notFatalError(let error), .fatalError(let error): return (.bad, "error", error.description)
    case .greeting(let text): return (.service, "greeting", text)
    default: return nil
    }
  }

  /// Stars as such, and a number that no rating is as a number.
  private static func drawn(_ stars: Int) -> String {
    (1...5).contains(stars) ? String(repeating: "★", count: stars) : String(stars)
  }

  private static func told(_ message: Message) -> (tone: Tone, who: String, text: String)? {
    guard message.origin != .visitor || message.sendStatus == .sent else { return nil }
    var text = message.text
    if let quoted = message.quote?.text { text = "> \(quoted)\n\(text)" }
    if let keyboard = message.keyboard {
      let rows = keyboard.rows.map { row in row.map { "[\($0.text)]" }.joined(separator: " ") }
      text += "\n" + rows.joined(separator: "\n")
    }
    return (message.origin == .visitor ? .visitor : .service, who(message), text)
  }

  private static func who(_ message: Message) -> String {
    if message.origin == .visitor { return "visitor" }
    return message.senderName.isEmpty ? message.origin.rawValue : message.senderName
  }

  private static func told(_ action: Action) -> (who: String, text: String)? {
    switch action {
    case .startChat: ("visitor", "starts a chat")
    case .closeChat: ("visitor", "closes the chat")
    case .send(_, let text, _, _): ("visitor", text)
    case .reply(_, let text, _): ("visitor", "(quoting) \(text)")
    case .edit(_, let text): ("visitor", "(edits) \(text)")
    case .delete: ("visitor", "(deletes a message)")
    case .pressButton(let button, _): ("visitor", "(presses) \(button)")
    case .rateOperator(let rating): ("visitor", "(rates) \(rating.stars)")
    case .sendResolutionSurvey(_, let answer, _): ("visitor", "(resolved) \(answer == 1 ? "yes" : "no")")
    case .answerSurvey(_, _, let value): ("visitor", "(answers) \(value)")
    case .closeSurvey: ("visitor", "closes the survey")
    case .setVisitorTyping, .setChatRead: nil
    }
  }

  private static func told(_ outcome: VisitOutcome) -> (tone: Tone, text: String)? {
    switch outcome {
    case .finished: return (.good, "the visit ends")
    case .failed(let failure):
      let parts = [failure.description, failure.report, failure.traceback].filter { !$0.isEmpty }
      return (.bad, parts.joined(separator: "\n"))
    case .interrupted: return (.quiet, outcome.line)
    case .ended, .unreachable, .timeLimit, .storeFailed: return (.bad, outcome.line)
    }
  }
}
