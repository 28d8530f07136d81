import Glibc

/// Where a command writes: answers to standard output, diagnostics to standard error.
package struct Terminal: Sendable {
  package enum Style: String, Sendable {
    case bold = "1"
    case dim = "2"
    case red = "31"
    case green = "32"
    case yellow = "33"
    case blue = "34"
    case magenta = "35"
    case cyan = "36"
  }

  /// Whether a person looks at standard output; without one there are no carriage returns and no colours.
  package let isInteractive: Bool
  package let isColoured: Bool
  /// Columns of a line.
  package let width: Int
  private let output: @Sendable ([UInt8]) -> Void
  private let diagnostics: @Sendable ([UInt8]) -> Void

  package init(
    isInteractive: Bool = false, isColoured: Bool = false, width: Int = 80,
    output: @escaping @Sendable ([UInt8]) -> Void, diagnostics: @escaping @Sendable ([UInt8]) -> Void
  ) {
    self.isInteractive = isInteractive
    self.isColoured = isColoured
    self.width = width
    self.output = output
    self.diagnostics = diagnostics
  }

  /// The process's own standard output and error; `NO_COLOR` and a dumb terminal are obeyed.
  package static func standard() -> Terminal {
    func variable(_ name: String) -> String { getenv(name).map { String(cString: $0) } ?? "" }
    let isInteractive = isatty(STDOUT_FILENO) == 1
    var size = winsize()
    let isKnown = isInteractive && ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0 && size.ws_col >= 40
    return Terminal(
      isInteractive: isInteractive,
      isColoured: isInteractive && variable("NO_COLOR").isEmpty && variable("TERM") != "dumb",
      width: isKnown ? Int(size.ws_col) : 80,
      output: { Self.write($0, to: STDOUT_FILENO) }, diagnostics: { Self.write($0, to: STDERR_FILENO) })
  }

  /// Writes a line to standard output.
  package func say(_ line: String) { output(Array(line.utf8) + [10]) }

  /// Writes a line of bytes to standard output.
  package func say(_ line: [UInt8]) { output(line + [10]) }

  /// Writes a line to standard error.
  package func complain(_ line: String) { diagnostics(Array(line.utf8) + [10]) }

  /// Dresses a text, unless colours are off.
  package func styled(_ text: String, _ styles: Style...) -> String {
    guard isColoured, !text.isEmpty, !styles.isEmpty else { return text }
    return "\u{1B}[\(styles.map(\.rawValue).joined(separator: ";"))m\(text)\u{1B}[0m"
  }

  /// A whole text or, when nobody reads any more, nothing.
  private static func write(_ bytes: [UInt8], to descriptor: Int32) {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
      if count > 0 {
        rest = rest.dropFirst(count)
      } else if errno == EAGAIN {
        var waiting = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        poll(&waiting, 1, -1)
      } else if errno != EINTR {
        if errno != EPIPE { lostOutput = errno }
        return
      }
    }
  }

  /// Why something could not be written; nil as long as nothing was lost. That nobody reads any more is no
  /// loss.
  static var loss: String? { lostOutput == 0 ? nil : String(cString: strerror(lostOutput)) }
}

/// The guard: only the main thread writes to a terminal, and only it asks.
nonisolated(unsafe) private var lostOutput: Int32 = 0
