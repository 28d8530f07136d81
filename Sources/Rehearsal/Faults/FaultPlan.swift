import JSON

/// The faults of a desk and what they have done so far: takes requests, tells what becomes of each.
///
/// The same seed and the same requests in the same order are spoiled in the same way.
package struct FaultPlan: Equatable, Sendable {
  /// What a fault does to one request.
  package struct Verdict: Equatable, Sendable {
    /// Seconds before anything goes out.
    package var delay: Double
    package var harm: Fault.Harm
  }

  private struct Entry: Equatable {
    var fault: Fault
    var seen = 0
    var spoiled = 0
    var generator: SplitMix64

    mutating func requestArrived() -> Verdict? {
      seen += 1
      guard seen > fault.after, fault.times.map({ spoiled < $0 }) ?? true else { return nil }
      // The number is drawn even when it cannot matter, so that a changed chance moves no later draw.
      guard generator.nextUnit() < fault.chance else { return nil }
      spoiled += 1
      return Verdict(delay: fault.delay, harm: fault.harm)
    }
  }

  private var entries: [Entry] = []
  private let seed: UInt64
  /// The line is cut until this time, in seconds of the desk's clock.
  private var offlineUntil = -Double.infinity

  package init(seed: UInt64) {
    self.seed = seed
  }

  package mutating func add(_ fault: Fault) {
    let seed = fault.seed ?? (self.seed &+ UInt64(entries.count))
    entries.append(Entry(fault: fault, generator: SplitMix64(seed: seed)))
  }

  package mutating func removeAll() {
    entries = []
    offlineUntil = -.infinity
  }

  /// Cuts the line: every request is dropped, a held one too, until `seconds` have passed.
  package mutating func goOffline(for seconds: Double, now: Double) {
    offlineUntil = max(offlineUntil, now + seconds)
  }

  package func isOffline(now: Double) -> Bool { now < offlineUntil }

  /// Decides about a request. Of several faults that fit, the first whose chance comes up acts.
  ///
  /// - Returns: nil when the request goes its way unspoiled.
  package mutating func requestArrived(_ endpoint: Endpoint, action: String?, now: Double) -> Verdict? {
    if isOffline(now: now) { return Verdict(delay: 0, harm: .dropBefore) }
    for index in entries.indices where entries[index].fault.on.contains(endpoint, action: action) {
      if let verdict = entries[index].requestArrived() { return verdict }
    }
    return nil
  }
}
