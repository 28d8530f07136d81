import Glibc

/// Writes moments, given in seconds since the epoch.
package enum Moment {
  /// `2026-11-30T15:03:14.120Z`, for machines.
  package static func iso(_ at: Double) -> String {
    format(at, "%Y-%m-%dT%H:%M:%S", gmtime_r) + fraction(at) + "Z"
  }

  /// `2026-11-30 15:03:14`, by the clock on the wall.
  package static func day(_ at: Double) -> String { format(at, "%Y-%m-%d %H:%M:%S", localtime_r) }

  /// `15:03:14.120`, by the clock on the wall.
  package static func clock(_ at: Double) -> String { format(at, "%H:%M:%S", localtime_r) + fraction(at) }

  /// What lies outside the years from 1970 to 9999 is shown as the nearest moment in them.
  private static func milliseconds(_ at: Double) -> Int {
    at.isNaN ? 0 : Int(min(max(at, 0), 253_402_300_799) * 1000 + 0.5)
  }

  private static func fraction(_ at: Double) -> String {
    let thousandths = String(milliseconds(at) % 1000)
    return "." + String(repeating: "0", count: max(0, 3 - thousandths.count)) + thousandths
  }

  private static func format(
    _ at: Double, _ pattern: String,
    _ split: (UnsafePointer<time_t>, UnsafeMutablePointer<tm>) -> UnsafeMutablePointer<tm>?
  ) -> String {
    var seconds = time_t(milliseconds(at) / 1000)
    var parts = tm()
    guard split(&seconds, &parts) != nil else { return "?" }
    return String(unsafeUninitializedCapacity: 64) { buffer in
      buffer.withMemoryRebound(to: CChar.self) { strftime($0.baseAddress, $0.count, pattern, &parts) }
    }
  }
}
