/// The waits that preludes make of the host's one.
extension WordSpec {
  private static let within = Parameter("within", .number)

  /// A wait for one event: a filter, or the state itself where the event tells one.
  package static func wait(_ name: String, summary: String) -> WordSpec {
    WordSpec(
      name, role: .prelude, [Parameter("filter", .filter, isRequired: false)], options: [within],
      summary: summary)
  }

  /// A wait for an event that the script names.
  package static func waitFor(_ name: String, summary: String) -> WordSpec {
    WordSpec(
      name, role: .prelude, [Parameter("event", .event), Parameter("filter", .filter, isRequired: false)],
      summary: summary)
  }

  /// A wait for a condition of the script's own.
  package static func waitUntil(_ name: String, summary: String) -> WordSpec {
    WordSpec(name, role: .prelude, [Parameter("predicate", .function)], options: [within], summary: summary)
  }

  /// A wait for several filters.
  package static func waitForAll(_ name: String, summary: String) -> WordSpec {
    WordSpec(name, role: .prelude, [Parameter("filters", .filters)], options: [within], summary: summary)
  }

  /// A wait that takes nothing but its limit.
  package static func waitQuietly(_ name: String, summary: String) -> WordSpec {
    WordSpec(name, role: .prelude, options: [within], summary: summary)
  }
}
