/// Times and sizes as the command line writes them.
package enum Quantity {
  private static let units: [(name: String, seconds: Double)] = [
    ("h", 3600), ("m", 60), ("s", 1), ("ms", 0.001),
  ]

  /// Reads `250ms`, `90s`, `2m`, `1h30m`, `1.5s`; larger units come first, and each once.
  ///
  /// - Returns: Seconds, or `nil` when the text is no time.
  package static func seconds(_ text: String) -> Double? {
    var rest = text[...]
    var total = 0.0
    var last = -1
    while !rest.isEmpty {
      let digits = rest.prefix { $0.isASCII && $0.isNumber || $0 == "." }
      rest = rest.dropFirst(digits.count)
      let letters = rest.prefix { $0.isASCII && $0.isLetter }
      rest = rest.dropFirst(letters.count)
      guard let number = decimal(digits), let unit = units.firstIndex(where: { $0.name == letters }),
        unit > last
      else { return nil }
      total += number * units[unit].seconds
      last = unit
    }
    return text.isEmpty ? nil : total
  }

  /// Reads `64K`, `2M`, `1G`, or a plain number of bytes.
  package static func bytes(_ text: String) -> Int? {
    let factors: [Character: Int] = ["K": 1 << 10, "M": 1 << 20, "G": 1 << 30]
    let factor = text.last.flatMap { factors[$0] }
    guard let count = Int(factor == nil ? text : String(text.dropLast())), count >= 0, !text.hasPrefix("+")
    else { return nil }
    let (bytes, overflows) = count.multipliedReportingOverflow(by: factor ?? 1)
    return overflows ? nil : bytes
  }

  /// Writes seconds as ``seconds(_:)`` reads them, rounded to what a reader cares for.
  package static func text(seconds: Double) -> String {
    guard seconds.isFinite, seconds >= 0 else { return "?" }
    if seconds < 1 { return "\(Int((seconds * 1000).rounded()))ms" }
    if seconds < 60 {
      let tenths = Int((seconds * 10).rounded())
      return tenths % 10 == 0 ? "\(tenths / 10)s" : "\(tenths / 10).\(tenths % 10)s"
    }
    let whole = Int(seconds.rounded())
    let parts = [(whole / 3600, "h"), (whole / 60 % 60, "m"), (whole % 60, "s")]
    return parts.filter { $0.0 > 0 }.map { "\($0.0)\($0.1)" }.joined()
  }

  private static func decimal(_ digits: Substring) -> Double? {
    guard let first = digits.first, first != ".", digits.last != ".", digits.count < 16 else { return nil }
    return Double(digits)
  }
}
