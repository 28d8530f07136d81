/// Client ids: 32 hexadecimal digits (the protocol's section 4.1).
enum ClientID {
  /// The id of what is done on behalf of another id: the same at every repeat, after a restart too.
  static func derived(from id: String) -> String {
    let first = digest(id, 0x51_7C_C1_B7_27_22_0A_95)
    let second = digest(id, first ^ 0x2545_F491_4F6C_DD1D)
    return hex(first) + hex(second)
  }

  /// Bytes folded into one word: spread well enough that two ids do not meet.
  private static func digest(_ text: String, _ start: UInt64) -> UInt64 {
    var hash = start
    for byte in text.utf8 {
      hash = (hash ^ UInt64(byte)) &* 0x9FB2_1C65_1E98_DF25
      hash ^= hash >> 32
    }
    hash = hash &* 0xD6E8_FEB8_6659_FD93
    return hash ^ (hash >> 29)
  }

  private static func hex(_ word: UInt64) -> String {
    let text = String(word, radix: 16)
    return String(repeating: "0", count: 16 - text.count) + text
  }
}
