/// Percent coding of queries and url-encoded bodies (the protocol's section 1.4).
package enum FormCoding {
  /// Everything but ASCII letters, digits and `-._~?/` is encoded, a space as `%20`.
  package static func encode(_ parameters: [WireRequest.Parameter]) -> [UInt8] {
    var bytes: [UInt8] = []
    for parameter in parameters {
      if !bytes.isEmpty { bytes.append(UInt8(ascii: "&")) }
      append(parameter.name, to: &bytes)
      bytes.append(UInt8(ascii: "="))
      append(parameter.value, to: &bytes)
    }
    return bytes
  }

  /// Accepts `+` for a space; a broken escape stands for itself.
  package static func decode(_ bytes: some Sequence<UInt8>) -> [WireRequest.Parameter] {
    Array(bytes).split(separator: UInt8(ascii: "&")).map { pair in
      let parts = pair.split(separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
      let value = parts.count > 1 ? decodeText(parts[1], plusIsSpace: true) : ""
      return WireRequest.Parameter(decodeText(parts[0], plusIsSpace: true), value)
    }
  }

  /// One segment of a path: `/` and `?` are encoded too.
  package static func encodePathSegment(_ text: String) -> String {
    var bytes: [UInt8] = []
    append(text, to: &bytes, keepingSeparators: false)
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Decodes the escapes of a path.
  package static func decodePath(_ path: String) -> String {
    decodeText(Array(path.utf8)[...], plusIsSpace: false)
  }

  private static func append(
    _ text: String, to bytes: inout [UInt8], keepingSeparators: Bool = true
  ) {
    let digits: StaticString = "0123456789ABCDEF"
    for byte in text.utf8 {
      if isPlain(byte) || keepingSeparators && isSeparator(byte) {
        bytes.append(byte)
      } else {
        bytes.append(UInt8(ascii: "%"))
        bytes.append(digits.utf8Start[Int(byte >> 4)])
        bytes.append(digits.utf8Start[Int(byte & 15)])
      }
    }
  }

  private static func isPlain(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"):
      true
    case UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "~"): true
    default: false
    }
  }

  private static func isSeparator(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: "?") || byte == UInt8(ascii: "/")
  }

  private static func decodeText(_ bytes: ArraySlice<UInt8>, plusIsSpace: Bool) -> String {
    var decoded: [UInt8] = []
    decoded.reserveCapacity(bytes.count)
    var index = bytes.startIndex
    while index < bytes.endIndex {
      let byte = bytes[index]
      if byte == UInt8(ascii: "%"), index + 2 < bytes.endIndex, let high = digit(bytes[index + 1]),
        let low = digit(bytes[index + 2])
      {
        decoded.append(high << 4 | low)
        index += 3
        continue
      }
      decoded.append(plusIsSpace && byte == UInt8(ascii: "+") ? UInt8(ascii: " ") : byte)
      index += 1
    }
    return String(decoding: decoded, as: UTF8.self)
  }

  private static func digit(_ byte: UInt8) -> UInt8? {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
    default: nil
    }
  }
}
