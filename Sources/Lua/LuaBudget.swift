/// What a Lua state may use before it is ended.
package struct LuaBudget: Sendable, Equatable {
  /// Which of the three was spent.
  package enum Kind: String, Sendable {
    case memory, instructions, patterns
  }

  /// Bytes of the whole state, at any moment.
  package var memory: Int

  /// Virtual machine instructions a turn, that is, from a start or resume until the coroutine asks or ends.
  package var instructions: Int

  /// Comparisons of the pattern matcher a turn.
  package var patternSteps: Int

  package init(memory: Int, instructions: Int, patternSteps: Int) {
    self.memory = memory
    self.instructions = instructions
    self.patternSteps = patternSteps
  }

  /// For a visitor that somebody watches.
  package static let run = LuaBudget(
    memory: 8 << 20, instructions: 10_000_000, patternSteps: 10_000_000)

  /// For one visitor among thousands.
  package static let load = LuaBudget(memory: 1 << 20, instructions: 1_000_000, patternSteps: 1_000_000)
}
