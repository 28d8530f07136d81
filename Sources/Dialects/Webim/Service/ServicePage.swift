/// A page: one client's session, with the changes that it has not fetched yet.
///
/// Each change has the next revision. A client's `since` says what it has: that much is forgotten, the rest
/// is sent. Who is further behind than the log reaches gets the complete state.
///
///     forgotten │ log            │
///     ──────────┼────────────────┤ revision
///               since must be here
struct ServicePage {
  let id: String
  let token: String
  /// The visitor's index.
  let visitor: Int
  private(set) var revision = 1
  private var log: [[UInt8]] = []
  /// Whether the held poll can no longer be told what happened piece by piece.
  private var isBehind = false
  /// The poll that waits for a change.
  var held: WebimService.ExchangeID?
  /// When the client was last heard of, in seconds since the epoch.
  var lastSeen: Double

  init(id: String, token: String, visitor: Int, now: Double) {
    self.id = id
    self.token = token
    self.visitor = visitor
    lastSeen = now
  }

  /// What a poll from `since` on is answered with.
  enum Catch: Equatable {
    case nothing
    case deltas([[UInt8]])
    case everything
  }

  /// Adds changes; a log that would grow past `limit` is given up.
  mutating func append(_ deltas: [[UInt8]], limit: Int) {
    revision += deltas.count
    log.append(contentsOf: deltas)
    if log.count > limit {
      log = []
      isBehind = true
    }
  }

  /// From now on only the complete state will do.
  mutating func invalidate() {
    revision += 1
    log = []
    isBehind = true
  }

  /// Takes the client's word for what it has.
  mutating func fetch(since: Int) -> Catch {
    guard since <= revision, since >= revision - log.count else { return .everything }
    isBehind = false
    log.removeFirst(log.count - (revision - since))
    if log.isEmpty {
      log = []
      return .nothing
    }
    return .deltas(log)
  }

  /// What the client has not fetched, for a poll that waits.
  var unfetched: Catch {
    if isBehind { return .everything }
    return log.isEmpty ? .nothing : .deltas(log)
  }
}
