/// The help of a command or of the program, at most 80 columns wide.
enum HelpPage {
  private static let width = 80

  static func text(of spec: CommandSpec) -> String {
    var blocks = [wrap(spec.summary)]
    blocks.append(spec.examples.map { "  \($0)" }.joined(separator: "\n"))
    let usage = [
      "Usage: visitant \(spec.name)", spec.operands.usage, spec.options.isEmpty ? "" : "[options]",
    ]
    blocks.append(usage.filter { !$0.isEmpty }.joined(separator: " "))
    let widest = spec.options.map(\.usage.count).filter { $0 <= 24 }.max() ?? 0
    for group in spec.groups where !group.isEmpty { blocks.append(table(of: group, at: widest + 4)) }
    blocks += spec.notes.map { wrap($0) }
    let statuses = spec.statuses.map { "\($0.status.rawValue) \($0.meaning)" }
    blocks.append(wrap("Exit: " + statuses.joined(separator: " · "), indent: 6, breaks: " · "))
    return blocks.joined(separator: "\n\n")
  }

  static func text(of commands: [CommandSpec], later: [String]) -> String {
    let rows = commands.map { spec in
      (
        ["  visitant", spec.name, spec.operands.usage].filter { !$0.isEmpty }.joined(separator: " "),
        spec.summary
      )
    }
    var blocks = ["Bots that visit a chat service, and a rehearsal of the service to visit."]
    blocks.append("  visitant run bots/first_visit.lua")
    blocks.append(rows.map { columns($0.0, lowered($0.1), at: 30) }.joined(separator: "\n"))
    blocks.append("`visitant help COMMAND` explains one; `visitant --version` names the version.")
    if !later.isEmpty { blocks.append(wrap("Words of later versions: \(later.joined(separator: ", ")).")) }
    let statuses = ExitStatus.allCases.map { "\($0.rawValue) \($0.meaning)" }
    blocks.append(wrap("Exit: " + statuses.joined(separator: " · "), indent: 6, breaks: " · "))
    return blocks.joined(separator: "\n\n")
  }

  private static func table(of options: [OptionSpec], at column: Int) -> String {
    return options.map { option in
      var says = option.summary
      if option.isRepeated { says += "; may be repeated" }
      if let builtIn = option.builtIn, option.kind != .flag { says += " (default: \(builtIn))" }
      return columns("  " + option.usage, says, at: column)
    }.joined(separator: "\n")
  }

  /// A left column, and a right one that begins on the next line when the left is too long.
  private static func columns(_ left: String, _ right: String, at column: Int) -> String {
    let lines = wrap(right, indent: column, first: column).drop { $0 == " " }
    guard left.count + 2 <= column else { return left + "\n" + String(repeating: " ", count: column) + lines }
    return left + String(repeating: " ", count: column - left.count) + lines
  }

  /// Breaks a text at spaces; lines after the first are indented.
  ///
  /// - Parameters:
  ///   - first: Columns that are taken on the first line.
  ///   - breaks: Where the text may be broken.
  private static func wrap(_ text: String, indent: Int = 0, first: Int = 0, breaks: String = " ") -> String {
    var lines: [String] = []
    var line = String(repeating: " ", count: first)
    var isFresh = true
    for piece in text.split(separator: breaks) {
      if !isFresh, line.count + breaks.count + piece.count > width {
        lines.append(line)
        line = String(repeating: " ", count: indent)
        isFresh = true
      }
      line += (isFresh ? "" : breaks) + piece
      isFresh = false
    }
    return (lines + [line]).joined(separator: "\n")
  }

  /// A sentence as the entry of a table.
  private static func lowered(_ sentence: String) -> String {
    let text = sentence.hasSuffix(".") ? String(sentence.dropLast()) : sentence
    return text.prefix(1).lowercased() + text.dropFirst()
  }
}
