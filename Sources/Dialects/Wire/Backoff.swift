internal import JSON

/// Pauses before a repeat: each drawn evenly from the upper three quarters below a bound that doubles.
///
/// Many visitors who lost the service together come back apart. Pauses drawn from zero on would bring twice
/// the mean back in the first second after an outage; the quarter that is left out makes that 1.6 times.
package struct Backoff: Equatable, Sendable {
  /// Seconds: the first bound and the largest.
  package static let first = 0.5
  package static let longest = 30.0

  /// Repeats since the last success.
  package private(set) var failures = 0
  private var generator: SplitMix64

  package init(seed: UInt64) {
    generator = SplitMix64(seed: seed)
  }

  /// The pause before the next repeat, in seconds.
  package mutating func failed() -> Double {
    let bound = min(Self.longest, Self.first * Double(1 << min(failures, 16)))
    failures += 1
    return bound * (0.25 + 0.75 * generator.nextUnit())
  }

  package mutating func succeeded() {
    failures = 0
  }
}

/// A bound on how often something is done: a peer that answers at once, for ever, must not heat a machine.
package struct RateLimit: Equatable, Sendable {
  private let perSecond: Int
  private var windowStart = -Double.infinity
  private var count = 0

  package init(perSecond: Int) {
    self.perSecond = perSecond
  }

  /// Takes one place in the present second; nil when there was one, else the seconds until there is.
  package mutating func take(now: Double) -> Double? {
    if now >= windowStart + 1 || now < windowStart {
      windowStart = now
      count = 0
    }
    guard count < perSecond else { return windowStart + 1 - now }
    count += 1
    return nil
  }
}
