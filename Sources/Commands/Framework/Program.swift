import Script

/// The program `visitant`: finds the command and says how it went.
package enum Program {
  package static var version: String { ScriptRunner.version }

  static let commands: [Command] = [.run, .serve, .history, .check]

  /// The commands' names, in the order of help.
  package static var words: [String] { commands.map(\.spec.name) }

  /// Words that are known, and whose commands are not there yet.
  static let later = ["test", "load", "chat", "simulate", "promote", "compare", "init", "api", "worker"]

  /// - Parameter arguments: With the program's own name in front, as the system gives them.
  /// - Returns: The exit status.
  package static func main(_ arguments: [String], terminal: Terminal = .standard()) -> Int32 {
    do throws(CommandFailure) {
      let status = try run(Array(arguments.dropFirst()), terminal)
      guard let loss = Terminal.loss else { return status.rawValue }
      throw CommandFailure(ExitStatus.worst(of: [status, .host]), "output was lost: \(loss)")
    } catch {
      terminal.complain(terminal.styled("visitant:", .red) + " " + Report.harmless(error.message))
      return error.status.rawValue
    }
  }

  private static func run(_ words: [String], _ terminal: Terminal) throws(CommandFailure) -> ExitStatus {
    guard let word = words.first else {
      terminal.complain(overview)
      return .usage
    }
    let rest = words.dropFirst()
    switch word {
    case "help": return try help(on: rest.first, terminal)
    case "--help", "-h": return try help(on: nil, terminal)
    case "--version":
      terminal.say("visitant \(version)")
      return .success
    default:
      let command = try command(word)
      let options = rest.prefix { $0 != "--" }
      if options.contains("--help") || options.contains("-h") { return try help(on: word, terminal) }
      return try run(command, rest, terminal)
    }
  }

  private static func run(
    _ command: Command, _ words: ArraySlice<String>, _ terminal: Terminal
  ) throws(CommandFailure) -> ExitStatus {
    var arguments: Arguments
    do throws(CommandFailure) {
      arguments = try Arguments(parsing: words, by: command.spec)
    } catch {
      throw CommandFailure(error.status, "\(error.message) (`visitant help \(command.spec.name)`)")
    }
    try ProjectSettings.read().apply(
      to: &arguments, of: command.spec, among: commands.flatMap(\.spec.options))
    return try command.run(arguments, terminal)
  }

  private static func help(on word: String?, _ terminal: Terminal) throws(CommandFailure) -> ExitStatus {
    guard let word else {
      terminal.say(overview)
      return .success
    }
    terminal.say(HelpPage.text(of: try command(word).spec))
    return .success
  }

  private static var overview: String { HelpPage.text(of: commands.map(\.spec), later: later) }

  private static func command(_ word: String) throws(CommandFailure) -> Command {
    if let command = commands.first(where: { $0.spec.name == word }) { return command }
    guard !later.contains(word) else {
      throw .usage("`visitant \(word)` comes with a later version; this is \(version)")
    }
    if word.hasPrefix("-") {
      throw .usage("the command comes first, then its options: visitant COMMAND \(word)")
    }
    let nearest = NearestWord.find(word, among: commands.map(\.spec.name) + ["help"])
    throw .usage("unknown command \(word) (`visitant --help`)", nearest: nearest.map { "`visitant \($0)`" })
  }
}
