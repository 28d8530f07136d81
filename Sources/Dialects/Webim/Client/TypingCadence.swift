/// When a draft goes out (the protocol's section 11.5): the first at once, then the latest once a second, and
/// five seconds after the last one a sign that nothing is being typed.
struct TypingCadence: Equatable, Sendable {
  enum Sign: Equatable, Sendable {
    /// A draft's text, or its end.
    case draft(String?)
    /// Typing has paused; the draft stays.
    case idle
  }

  private var sent: Sign?
  private var waiting: Sign?
  /// Earliest time of the next sign.
  private var nextAllowed = -Double.infinity
  private var idleAt: Double?
  /// What a timer may be early by.
  private static let slack = 0.001

  /// When `timerFired` is due, in seconds since the epoch.
  var deadline: Double? {
    let next = waiting == nil ? nil : nextAllowed
    return [next, idleAt].compactMap { $0 }.min()
  }

  /// Whether the draft is to be sent now.
  mutating func draftSet(_ draft: String?, now: Double) -> Bool {
    idleAt = draft == nil ? nil : now + 5
    waiting = .draft(draft)
    return takeDue(now: now) != nil
  }

  /// The signs to send now, in order.
  mutating func timerFired(now: Double) -> [Sign] {
    var due = [takeDue(now: now)].compactMap { $0 }
    if let idleAt, now >= idleAt - Self.slack {
      self.idleAt = nil
      sent = .idle
      due.append(.idle)
    }
    return due
  }

  private mutating func takeDue(now: Double) -> Sign? {
    guard let sign = waiting, now >= nextAllowed - Self.slack else { return nil }
    waiting = nil
    guard sign != sent else { return nil }
    sent = sign
    nextAllowed = now + 1
    return sign
  }
}
