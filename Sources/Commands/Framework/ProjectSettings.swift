import JSON
import Lua
import Script

/// What `visitant.lua` in the project's folder says: a table of options by name, such as `time_limit = "2m"`.
package struct ProjectSettings: Sendable {
  package static let fileName = "visitant.lua"

  /// Values by the name that stands in the file.
  private var values: [(name: String, values: [JSONValue])] = []

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
      values.append((member.key, try Self.plain(member.value, named: member.key)))
    }
  }

  /// The values under a name, for those that are no options.
  package func all(_ name: String) -> [String] {
    values.last { $0.name == name }?.values.map { Self.text(of: $0, isTime: false) } ?? []
  }

  /// Puts the settings below the flags.
  ///
  /// A name may belong to options of several commands, each with values of its own: what another command
  /// takes is right, and says nothing here.
  ///
  /// - Parameter all: The options of all commands.
  func apply(to arguments: inout Arguments, of spec: CommandSpec, among all: [OptionSpec])
    throws(CommandFailure)
  {
    for (name, values) in values where !Self.further.contains(name) {
      let own = spec.options.first { $0.settingName == name }
      let others = all.filter { $0.settingName == name }
      guard !OptionSpec.later.contains(name.replacing("_", with: "-")) else {
        throw .usage("\(Self.fileName): \(name) comes with a later version; this is \(Program.version)")
      }
      guard let option = own ?? others.first else {
        let known = all.map(\.settingName) + Self.further
        throw .usage(
          "\(Self.fileName): unknown setting \(name)", nearest: NearestWord.find(name, among: known))
      }
      if let fault = fault(of: values, for: option) {
        guard others.contains(where: { self.fault(of: values, for: $0) == nil }) else { throw fault }
      } else if own != nil {
        arguments.set(texts(values, of: option), of: option)
      }
    }
  }

  private func texts(_ values: [JSONValue], of option: OptionSpec) -> [String] {
    values.map { Self.text(of: $0, isTime: option.kind == .duration) }
  }

  private func fault(of values: [JSONValue], for option: OptionSpec) -> CommandFailure? {
    guard option.isRepeated || values.count == 1 else {
      return .usage("\(Self.fileName): \(option.settingName) takes one value, not a list")
    }
    do throws(CommandFailure) {
      for value in texts(values, of: option) { try option.check(value) }
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

  /// A value, or the values of a list.
  private static func plain(_ value: JSONValue, named name: String) throws(CommandFailure) -> [JSONValue] {
    switch value {
    case .string, .integer, .number, .bool: return [value]
    case .array(let elements):
      var values: [JSONValue] = []
      for element in elements { values += try plain(element, named: name) }
      return values
    case .null, .object:
      throw CommandFailure(
        .usage, "\(fileName): \(name) is a text, a number, true, false or a list of these")
    }
  }

  /// What was written in Lua, as it would be typed; a number is a count, or seconds where a time is wanted.
  private static func text(of value: JSONValue, isTime: Bool) -> String {
    switch value {
    case .string(let text): text
    case .bool(let isOn): isOn ? "true" : "false"
    default: value.text + (isTime ? "s" : "")
    }
  }
}
