package import Lua

/// Runs the coroutines of one script: their asks, their handlers in order, their waits and timers.
///
/// What bots and desks share. Deterministic: the same calls in the same order give the same effects. Each verb
/// leaves its effects to be taken with ``takeEffects()``.
package final class ScriptRunner {
  /// A coroutine of the script, numbered from 1 in the order of their starts.
  package typealias Coroutine = Int

  package struct Options: Sendable {
    package var budget: LuaBudget
    package var seed: UInt64
    /// The limit of a wait that names none, in seconds.
    package var within: Double

    package init(budget: LuaBudget = .run, seed: UInt64 = 0, within: Double = 10) {
      self.budget = budget
      self.seed = seed
      self.within = within
    }
  }

  package init() {}
}
