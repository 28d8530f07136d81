import JSON
import Lua
import Script

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
  /// A name may belong to options of several commands, each with values of its own: what another command takes is
  /// right, and says nothing here.
  ///
  /// - Parameter all: The options of all commands.
  func apply(to arguments: inout Arguments, of spec: CommandSpec, among all: [OptionSpec])
    throws(CommandFailure)
  {
    for (name, values) in values where !Self.further.contains(name) {
      let own = spec.options.first { $0.settingName == name }
      let others = all.filter { $0.settingName == name }
      guard let option = own ?? others.first else {
        let known = all.map(\.settingName) + Self.further
        throw .usage(
          "\(Self.fileName): unknown setting \(name)", nearest: NearestWord.find(name, among: known))
      }
      if let fault = fault(of: values, for: option) {
        guard others.contains(where: { self.fault(of: values, for: $0) == nil }) else { throw fault }
      } else if own != nil {
        arguments.set(values, of: option)
      }
    }
  }

  private func fault(of values: [String], for option: OptionSpec) -> CommandFailure? {
    guard option.isRepeated || values.count == 1 else {
      return .usage("\(Self.fileName): \(option.settingName) takes one value, not a list")
    }
    do throws(CommandFailure) {
      for value in values { try option.check(value) }
      return nil
    } catch {
      return CommandFailure(error.status, "\(Self.fileName): \(error.message)")
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
