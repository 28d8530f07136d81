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
  /// Reads a note: its name, the script's source and line, and its own members.
  fileprivate init?(_ parts: [JSONNode]) {
    guard parts.count >= 3, let name = parts[0].string else { return nil }
    let line = parts[2].integer
    let position = parts[1].string.flatMap { source in line.map { LuaPosition(source: source, line: $0) } }
    let rest = parts.dropFirst(3).map(\.value)
    guard let text = rest.first?.string else { return nil }
    let second = rest.count > 1 ? rest[1] : .null
    switch name {
    case "log": self = .log(text, position)
    case "check": self = .check(name: text, passed: second.bool ?? false, position)
    case "metric":
      guard let value = second.number else { return nil }
      self = .metric(name: text, value: value, unit: rest.count > 2 ? rest[2].string : nil)
    case "step": self = .stepStarted(name: text, position)
    case "stepped":
      guard let duration = second.number else { return nil }
      self = .stepEnded(name: text, duration: duration)
    default: return nil
    }
  }
}
