internal import JSON

/// What a table that a word takes has to hold.
///
/// The host checks a call by it, and `visitant check` a script's text.
package enum TableShape: Equatable, Sendable {
  /// One thing.
  case record(Record)
  /// A list of things, each of one of these kinds.
  case list([Record])
  /// A list of things, or of rows of them.
  case rows(Record)
  /// A list of texts or numbers.
  case texts
  /// Texts or numbers under names of the script's own.
  case fields

  /// A thing, by the names of what it holds. Nothing of it has to be there.
  package struct Record: Equatable, Sendable {
    /// What complaints call it, with its article, such as `a button`.
    package var thing: String
    package var keys: [WordSpec.Parameter]

    package init(_ thing: String, _ keys: [WordSpec.Parameter]) {
      self.thing = thing
      self.keys = keys
    }

    package func key(_ name: String) -> WordSpec.Parameter? { keys.first { $0.name == name } }

    /// Why there is no such key.
    package func unknownKey(_ name: String) -> String {
      "unknown key \"\(name)\" in \(thing)" + NearestWord.hint(name, among: keys.map(\.name))
    }
  }

  /// Of several kinds the one that most of the names belong to, the first of equals.
  package static func record(of records: [Record], for names: [String]) -> Record? {
    var best: (record: Record, count: Int)?
    for record in records {
      let count = names.count { record.key($0) != nil }
      if count > best?.count ?? -1 { best = (record, count) }
    }
    return best?.record
  }
}

extension TableShape {
  /// - Parameter place: What the table is, such as `buttons` or `options of a question`.
  func check(_ value: JSONValue, said: String, _ place: String) throws(ScriptError) {
    switch self {
    case .record(let record): try Self.check(value, said: said, place, record)
    case .list(let records):
      for element in try Self.elements(value, said: said, place) {
        guard let record = Self.record(of: records, for: element.members.map(\.key)) else { continue }
        try Self.check(element, said: said, record.thing, record)
      }
    case .rows(let record):
      for row in try Self.elements(value, said: said, place) {
        let buttons = if case .array(let elements) = row { elements } else { [row] }
        for button in buttons { try Self.check(button, said: said, record.thing, record) }
      }
    case .texts:
      for element in try Self.elements(value, said: said, place) {
        try Self.checkScalar(element, said: said, place)
      }
    case .fields:
      for member in value.members { try Self.checkScalar(member.value, said: said, member.key) }
      if case .array(let elements) = value, !elements.isEmpty {
        throw refusal(said, "\(place): a table with names expected, got a list")
      }
    }
  }

  private static func check(
    _ value: JSONValue, said: String, _ place: String, _ record: Record
  ) throws(ScriptError) {
    guard value.isTable else { throw refusal(said, "\(place): table expected, got \(value.luaType)") }
    if case .array(let elements) = value, !elements.isEmpty {
      throw refusal(said, "\(place): a table with names expected, got a list")
    }
    for member in value.members {
      guard let key = record.key(member.key) else {
        throw .unknownKey(member.key, of: said, in: record.thing, among: record.keys.map(\.name))
      }
      _ = try key.accept(member.value, said: said, in: record.thing)
    }
  }

  private static func elements(
    _ value: JSONValue, said: String, _ place: String
  ) throws(ScriptError) -> [JSONValue] {
    if case .array(let elements) = value { return elements }
    guard value.members.isEmpty else {
      throw refusal(said, "\(place): a list expected, got a table with names")
    }
    return []
  }

  private static func checkScalar(_ value: JSONValue, said: String, _ place: String) throws(ScriptError) {
    guard value.string != nil || value.number != nil else {
      throw refusal(said, "\(place): texts expected, got \(value.luaType)")
    }
  }
}

private func refusal(_ said: String, _ complaint: String) -> ScriptError {
  ScriptError(code: "bad_argument", action: said, message: "\(said): \(complaint)")
}
