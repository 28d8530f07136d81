package import Lua

/// How a rehearsal behaves, beside what its desk says.
package struct RehearsalSettings: Equatable, Sendable {
  /// Seconds for which a long poll with nothing to tell is held.
  package var hold = 25.0
  /// The limit of a desk's wait that names none, in seconds.
  package var within = 60.0
  /// For the desk's one Lua state, which plays all chats. A script that runs away holds up every visitor of
  /// the service until it is ended, so a turn is no longer than a bot's.
  package var budget = LuaBudget(memory: 32 << 20, instructions: 10_000_000, patternSteps: 10_000_000)
  /// Bytes of the desk's state for each chat, where all chats together need more than the budget.
  package var memoryPerChat = 32 << 10
  /// Whether ``RehearsalService/statistics`` keeps every message, for tests; a long rehearsal would grow with
  /// them.
  package var keepsStatistics = false

  package init() {}
}
