import JSON
import Lua

/// What `visitant.lua` in the project's folder says: a table of options by name, such as `time_limit = "2m"`.
package struct ProjectSettings: Sendable {
  package static let fileName = "visitant.lua"

  /// Values by the name that stands in the file.
  private var values: [(name: String, values: [String])] = []

  /// Names that the file may use and that are no options.
  private static let further = ["allowed_hosts"]

  /// - Parameter folder: The project's; a file that is not there says nothing.
  /// - Throws: ``CommandFailure`` with status 2 when the file does not load or gives no table.
  package static func read(folder: String = ".") throws(CommandFailure) -> ProjectSettings {
    let path = folder == "." ? fileName : "\(folder)/\(fileName)"
    guard TextFile.exists(path) else { return ProjectSettings() }
    return try ProjectSettings(parsing: TextFile.read(path))
  }

  init() {}

  init(parsing source: [UInt8]) throws(CommandFailure) {
    for member in try Self.evaluate(source) {
      values.append((member.key, try Self.texts(of: member.value, named: member.key)))
    }
  }

  /// The values under a name, for those that are no options.
  package func all(_ name: String) -> [String] { values.last { $0.name == name }?.values ?? [] }

  /// Puts the settings below the flags.
  ///
  /// - Parameter options: Those of all commands: what the file says may concern another one.
  func apply(to arguments: inout Arguments, options: [OptionSpec]) throws(CommandFailure) {
    let further = Self.further
    for (name, values) in values where !further.contains(name) {
      guard let option = options.first(where: { $0.settingName == name }) else {
        let known = options.map(\.settingName) + further
        throw .usage("\(Self.fileName): unknown setting \(name)", nearest: NearestWord.to(name, in: known))
      }
      guard option.isRepeated || values.count == 1 else {
        throw .usage("\(Self.fileName): \(name) takes one value, not a list")
      }
      for value in values {
        do throws(CommandFailure) {
          try option.check(value)
        } catch {
          throw CommandFailure(error.status, "\(Self.fileName): \(error.message)")
        }
      }
      arguments.set(values, of: option)
    }
  }

  private static func evaluate(_ source: [UInt8]) throws(CommandFailure) -> [JSONValue.Member] {
    let turn: LuaTurn
    do throws(LuaError) {
      let state = try LuaState(budget: .run, seed: 0)
      turn = state.start(try state.load(source, name: fileName), Array("[]".utf8))
    } catch {
      throw CommandFailure(.usage, error.description)
    }
    switch turn {
    case .asks: throw CommandFailure(.usage, "\(fileName): it may not wait")
    case .failed(_, let error): throw CommandFailure(.usage, error.description)
    case .finished(_, let values):
      let value = (try? JSONNode(parsing: values))?.value.elements.first
      guard let value, case .object = value else {
        throw CommandFailure(.usage, "\(fileName): it returns no table of settings by name")
      }
      return value.members
    }
  }

  /// What was written in Lua, as it would be typed; a number is a count, or seconds where a time is wanted.
  private static func texts(of value: JSONValue, named name: String) throws(CommandFailure) -> [String] {
    switch value {
    case .string(let text): return [text]
    case .integer(let number): return [String(number)]
    case .bool(let isOn): return [isOn ? "true" : "false"]
    case .array(let elements):
      var texts: [String] = []
      for element in elements { texts += try Self.texts(of: element, named: name) }
      return texts
    default:
      throw CommandFailure(
        .usage, "\(fileName): \(name) is a text, a whole number, true, false or a list of these")
    }
  }
}
