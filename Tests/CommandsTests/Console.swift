import Commands

/// A terminal that remembers what was written to it.
final class Console {
  // A test's commands write on the test's own thread.
  private final class Text: @unchecked Sendable {
    var bytes: [UInt8] = []
  }

  private let said = Text()
  private let complained = Text()
  private let isColoured: Bool

  init(isColoured: Bool = false) {
    self.isColoured = isColoured
  }

  var output: String { String(decoding: said.bytes, as: UTF8.self) }
  var diagnostics: String { String(decoding: complained.bytes, as: UTF8.self) }

  func run(_ arguments: String...) -> Int32 { run(arguments) }

  func run(_ arguments: [String]) -> Int32 {
    let (said, complained) = (said, complained)
    let terminal = Terminal(
      isColoured: isColoured, output: { said.bytes += $0 }, diagnostics: { complained.bytes += $0 })
    return Program.main(["visitant"] + arguments, terminal: terminal)
  }
}
