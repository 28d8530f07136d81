/// What is to be asked of the history (the protocol's section 5.4); one request at a time.
struct HistoryReader: Equatable, Sendable {
  enum Request: Equatable, Sendable {
    /// What changed since the last known revision, or the newest page when none is known.
    case changes
    /// Messages older than a time in microseconds.
    case page(before: Int64)
  }

  struct InFlight: Equatable, Sendable {
    let request: WebimSession.RequestID
    let kind: Request
    let isInitial: Bool
    let generation: Int
  }

  enum Pause: Equatable, Sendable {
    case backoff
    case credentials(generation: Int)
  }

  /// Seconds between requests where the service names no revisions.
  static let interval = 60.0
  /// How often a page is asked for before its reader hears of the failure, and changes that the service
  /// refuses before they wait for the next reason to ask.
  static let attempts = 3

  var areChangesDue = false
  /// Pages to read, in order.
  var pages: [Int64] = []
  var inFlight: InFlight?
  var pause: Pause?
  /// Whether full updates name revisions.
  var isRevisionDriven = false
  /// A revision that was named while a request was under way.
  var named: String?
  var lastAnswer: Double?
  private var changesFailures = 0
  private var pageFailures = 0
  var backoff: Backoff
  var rate = RateLimit(perSecond: 100)

  init(seed: UInt64) {
    backoff = Backoff(seed: seed)
  }

  var next: Request? {
    areChangesDue ? .changes : pages.first.map { .page(before: $0) }
  }

  /// How often the request has failed in a row, this time included.
  mutating func failed(_ kind: Request) -> Int {
    guard kind == .changes else {
      pageFailures += 1
      return pageFailures
    }
    changesFailures += 1
    return changesFailures
  }

  /// The request has ended, with or without an answer.
  mutating func ended(_ kind: Request) {
    if kind == .changes { changesFailures = 0 } else { pageFailures = 0 }
  }

  mutating func revisionNamed(_ revision: String, known: String?) {
    if inFlight?.kind == .changes {
      named = revision
    } else if revision != known {
      areChangesDue = true
    }
  }

  /// Asks again where the last answer is old; so always at a start.
  mutating func refresh(now: Double) {
    if lastAnswer.map({ now - $0 > Self.interval || now < $0 }) ?? true { areChangesDue = true }
  }
}
