import TestSupport

/// The handbook of the Lua API, `docs/lua.md`, taken apart: sections, the rows of their tables, samples of
/// code.
struct Handbook {
  struct Row {
    /// The whole line.
    let text: String
    /// What the code spans of the first cell begin with: `send` and `say` of "`send(text)` = `say`".
    let names: [String]
  }

  struct Sample: CustomStringConvertible {
    let source: String
    /// Of its first line in the handbook.
    let line: Int

    var description: String { "docs/lua.md:\(line)" }
  }

  private let lines: [String]

  init() {
    let text = String(decoding: contents(of: Project.path("docs/lua.md")), as: UTF8.self)
    lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
  }

  /// The lines under a heading up to the next one of any level; none when there is no such heading.
  func section(_ heading: String) -> [String] {
    guard let start = lines.firstIndex(where: { Self.heading($0) == heading }) else { return [] }
    var isCode = false
    let section = lines[(start + 1)...].prefix { line in
      if line.hasPrefix("```") { isCode.toggle() }
      return isCode || Self.heading(line) == nil
    }
    return Array(section)
  }

  /// The rows of the tables of some sections, without their heads.
  func rows(_ headings: String...) -> [Row] { rows(headings) }

  func rows(_ headings: [String]) -> [Row] {
    headings.flatMap(section).filter { $0.hasPrefix("| ") }.map { line in
      let cell = String(line.dropFirst(2)).components(of: " | ").first.map { String($0) } ?? ""
      return Row(text: line, names: Self.spans(of: cell).map(Self.word))
    }.filter { !$0.names.isEmpty }
  }

  func names(_ headings: String...) -> Set<String> { Set(rows(headings).flatMap(\.names)) }

  /// The code spans of a section that are plain words.
  func words(in heading: String) -> Set<String> {
    Set(section(heading).flatMap(Self.spans).filter { !$0.isEmpty && Self.word($0) == $0 })
  }

  /// The blocks of Lua.
  var samples: [Sample] {
    var samples: [Sample] = []
    var source: String?
    for (index, line) in lines.enumerated() {
      if let begun = source {
        if line == "```" {
          samples.append(Sample(source: begun, line: index - begun.split(separator: "\n").count + 1))
          source = nil
        } else {
          source = begun + line + "\n"
        }
      } else if line == "```lua" {
        source = ""
      }
    }
    return samples
  }

  /// The lines that are neither code nor rows of tables.
  var prose: [String] {
    var isCode = false
    return lines.filter { line in
      if line.hasPrefix("```") { isCode.toggle() }
      return !isCode && !line.hasPrefix("|")
    }
  }

  private static func heading(_ line: String) -> String? {
    guard line.hasPrefix("#") else { return nil }
    return line.drop { $0 == "#" || $0 == " " }.filter { $0 != "`" }
  }

  private static func spans(of text: String) -> [String] {
    text.split(separator: "`", omittingEmptySubsequences: false).enumerated()
      .filter { $0.offset % 2 == 1 }.map { String($0.element) }
  }

  private static func word(_ code: String) -> String {
    let name = code.hasPrefix("visitant.") ? code.dropFirst("visitant.".count) : code[...]
    return String(name.prefix { $0.isLetter || $0.isNumber || $0 == "_" })
  }
}
