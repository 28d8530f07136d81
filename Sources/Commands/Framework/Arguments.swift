import Script

/// What was said to a command: its options from flags, `visitant.lua` and built-in values, and its operands.
package struct Arguments: Sendable {
  package internal(set) var operands: [String] = []
  /// Values by option name, as typed.
  private(set) var flags: [String: [String]] = [:]
  /// The same from `visitant.lua`.
  private(set) var settings: [String: [String]] = [:]

  /// How strongly an option is said: 2 by a flag, 1 by `visitant.lua`, 0 not at all. Of two that exclude each
  /// other the stronger counts, and two of the same strength are a contradiction.
  package func strength(_ option: OptionSpec) -> Int {
    if option.kind == .flag, !isOn(option) { return 0 }
    return flags[option.name] != nil ? 2 : settings[option.name] != nil ? 1 : 0
  }

  /// Whether a flag option is on.
  package func isOn(_ option: OptionSpec) -> Bool { text(option) == "true" }

  /// The value in force: of the flag, else of `visitant.lua`, else built in.
  package func text(_ option: OptionSpec) -> String? { all(option).last }

  /// Every value in force of an option that may be repeated.
  package func all(_ option: OptionSpec) -> [String] {
    flags[option.name] ?? settings[option.name] ?? option.builtIn.map { [$0] } ?? []
  }

  package func integer(_ option: OptionSpec) -> Int? { text(option).flatMap { Int($0) } }

  /// In seconds.
  package func seconds(_ option: OptionSpec) -> Double? { text(option).flatMap { Quantity.seconds($0) } }

  /// In bytes.
  package func bytes(_ option: OptionSpec) -> Int? { text(option).flatMap { Quantity.bytes($0) } }

  mutating func add(_ value: String, to option: OptionSpec) throws(CommandFailure) {
    try option.check(value)
    if option.isRepeated {
      flags[option.name, default: []].append(value)
    } else {
      flags[option.name] = [value]
    }
  }

  mutating func set(_ values: [String], of option: OptionSpec) {
    settings[option.name] = values
  }
}

extension Arguments {
  /// Parses what follows a command's name.
  ///
  /// Options and operands may come in any order; `--name value` and `--name=value` are the same; after `--`
  /// everything is an operand; of an option that is not repeated, the last value counts.
  init(parsing words: some Sequence<String>, by spec: CommandSpec) throws(CommandFailure) {
    var rest = Array(words)[...]
    while let word = rest.popFirst() {
      guard word != "--" else {
        operands += rest
        break
      }
      guard word.hasPrefix("-"), word != "-" else {
        operands.append(word)
        continue
      }
      let (option, inline) = try Self.option(word, of: spec)
      if option.kind == .flag {
        guard inline == nil else { throw .usage("--\(option.name) takes no value") }
        try add("true", to: option)
      } else if let value = inline ?? rest.first.flatMap({ $0.hasPrefix("--") ? nil : $0 }) {
        if inline == nil { rest.removeFirst() }
        try add(value, to: option)
      } else {
        let next = rest.first.map { " before \($0) (one that begins so is written --\(option.name)=VALUE)" }
        throw .usage("\(option.usage): the value is missing\(next ?? "")")
      }
    }
    try spec.operands.check(operands, of: spec.name)
  }

  private static func option(
    _ word: String, of spec: CommandSpec
  ) throws(CommandFailure) -> (OptionSpec, String?) {
    let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    let name = parts[0].drop { $0 == "-" }
    let options = spec.options
    if word.hasPrefix("--"), let option = options.first(where: { $0.name == name }) {
      return (option, parts.count > 1 ? String(parts[1]) : nil)
    }
    guard !OptionSpec.later.contains(String(name)) else {
      throw .usage("--\(name) comes with a later version; this is \(Program.version)")
    }
    let nearest = NearestWord.find(String(name), among: options.map(\.name))
    throw .usage("unknown option \(parts[0])", nearest: nearest.map { "--\($0)" })
  }
}
