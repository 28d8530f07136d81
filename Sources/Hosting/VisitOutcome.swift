package import Chat
package import Script

/// How a visit ended.
package enum VisitOutcome: Equatable, Sendable {
  /// The bot returned, or its chat was closed.
  case finished
  /// The bot failed: an expectation, a refusal nobody caught, an error of the script, a budget.
  case failed(ScriptFailure)
  /// The service ended the visit.
  case ended(SessionError)
  /// The service was never reached; the text is what the transport said.
  case unreachable(String)
  /// The time limit, in seconds, passed; `connected` tells whether the visit had begun.
  case timeLimit(Double, connected: Bool)
  case interrupted
  /// The store could not keep a step.
  case storeFailed(String)

  /// The exit status of a run with this one visit.
  package var status: Int {
    switch self {
    case .finished: 0
    case .failed(let failure): failure.kind == .expectation || failure.kind == .service ? 1 : 107
    case .ended: 4
    case .unreachable: 3
    case .timeLimit(_, let connected): connected ? 1 : 3
    case .interrupted: 130
    case .storeFailed: 5
    }
  }

  /// One word, for machines.
  package var name: String {
    switch self {
    case .finished: "finished"
    case .failed: "failed"
    case .ended: "ended_by_service"
    case .unreachable: "unreachable"
    case .timeLimit: "time_limit"
    case .interrupted: "interrupted"
    case .storeFailed: "store_failed"
    }
  }
}
