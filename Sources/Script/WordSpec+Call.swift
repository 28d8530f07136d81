package import JSON
package import Lua

extension WordSpec {
  /// Puts what a script said into the shape of the word.
  ///
  /// Only kinds are looked at; ranges, lengths and rights are the service's to judge. A table that names a
  /// thing is reduced to its id.
  ///
  /// - Parameter said: The word as the script spelt it, for complaints.
  /// - Throws: ``ScriptError`` with `bad_argument` or `unknown_option`.
  package func call(
    said: String, subject: Int = 0, _ values: [JSONValue], position: LuaPosition? = nil
  ) throws(ScriptError) -> ScriptCall {
    var (positional, table) = try divide(values, said: said)
    for (index, parameter) in parameters.enumerated() {
      let value = positional.indices.contains(index) ? positional[index] : .null
      let checked = try check(value, as: parameter, said: said)
      if positional.indices.contains(index) {
        positional[index] = checked
      } else {
        positional.append(checked)
      }
    }
    let options = try check(options: table, said: said)
    guard values.allSatisfy(\.functions.isEmpty) else {
      throw badArgument(said, "a function cannot be handed over")
    }
    return ScriptCall(
      word: name, subject: subject, arguments: positional, options: .object(options), position: position)
  }

  /// Parts the table of options from what stands before it.
  private func divide(
    _ values: [JSONValue], said: String
  ) throws(ScriptError) -> (positional: [JSONValue], options: JSONValue) {
    var positional = values
    var table = JSONValue.null
    if !options.isEmpty, let last = positional.last, last.isTable {
      let place = positional.count - 1
      let isExpected = place < parameters.count && parameters[place].kind.takesTable
      if !isExpected {
        table = last
        positional.removeLast()
      }
    }
    while positional.count > parameters.count, positional.last == .null { positional.removeLast() }
    guard positional.count <= parameters.count else {
      let count = parameters.count
      throw badArgument(
        said,
        "\(count) argument\(count == 1 ? "" : "s") expected, got \(positional.count)"
          + (options.isEmpty ? "" : "; options go into one table at the end"))
    }
    return (positional, table)
  }

  private func check(
    _ value: JSONValue, as parameter: Parameter, said: String
  ) throws(ScriptError) -> JSONValue {
    if value == .null {
      guard parameter.isRequired else { return .null }
      throw badArgument(said, "\(parameter.name): \(parameter.kind.noun) expected, got nil")
    }
    return try parameter.accept(value, said: said)
  }

  /// The options in the order of the table, whatever order the script's table had.
  private func check(options table: JSONValue, said: String) throws(ScriptError) -> [JSONValue.Member] {
    guard case .object(let members) = table else {
      guard table == .null || table == .array([]) else {
        throw badArgument(said, "the options are a table with names")
      }
      return []
    }
    let known = options.map(\.name)
    if let unknown = members.first(where: { !known.contains($0.key) }) {
      throw .unknownKey(unknown.key, of: said, among: known)
    }
    var checked: [JSONValue.Member] = []
    for option in options {
      guard let value = table[option.name], value != .null else { continue }
      checked.append(JSONValue.Member(option.name, try check(value, as: option, said: said)))
    }
    return checked
  }

  private func badArgument(_ said: String, _ complaint: String) -> ScriptError {
    ScriptError(code: "bad_argument", action: said, message: "\(said): \(complaint)")
  }
}

extension WordSpec.Parameter {
  /// The value as a call carries it.
  ///
  /// - Parameter thing: What the parameter belongs to, such as `a button`; empty for the call itself.
  /// - Throws: ``ScriptError`` with `bad_argument`, or `unknown_option` that names the nearest key of a
  ///   table.
  func accept(_ value: JSONValue, said: String, in thing: String = "") throws(ScriptError) -> JSONValue {
    let place = name + (thing.isEmpty ? "" : " of \(thing)")
    guard let accepted = kind.accept(value) else {
      throw ScriptError(
        code: "bad_argument", action: said,
        message: "\(said): \(place): \(kind.noun) expected, got \(value.luaType)")
    }
    if let complaint = complaint(about: accepted) {
      throw ScriptError(code: "bad_argument", action: said, message: "\(said): \(place): \(complaint)")
    }
    try shape?.check(accepted, said: said, place)
    return accepted
  }

  private func complaint(about value: JSONValue) -> String? { value.string.flatMap(complaint) }

  /// Why a text is none of ``values``; nil when it is one, or when any will do.
  package func complaint(about text: String) -> String? {
    guard !values.isEmpty, !values.contains(text) else { return nil }
    return "there is no \"\(text)\"" + NearestWord.hint(text, among: values)
  }
}

extension WordSpec.Kind {
  package var takesTable: Bool {
    switch self {
    case .table, .reference, .any, .filter, .filters: true
    case .text, .number, .integer, .boolean, .function, .event: false
    }
  }

  /// What complaints call it.
  package var noun: String {
    switch self {
    case .text: "text"
    case .function: "function"
    case .event: "name of an event"
    case .filter: "filter"
    case .filters: "list of filters"
    case .number: "number"
    case .integer: "whole number"
    case .boolean: "boolean"
    case .table: "table"
    case .reference: "object or id"
    case .any: "value"
    }
  }

  /// The value as a call carries it, nil when it is of another kind.
  func accept(_ value: JSONValue) -> JSONValue? {
    switch self {
    case .text, .event: value.string.map(JSONValue.string)
    case .number: value.number.map { _ in value }
    case .integer: value.integer.map(JSONValue.integer)
    case .boolean: value.bool.map(JSONValue.bool)
    case .table where value == .array([]): .object([])
    case .table: value.isTable ? .some(value) : .none
    case .reference: value.reference.map(JSONValue.string)
    case .function: value.function.map { _ in value }
    case .any, .filter, .filters: value.function == nil ? .some(value) : .none
    }
  }
}

extension JSONValue {
  var isTable: Bool {
    switch self {
    case .array: true
    case .object: self["$function"] == nil
    case .null, .bool, .integer, .number, .string: false
    }
  }

  /// The id of the thing that the value names: a table with an `id`, a text, or a whole number.
  package var reference: String? {
    switch self {
    case .string(let id): id
    case .object: self["id"]?.reference
    default: integer.map(String.init)
    }
  }

  /// What Lua's `type` would say.
  package var luaType: String {
    switch self {
    case .null: "nil"
    case .bool: "boolean"
    case .integer, .number: "number"
    case .string: "string"
    case .array: "table"
    case .object: self["$function"] == nil ? "table" : "function"
    }
  }

  /// The same value with the members of its objects in one order, so that equal tables are equal texts.
  package var ordered: JSONValue {
    switch self {
    case .array(let elements): .array(elements.map(\.ordered))
    case .object(let members):
      .object(members.map { Member($0.key, $0.value.ordered) }.sorted { $0.key < $1.key })
    default: self
    }
  }
}
