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
        "Each mistake is a line on standard output: FILE:LINE: what is wrong, and the nearest right word."
      ])
  ) { _, _ throws(CommandFailure) in .success }
}
