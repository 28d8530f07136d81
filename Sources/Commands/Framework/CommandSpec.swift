/// A command as its users see it: one table gives the parsing and the help.
package struct CommandSpec: Sendable {
  package let name: String
  /// One sentence, with a full stop.
  package let summary: String
  /// Command lines to start from.
  package let examples: [String]
  package let operands: Operands
  /// Options in the order of help; a line without options parts them.
  package let groups: [[OptionSpec]]
  /// What its exit statuses mean, where that differs from the common meaning.
  package let statuses: [(status: ExitStatus, meaning: String)]
  /// Further paragraphs of help.
  package let notes: [String]

  package init(
    name: String, summary: String, examples: [String], operands: Operands = .none, groups: [[OptionSpec]],
    statuses: [(status: ExitStatus, meaning: String)], notes: [String] = []
  ) {
    self.name = name
    self.summary = summary
    self.examples = examples
    self.operands = operands
    self.groups = groups
    self.statuses = statuses
    self.notes = notes
  }

  package var options: [OptionSpec] { groups.flatMap { $0 } }
}

/// How many operands a command takes.
package struct Operands: Sendable {
  /// As the usage line shows it, such as `BOT.lua …`.
  let usage: String
  let count: ClosedRange<Int>
  /// What one of them is, such as `a bot's file`.
  let what: String

  package init(_ usage: String, _ count: ClosedRange<Int>, _ what: String) {
    self.usage = usage
    self.count = count
    self.what = what
  }

  package static let none = Operands("", 0...0, "")

  func check(_ operands: [String], of command: String) throws(CommandFailure) {
    if operands.count < count.lowerBound { throw .usage("`visitant \(command)` needs \(what)") }
    guard operands.count > count.upperBound else { return }
    let extra = operands[count.upperBound]
    throw .usage(
      count.upperBound == 0
        ? "`visitant \(command)` takes no operand, but here is \(extra)" : "\(extra) is one operand too many")
  }
}
