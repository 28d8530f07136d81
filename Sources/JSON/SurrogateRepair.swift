/// Replaces halves of surrogate pairs among a text's escapes, which some services make by cutting a text at a
/// length.
enum SurrogateRepair {
  /// The text with `\\ufffd` for each half that stands alone, and without a byte order mark; nil when it has
  /// neither.
  static func repaired(_ text: [UInt8]) -> [UInt8]? {
    var repaired = text
    var isChanged = false
    if repaired.starts(with: [0xEF, 0xBB, 0xBF]) {
      repaired.removeFirst(3)
      isChanged = true
    }
    var index = 0
    while index < repaired.count {
      guard repaired[index] == UInt8(ascii: "\\") else {
        index += 1
        continue
      }
      guard let unit = escapedUnit(repaired, at: index) else {
        index += 2
        continue
      }
      if isHigh(unit), let next = escapedUnit(repaired, at: index + 6), isLow(next) {
        index += 12
        continue
      }
      if isHigh(unit) || isLow(unit) {
        repaired.replaceSubrange(index + 2..<index + 6, with: "fffd".utf8)
        isChanged = true
      }
      index += 6
    }
    return isChanged ? repaired : nil
  }

  private static func isHigh(_ unit: UInt16) -> Bool { (0xD800...0xDBFF).contains(unit) }
  private static func isLow(_ unit: UInt16) -> Bool { (0xDC00...0xDFFF).contains(unit) }

  /// The code unit of an escape of the form `\\u0000`.
  private static func escapedUnit(_ text: [UInt8], at index: Int) -> UInt16? {
    guard index + 5 < text.count, text[index] == UInt8(ascii: "\\"), text[index + 1] == UInt8(ascii: "u")
    else {
      return nil
    }
    return UInt16(String(decoding: text[index + 2...index + 5], as: UTF8.self), radix: 16)
  }
}
