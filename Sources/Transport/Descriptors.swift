import Glibc

/// Descriptors of this process: its connections need one each, and so does each of their far ends when it is here.
package enum Descriptors {
  /// How many may be open at once; before ``raiseLimit()``, what the process was given.
  package static var limit: Int { Int(clamping: limits()?.rlim_cur ?? 1024) }

  /// Raises the limit as far as the system lets us.
  ///
  /// - Returns: The limit that holds from now on.
  @discardableResult
  package static func raiseLimit() -> Int {
    guard var wanted = limits(), wanted.rlim_cur < wanted.rlim_max else { return limit }
    wanted.rlim_cur = wanted.rlim_max
    _ = setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &wanted)
    return limit
  }

  /// How many are open while visitors are at rest: each holds its poll. Actions under way come on top.
  ///
  /// - Parameter rehearsedHere: Whether the far end is in this process, too.
  package static func needed(visitors: Int, rehearsedHere: Bool) -> Int {
    let handles = 2 * (2 * visitors / CurlPool.capacity + 1)
    guard rehearsedHere else { return visitors + handles + reserve }
    return 2 * visitors + handles + 2 * (visitors / HTTPDaemon.capacity + 1) + reserve
  }

  /// For files, the store and loops.
  private static let reserve = 64

  private static func limits() -> rlimit? {
    var limits = rlimit()
    return getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limits) == 0 ? limits : nil
  }
}
