package import Lua

/// A bot's text with what it may use.
package struct BotSource: Sendable {
  /// What errors call it, such as `bots/first_visit.lua`.
  package var name: String
  package var text: [UInt8]
  package var budget: LuaBudget
  /// The limit of a wait that names none, in seconds.
  package var within: Double

  package init(name: String, text: [UInt8], budget: LuaBudget = .run, within: Double = 10) {
    self.name = name
    self.text = text
    self.budget = budget
    self.within = within
  }
}
