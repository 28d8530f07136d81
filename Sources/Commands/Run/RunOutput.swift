import Hosting
import Script
import Transport

/// Where a run's happenings go: people's output or machines' to standard output, diagnostics to standard
/// error.
struct RunOutput {
  private let format: RunPlan.Format
  private let transcript: Transcript
  private let terminal: Terminal

  init(_ plan: RunPlan, terminal: Terminal, start: Double) {
    format = plan.format
    self.terminal = terminal
    transcript = Transcript(start: start, visitors: plan.visits.map(\.visitor), terminal: terminal)
  }

  func head(_ plan: RunPlan, account: String, isRehearsal: Bool) {
    if plan.link.insecure { diagnose("warning: --insecure: any certificate is accepted") }
    guard format == .pretty else { return }
    let whom = isRehearsal ? "a rehearsal at \(account)" : account
    terminal.say("\(plan.botNames) · \(whom) · seed \(plan.seed)\n")
  }

  func show(_ report: VisitReport) {
    switch format {
    case .pretty: for line in transcript.lines(of: report) { terminal.say(line) }
    case .json: terminal.say(ReportLines.line(report))
    case .quiet:
      if case .stopped(let outcome) = report.what, outcome != .finished {
        diagnose("\(report.visitor): \(outcome.line)")
      }
    }
  }

  func end(_ summary: RunSummary, at now: Double) {
    switch format {
    case .pretty: terminal.say(text(summary))
    case .json: terminal.say(ReportLines.summary(at: now, summary))
    case .quiet: break
    }
  }

  /// A line for the person who runs the command.
  func diagnose(_ line: String) {
    terminal.complain(terminal.styled("visitant:", .red) + " " + Report.harmless(line))
  }

  private func text(_ summary: RunSummary) -> String {
    let checks = summary.checksPassed + summary.checksFailed
    var parts = ["\(summary.finished) of \(summary.visitors) visits finished"]
    if checks > 0 { parts.append("\(summary.checksPassed) of \(checks) checks passed") }
    parts.append(Quantity.text(seconds: summary.seconds))
    return "\n" + parts.joined(separator: " · ")
  }
}

extension VisitOutcome {
  /// One line for a diagnostic.
  var line: String {
    switch self {
    case .finished: "finished"
    case .failed(let failure): failure.description
    case .ended(let error): "the service ended the visit: \(error)"
    case .unreachable(let trouble): "the service could not be reached: \(trouble)"
    case .timeLimit(let seconds, _): "the time limit of \(Quantity.text(seconds: seconds)) has passed"
    case .interrupted: "interrupted"
    case .storeFailed(let trouble): trouble
    }
  }
}

extension ExitStatus {
  /// What a visit's end means for the process.
  init(_ outcome: VisitOutcome) {
    self = ExitStatus(rawValue: Int32(outcome.status)) ?? .script
  }
}
