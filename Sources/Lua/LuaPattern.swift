import CLuaBridge

/// Lua's patterns for the host's own use, without a state.
package enum LuaPattern {
  /// The bytes of `text` that the pattern matches first.
  ///
  /// - Parameters:
  ///   - offset: Where to begin, in bytes.
  ///   - steps: The most comparisons to make; what was spent is taken off, below zero when it was not enough.
  /// - Throws: ``LuaError`` with `.runtime` for a malformed pattern, with `.budget` once `steps` are spent.
  package static func find(
    _ pattern: [UInt8], in text: [UInt8], from offset: Int = 0, steps: inout Int
  ) throws(LuaError) -> Range<Int>? {
    let limit = steps
    var left = Int64(steps)
    defer { steps = Int(left) }
    var start = 0
    var end = 0
    var complaint: UnsafePointer<CChar>?
    let outcome = pattern.lend { pattern in
      text.lend { text in
        visitant_lua_pattern_find(pattern, text, offset, &left, &start, &end, &complaint)
      }
    }
    switch outcome {
    case .absent: return nil
    case .found: return start..<end
    case .malformed:
      throw LuaError(code: .runtime, message: complaint.map { String(cString: $0) } ?? "malformed pattern")
    case .spent:
      throw LuaError(
        code: .budget, budget: .patterns,
        message: "the budget of \(limit.grouped) pattern steps a match is spent")
    }
  }

  /// Looks whether a pattern can be matched at all, before there is a text.
  ///
  /// - Throws: ``LuaError`` with `.runtime` that says what is malformed, and at which byte, counted from 1.
  package static func check(_ pattern: [UInt8]) throws(LuaError) {
    var offset = 0
    let fault = pattern.lend { visitant_lua_pattern_fault($0, &offset) }
    guard let fault else { return }
    throw LuaError(code: .runtime, message: "\(String(cString: fault)) at byte \(offset + 1)")
  }

  /// Whether the pattern matches anywhere in `text`; throws as ``find(_:in:from:steps:)`` does.
  package static func matches(
    _ pattern: String, _ text: String, steps: inout Int
  ) throws(LuaError) -> Bool {
    try find(Array(pattern.utf8), in: Array(text.utf8), steps: &steps) != nil
  }
}
