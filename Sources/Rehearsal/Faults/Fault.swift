/// One order to misbehave, as `desk:fault{ … }` gives it.
package struct Fault: Equatable, Sendable {
  /// Which requests it may spoil.
  package struct Target: Equatable, Sendable {
    /// nil: every endpoint.
    package var endpoint: Endpoint?
    /// The `action` parameter's value; nil: every action.
    package var action: String?

    package init(endpoint: Endpoint? = nil, action: String? = nil) {
      self.endpoint = endpoint
      self.action = action
    }

    package func contains(_ endpoint: Endpoint, action: String?) -> Bool {
      (self.endpoint.map { $0 == endpoint } ?? true) && (self.action.map { $0 == action } ?? true)
    }
  }

  /// What becomes of a request.
  package enum Harm: Equatable, Sendable {
    /// Nothing but the delay.
    case none
    /// The connection is closed, and the service has not seen the request.
    case dropBefore
    /// The service takes the request, its answer is lost.
    case dropAfterAccept
    /// The service takes the request; half of its answer goes out.
    case cut
    /// This goes out in place of the service's answer; the service has not seen the request.
    case answer(status: Int, body: String)
    /// The same, but the service has taken the request.
    case replaceAnswer(status: Int, body: String)
  }

  package var on = Target()
  /// From 0 to 1, drawn for each request that it might spoil.
  package var chance = 1.0
  /// Seconds for which the answer is late, by the desk's clock.
  package var delay = 0.0
  package var harm = Harm.none
  /// How many requests at most are spoiled; nil: no end.
  package var times: Int?
  /// How many requests are let through first.
  package var after = 0
  /// What the chance is drawn from; nil: the rehearsal's seed and the fault's place.
  package var seed: UInt64?

  package init() {}
}
