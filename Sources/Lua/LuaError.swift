import CLuaBridge
import JSON

/// Where a script stood: the name it was loaded under, and a line of it.
package struct LuaPosition: Hashable, Sendable, CustomStringConvertible {
  package var source: String
  package var line: Int

  package init(source: String, line: Int) {
    self.source = source
    self.line = line
  }

  package var description: String { "\(source):\(line)" }
}

/// What ended a script, or kept it from starting.
package struct LuaError: Error, Equatable, Sendable, CustomStringConvertible {
  package enum Code: String, Sendable {
    /// The text is no Lua.
    case syntax
    /// Lua itself or a library function complained.
    case runtime
    /// A budget was spent; the state is dead from now on.
    case budget
    /// The script, or a prelude on its behalf, raised a table: see ``LuaError/value``.
    case thrown
  }

  package var code: Code

  /// Which budget was spent, when `code` is ``Code/budget``.
  package var budget: LuaBudget.Kind?

  /// One line, without the position; cut where it is long.
  package let message: String

  /// The name of the script to blame, when one is known.
  package var source: String?

  package var line: Int?

  /// The script's frames, innermost first, one a line; frames of preludes and of C are left out.
  package var traceback: String

  /// The raised table as JSON, when a table was raised that can be written so.
  package var value: [UInt8]?

  package init(
    code: Code, budget: LuaBudget.Kind? = nil, message: String, source: String? = nil, line: Int? = nil,
    traceback: String = "", value: [UInt8]? = nil
  ) {
    self.code = code
    self.budget = budget
    self.message = message.abridged()
    self.source = source
    self.line = line
    self.traceback = traceback
    self.value = value
  }

  /// The position, when both of its parts are known.
  package var position: LuaPosition? {
    guard let source, let line else { return nil }
    return LuaPosition(source: source, line: line)
  }

  package var description: String {
    guard let source else { return message }
    return "\(position?.description ?? source): \(message)"
  }
}

extension LuaError {
  /// Reads what the bridge reports; nil when it reports success.
  init?(_ failure: visitant_lua_failure) {
    guard let code = Code(failure.code) else { return nil }
    self.init(
      code: code, budget: LuaBudget.Kind(failure.budget), message: String(failure.message),
      source: failure.source.count == 0 ? nil : String(failure.source),
      line: failure.line == 0 ? nil : Int(failure.line), traceback: String(failure.traceback),
      value: failure.value.count == 0 ? nil : [UInt8](failure.value))
  }
}

extension LuaError.Code {
  fileprivate init?(_ code: visitant_lua_code) {
    switch code {
    case .none: return nil
    case .syntax: self = .syntax
    case .runtime: self = .runtime
    case .budget: self = .budget
    case .thrown: self = .thrown
    }
  }
}

extension LuaBudget.Kind {
  fileprivate init?(_ budget: visitant_lua_budget) {
    switch budget {
    case .none: return nil
    case .memory: self = .memory
    case .instructions: self = .instructions
    case .patterns: self = .patterns
    }
  }
}
