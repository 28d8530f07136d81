/// Actions whose requests got no answer and which may have had their effect, on their way to a comparison.
///
/// The state they are compared with has to be newer than the loss: an init that was sent since. Without an
/// open chat an init tells no messages, and what became of them only history tells, asked for since that
/// init.
struct Doubts: Equatable, Sendable {
  /// Those that wait for an init.
  private var fresh: [WebimSession.ActionID] = []
  /// Those that have seen an init and wait for history.
  private var waiting: [WebimSession.ActionID] = []

  var needHistory: Bool { !waiting.isEmpty }

  mutating func add(_ ids: [WebimSession.ActionID]) {
    for id in ids {
      withdraw(id)
      fresh.append(id)
    }
  }

  mutating func withdraw(_ id: WebimSession.ActionID) {
    fresh.removeAll { $0 == id }
    waiting.removeAll { $0 == id }
  }

  /// An init that was sent since the last loss has told the service's state.
  mutating func stateTold() {
    waiting += fresh
    fresh = []
  }

  /// Hands out what can be compared now.
  mutating func takeComparable() -> [WebimSession.ActionID] {
    defer { waiting = [] }
    return waiting
  }

  /// Hands out all, at the end of the session.
  mutating func takeAll() -> [WebimSession.ActionID] {
    defer { (fresh, waiting) = ([], []) }
    return waiting + fresh
  }
}
