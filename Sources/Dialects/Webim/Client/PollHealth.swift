/// How the poll lane fares: whether it is connected, and how long to wait before its next request.
struct PollHealth: Equatable, Sendable {
  /// Seconds between the starts of polls that are answered at once and tell nothing.
  static let interval = 0.5
  /// Seconds that a session has to live for the next loss of it not to count as one of a row.
  static let steadyAfter = 1.0

  var isConnected = false
  /// Whether an outage is under way and was reported.
  var isOut = false
  var backoff: Backoff
  private var losses: Backoff
  private var sessionSince: Double?
  private var rate = RateLimit(perSecond: 1000)
  private var wasFullUpdate = false

  init(seed: UInt64) {
    backoff = Backoff(seed: seed)
    losses = Backoff(seed: seed &+ 1)
  }

  mutating func sessionBegan(now: Double) {
    sessionSince = now
  }

  /// The pause before the next init, in seconds: none when the session has lived for a while.
  mutating func sessionLost(now: Double) -> Double {
    if let since = sessionSince, now - since > Self.steadyAfter { losses.succeeded() }
    sessionSince = nil
    let isFirst = losses.failures == 0
    let pause = losses.failed()
    return isFirst ? 0 : pause
  }

  /// The pause before the next poll, in seconds.
  mutating func pollAnswered(told: Bool, isFullUpdate: Bool, sentAt: Double, now: Double) -> Double {
    let isProgress = told && !(isFullUpdate && wasFullUpdate)
    wasFullUpdate = isFullUpdate
    let elapsed = max(0, now - sentAt)
    return isProgress ? 0 : max(0, Self.interval - elapsed)
  }

  /// nil when a poll may go now, else the seconds until it may.
  mutating func takePlace(now: Double) -> Double? {
    rate.take(now: now)
  }
}
