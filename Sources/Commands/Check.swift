extension Command {
  static let check = Command(
    CommandSpec(
      name: "check", summary: "Finds mistakes in bots and desks without running them.",
      examples: ["visitant check bots/*.lua examples/desks/*.lua"],
      operands: Operands("FILE …", 1...Int.max, "at least one file"), groups: [],
      statuses: [
        (.success, "nothing found"), (.failed, "mistakes found"),
        (.usage, "wrong usage, or a file is missing"),
      ],
      notes: [
        "It finds what is no Lua, and words of visitor, chat, desk and visitant, events, keys of filters and options "
          + "that do not exist. Each mistake is a line: FILE:LINE:COLUMN: what is wrong, and the nearest right word."
      ])
  ) { arguments, terminal throws(CommandFailure) in
    // Every file is read first: a name that is wrong should not hide behind what was found in others.
    var sources: [(file: String, text: [UInt8])] = []
    for file in arguments.operands { sources.append((file, try TextFile.read(file))) }
    let words = CheckedWords()
    let findings = sources.flatMap { ScriptCheck.findings(in: $0.text, file: $0.file, words: words) }
    for finding in findings {
      terminal.say(
        terminal.styled("\(finding.file):\(finding.line):\(finding.column):", .bold) + " " + finding.message)
    }
    return findings.isEmpty ? .success : .failed
  }
}
