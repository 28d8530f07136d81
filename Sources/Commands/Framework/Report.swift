import JSON

/// A table that is printed for people or for machines.
package struct Report: Sendable {
  package enum Cell: Equatable, Sendable {
    case text(String)
    case integer(Int)
    /// Seconds since the epoch.
    case moment(Double)
    case none
  }

  package enum Format: String, CaseIterable, Sendable {
    case pretty, json, csv
  }

  package let columns: [String]
  package let rows: [[Cell]]
  /// What people read when there are no rows.
  package let whenEmpty: String

  package init(columns: [String], rows: [[Cell]], whenEmpty: String) {
    self.columns = columns
    self.rows = rows
    self.whenEmpty = whenEmpty
  }

  package func print(as format: Format, to terminal: Terminal) {
    switch format {
    case .pretty: printPretty(to: terminal)
    case .json: for row in rows { terminal.say(json(row)) }
    case .csv: ([columns] + rows.map { $0.map(Self.plain) }).forEach { terminal.say(Self.csv($0)) }
    }
  }

  private func printPretty(to terminal: Terminal) {
    guard !rows.isEmpty else { return terminal.say(whenEmpty) }
    let texts = rows.map { $0.map(Self.pretty) }
    let widths = columns.indices.map { index in
      min(Self.widest, max(columns[index].count, texts.map { $0[index].count }.max() ?? 0))
    }
    terminal.say(terminal.styled(Self.line(columns.map { $0.replacing("_", with: " ") }, widths), .bold))
    for text in texts { terminal.say(Self.line(text, widths)) }
  }

  /// A longer text runs over: the others must not be filled up to the length of a stranger's.
  private static let widest = 60

  /// An object on one line, without the cells that hold nothing.
  private func json(_ row: [Cell]) -> [UInt8] {
    var writer = JSONWriter()
    writer.object { object in
      for (column, cell) in zip(columns, row) {
        switch cell {
        case .text(let text): object.member(column, text)
        case .integer(let number): object.member(column, number)
        case .moment(let at): object.member(column, at)
        case .none: break
        }
      }
    }
    return writer.bytes
  }

  private static func line(_ cells: [String], _ widths: [Int]) -> String {
    let padded = zip(cells, widths).map { $0 + String(repeating: " ", count: max(0, $1 - $0.count)) }
    let line = padded.joined(separator: "  ")
    return String(line.prefix(line.count - line.reversed().prefix { $0 == " " }.count))
  }

  private static func pretty(_ cell: Cell) -> String {
    switch cell {
    case .text(let text): harmless(text)
    case .integer(let number): String(number)
    case .moment(let at): Moment.day(at)
    case .none: "-"
    }
  }

  private static func plain(_ cell: Cell) -> String {
    switch cell {
    case .text(let text): text
    case .integer(let number): String(number)
    case .moment(let at): Moment.iso(at)
    case .none: ""
    }
  }

  /// A record of RFC 4180: lines stay lines, in quotes; what else steers a terminal is gone, as in pretty
  /// output.
  ///
  /// A text that a spreadsheet takes for a formula (`=…`) stays as it is: the table is for programs, too.
  private static func csv(_ cells: [String]) -> String {
    cells.map { text in
      let cell = shown(text.replacing("\r\n", with: "\n")) { $0 == "\n" || $0 == "\t" ? $0 : nil }
      let isPlain = !cell.unicodeScalars.contains { $0 == "," || $0 == "\"" || $0 == "\n" }
      return isPlain ? cell : "\"" + cell.replacing("\"", with: "\"\"") + "\""
    }.joined(separator: ",")
  }

  /// A stranger's text on one line, without what could steer a terminal.
  package static func harmless(_ text: String) -> String {
    shown(text) { $0 == "\n" ? "⏎" : $0 == "\t" ? " " : nil }
  }

  /// The text with U+FFFD in place of control characters, Unicode's second block of them included.
  ///
  /// - Parameter sign: What stands for a control character instead; nil for U+FFFD.
  private static func shown(_ text: String, sign: (UnicodeScalar) -> UnicodeScalar?) -> String {
    String(
      String.UnicodeScalarView(
        text.unicodeScalars.map { scalar in
          let steers = scalar.value < 0x20 || (0x7F...0x9F).contains(scalar.value)
          return steers ? sign(scalar) ?? "\u{FFFD}" : scalar
        }))
  }
}
