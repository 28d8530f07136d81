/// A small seeded generator: the same numbers for the same seed.
package struct SplitMix64: RandomNumberGenerator, Equatable, Sendable {
  private var state: UInt64

  package init(seed: UInt64) {
    state = seed
  }

  package mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
  }

  /// At least 0, less than 1.
  package mutating func nextUnit() -> Double {
    Double(next() >> 11) * 0x1p-53
  }

  /// The next number as 16 hexadecimal digits.
  package var hexadecimal: String {
    mutating get {
      let digits = String(next(), radix: 16)
      return String(repeating: "0", count: 16 - digits.count) + digits
    }
  }

  /// The next two numbers as 32 hexadecimal digits, the form of a device's or a message's id.
  package var identifier: String {
    mutating get { hexadecimal + hexadecimal }
  }

  /// An identifier of another generator's choice.
  package static func identifier(from generator: inout some RandomNumberGenerator) -> String {
    var mixer = SplitMix64(seed: generator.next())
    return mixer.identifier
  }
}
