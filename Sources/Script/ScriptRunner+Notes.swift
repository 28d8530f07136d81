internal import JSON
internal import Lua

extension ScriptRunner {
  /// Turns what the script has noted since the last turn into effects.
  func collectNotes() {
    for note in lua.takeNotes() {
      guard let node = try? JSONNode(parsing: note), let noted = ScriptNote(node.elements) else {
        preconditionFailure("a prelude notes only what the runner knows")
      }
      effects.append(.note(noted))
    }
  }
}

extension ScriptNote {
  /// Reads a note: its kind, a text or a name, what belongs to the kind, and the script's position where it
  /// counts.
  fileprivate init?(_ parts: [JSONNode]) {
    guard parts.count >= 2, let text = parts[1].string else { return nil }
    let rest = parts.dropFirst(2).map(\.value)
    switch parts[0].string {
    case "log": self = .log(text, Self.position(rest))
    case "check":
      guard let passed = rest.first?.bool else { return nil }
      self = .check(name: text, passed: passed, Self.position(rest.dropFirst()))
    case "metric":
      guard let value = rest.first?.number else { return nil }
      self = .metric(name: text, value: value, unit: rest.dropFirst().first?.string)
    case "stepped":
      guard let duration = rest.first?.number else { return nil }
      self = .stepEnded(name: text, duration: duration)
    default: return nil
    }
  }

  private static func position(_ parts: some Collection<JSONValue>) -> LuaPosition? {
    guard let source = parts.first?.string, let line = parts.dropFirst().first?.integer else { return nil }
    return LuaPosition(source: source, line: line)
  }
}
