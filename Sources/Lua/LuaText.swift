import CLuaBridge

extension [UInt8] {
  /// Copies what the bridge lends.
  init(_ text: visitant_lua_text) {
    self.init(UnsafeBufferPointer(start: text.bytes, count: text.count))
  }

  /// Lends the bytes to the bridge for the time of a call.
  func lend<Result>(_ body: (visitant_lua_text) -> Result) -> Result {
    withUnsafeBufferPointer { body(visitant_lua_text(bytes: $0.baseAddress, count: $0.count)) }
  }
}

extension Int {
  /// In decimal digits with commas between the thousands, as the messages of all budgets show their limits.
  package var grouped: String {
    var text = ""
    for (index, digit) in String(magnitude).reversed().enumerated() {
      if index > 0, index % 3 == 0 { text.append(",") }
      text.append(digit)
    }
    return (self < 0 ? "-" : "") + String(text.reversed())
  }
}

extension String {
  /// Copies what the bridge lends; what is no UTF-8 becomes U+FFFD.
  init(_ text: visitant_lua_text) {
    self.init(decoding: UnsafeBufferPointer(start: text.bytes, count: text.count), as: UTF8.self)
  }

  /// Lends the string's UTF-8 to the bridge for the time of a call.
  func lend<Result>(_ body: (visitant_lua_text) -> Result) -> Result {
    Array(utf8).lend(body)
  }
}
