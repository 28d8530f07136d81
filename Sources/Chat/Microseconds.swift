/// The wire's seconds as the model's microseconds.
package enum Microseconds {
  /// - Returns: nil for what no clock can mean; so sums and differences of moments never overflow.
  package static func from(
    seconds: Double, rounding rule: FloatingPointRoundingRule = .toNearestOrAwayFromZero
  ) -> Int64? {
    guard let time = Int64(exactly: (seconds * 1_000_000).rounded(rule)), time.magnitude < 1 << 62 else {
      return nil
    }
    return time
  }
}
