import Commands
import TestSupport
import Testing

struct ProgramTests {
  private let console = Console()

  @Test(arguments: [["--help"], ["help"], ["-h"]])
  func `help says every command and every exit status`(words: [String]) {
    #expect(console.run(words) == 0)
    for word in Program.words.map({ "visitant \($0)" }) + ["107 ", "130 "] {
      #expect(console.output.contains(word), "\(word)")
    }
    #expect(console.diagnostics.isEmpty)
  }

  @Test(arguments: [[]] + Program.words.map { [$0] })
  func `help keeps to eighty columns`(words: [String]) {
    #expect(console.run(["help"] + words) == 0)
    for line in console.output.split(separator: "\n") { #expect(line.count <= 80, "\(line)") }
  }

  @Test(arguments: Program.words)
  func `a command's help begins with its sentence and an example`(command: String) {
    #expect(console.run(command, "--help") == 0)
    let blocks = console.output.components(of: "\n\n")
    #expect(blocks[0].hasSuffix("."))
    #expect(blocks[1].hasPrefix("  visitant \(command)"))
    #expect(console.output.contains("Exit: 0 "))
    let other = Console()
    #expect(other.run("help", command) == 0)
    #expect(other.output == console.output)
  }

  @Test func `the version is one line`() {
    #expect(console.run("--version") == 0)
    #expect(console.output == "visitant \(Program.version)\n")
  }

  @Test func `without a word the help goes to standard error`() {
    #expect(console.run() == 2)
    #expect(console.output.isEmpty)
    #expect(console.diagnostics.contains("visitant run"))
  }

  @Test(arguments: [
    (["histroy"], "`visitant history`"), (["history", "--stroe", "x"], "--store"),
    (["history", "--format", "jsno"], "json"),
    (["chekc", "x"], "`visitant check`"), (["history", "--rating"], "--ratings"),
  ])
  func `a wrong word is status 2 and names the right one`(words: [String], right: String) {
    #expect(console.run(words) == 2)
    #expect(console.output.isEmpty)
    #expect(console.diagnostics.contains("did you mean \(right)?"))
  }

  @Test(arguments: [
    ["history", "--store"], ["history", "--ratings=yes"], ["history", "a", "b"], ["check"],
    ["history", "--store="],
    ["history", "--ratings", "--runs"], ["history", "--runs", "alice"], ["--store", "x", "history"],
    ["history", "-x"],
  ])
  func `wrong usage is status 2, and one line says why`(words: [String]) {
    #expect(console.run(words) == 2)
    #expect(console.output.isEmpty)
    #expect(console.diagnostics.hasPrefix("visitant: "))
    #expect(console.diagnostics.components(of: "\n").count == 2)
  }

  @Test(arguments: ["test", "load", "chat", "simulate", "promote", "compare", "init", "api", "worker"])
  func `a word of a later version says so`(word: String) {
    #expect(console.run(word, "anything") == 2)
    #expect(console.diagnostics.contains("later version"))
  }

  @Test func `the most severe of several statuses is said`() {
    let order: [Commands.ExitStatus] = [
      .interrupted, .usage, .host, .script, .visitEnded, .unreachable, .failed, .threshold, .success,
    ]
    for (index, status) in order.enumerated() {
      #expect(Commands.ExitStatus.worst(of: order[index...].reversed()) == status)
    }
    #expect(Commands.ExitStatus.worst(of: []) == .success)
    #expect(order.map(\.rawValue) == [130, 2, 5, 107, 4, 3, 1, 99, 0])
  }

  @Test func `colours come only where they are wanted`() {
    let plain = Console()
    _ = plain.run("histroy")
    #expect(!plain.diagnostics.contains("\u{1B}"))
    let coloured = Console(isColoured: true)
    _ = coloured.run("histroy")
    #expect(coloured.diagnostics.contains("\u{1B}[31m"))
  }

  @Test func `the built program says the same, with its status`() throws {
    let scratch = Scratch()
    let wrong = try Binary.run("histroy", in: scratch)
    #expect(wrong.status == 2)
    #expect(wrong.output.isEmpty && wrong.diagnostics.contains("`visitant history`"))
    let right = try Binary.run("--version", in: scratch)
    #expect(right.status == 0 && right.output.hasPrefix("visitant "))
    #expect(!right.output.contains("\u{1B}"))
  }
}

extension String {
  func components(of separator: String) -> [Substring] {
    split(separator: separator, omittingEmptySubsequences: false)
  }
}
