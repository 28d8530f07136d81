internal import Lua

/// One coroutine of a script, as its runner sees it.
struct Fiber {
  /// What a coroutine asked for and has not got yet.
  enum Suspension {
    /// It runs at this moment.
    case none
    case calling(request: Int, WordSpec.Role, ScriptCall, said: String)
    /// `until` is a moment in seconds since the epoch.
    case sleeping(request: Int, until: Double)
    case waiting(Waiting)
  }

  /// A wait with its limit; the timer has the number of the request.
  struct Waiting {
    let request: Int
    var wait: Wait
    var limit: WaitLimit
  }

  let number: ScriptRunner.Coroutine
  let kind: ScriptRunner.Kind
  /// The stream whose events it was started for.
  let stream: Int
  var cursor: Wait.Cursor
  /// Where the cursor stood at its last action.
  var actionCursor: Wait.Cursor
  /// What its waits have returned since then, by sequence number.
  var returned: Set<Int> = []
  var suspension = Suspension.none
  /// The wait whose predicate it runs; the limit goes on.
  var judging: Waiting?
  /// Where it asked last.
  var position: LuaPosition?

  /// The wait that it is in, whether or not it runs its predicate.
  var waiting: Waiting? {
    if case .waiting(let waiting) = suspension { return waiting }
    return judging
  }
}

/// The time that a wait has left. It stands while the visitor is disconnected.
struct WaitLimit: Equatable {
  /// Seconds, as of `since`.
  private(set) var remaining: Double
  /// When it began to run; nil while it stands.
  private var since: Double?

  init(_ within: Double, now: Double, isRunning: Bool) {
    remaining = within
    since = isRunning ? now : nil
  }

  mutating func pause(now: Double) {
    guard let begun = since else { return }
    remaining = max(0, remaining - (now - begun))
    since = nil
  }

  mutating func resume(now: Double) {
    if since == nil { since = now }
  }

  /// Seconds left at a moment.
  func left(now: Double) -> Double {
    max(0, remaining - (since.map { now - $0 } ?? 0))
  }
}
