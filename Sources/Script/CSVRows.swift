internal import JSON

/// Comma-separated values as rows: texts by the names of the first line.
///
/// Quotes enclose commas, line ends and doubled quotes (RFC 4180); lines end in LF or CRLF; empty lines count
/// for nothing.
package struct CSVRows: Equatable, Sendable {
  package private(set) var rows: [[String: String]] = []
  /// The names of the first line, in their order.
  package private(set) var names: [String] = []

  package init(_ text: String) {
    var records = Self.records(text)
    guard !records.isEmpty else { return }
    names = records.removeFirst()
    rows = records.map { record in
      Dictionary(zip(names, record), uniquingKeysWith: { first, _ in first })
    }
  }

  var json: JSONValue {
    .array(
      rows.map { row in
        .object(names.compactMap { name in row[name].map { JSONValue.Member(name, .string($0)) } })
      })
  }

  private static func records(_ text: String) -> [[String]] {
    // A byte order mark is no part of the first name.
    let text = text.unicodeScalars.first == "\u{FEFF}" ? String(text.unicodeScalars.dropFirst()) : text
    var records: [[String]] = []
    var record: [String] = []
    var field = ""
    var isQuoted = false
    var mayCloseQuote = false
    for character in text {
      if isQuoted, character == "\"" {
        isQuoted = false
        mayCloseQuote = true
        continue
      }
      switch character {
      case _ where isQuoted: field.append(character)
      case "\"":
        if mayCloseQuote { field.append("\"") }
        isQuoted = true
      case ",":
        record.append(field)
        field = ""
      case "\n", "\r\n", "\r":
        append(record + [field], to: &records)
        (record, field) = ([], "")
      default: field.append(character)
      }
      mayCloseQuote = false
    }
    append(record + [field], to: &records)
    return records
  }

  private static func append(_ record: [String], to records: inout [[String]]) {
    if record != [""] { records.append(record) }
  }
}
