/// What the process says with its exit status.
package enum ExitStatus: Int32, CaseIterable, Sendable {
  case success = 0
  /// An expectation, a check under `test`, or a test failed; findings of `check`.
  case failed = 1
  /// Wrong usage or configuration.
  case usage = 2
  case unreachable = 3
  /// The service ended the visit: banned, blocked, fields expired, wrong hash.
  case visitEnded = 4
  /// Trouble of this host: store locked, newer or damaged, port taken, disk full.
  case host = 5
  case threshold = 99
  /// A script does not load, raised, or ran past a budget.
  case script = 107
  /// Chats were closed first, within the grace.
  case interrupted = 130

  /// Of several that apply, the one to say comes first here.
  private static let severity: [ExitStatus] = [
    .interrupted, .usage, .host, .script, .visitEnded, .unreachable, .failed, .threshold, .success,
  ]

  /// The one to say when several apply; success when none does.
  package static func worst(of statuses: some Sequence<ExitStatus>) -> ExitStatus {
    let found = Set(statuses)
    return severity.first { found.contains($0) } ?? .success
  }

  /// What it means, as help says it.
  package var meaning: String {
    switch self {
    case .success: "all good"
    case .failed: "an expectation failed"
    case .usage: "wrong usage"
    case .unreachable: "service not reached"
    case .visitEnded: "the service ended the visit"
    case .host: "trouble of this host: store, port, disk"
    case .threshold: "a threshold was crossed"
    case .script: "a script failed"
    case .interrupted: "interrupted"
    }
  }
}
