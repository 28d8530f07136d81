import Glibc

/// Descriptors of this process: its connections need one each, and so does each of their far ends when it is
/// here.
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

  /// How many are open while visitors talk: each holds its poll, and one in 32 has a connection for its
  /// action.
  ///
  /// More of them would stay open for their idle time, but not when they are scarce: see
  /// ``idleSeconds(_:descriptor:limit:)``.
  ///
  /// - Parameter rehearsedHere: Whether the far end is in this process, too.
  package static func needed(visitors: Int, rehearsedHere: Bool) -> Int {
    let handles = 2 * (Lane.allCases.count * visitors / CurlPool.capacity + 1)
    let connections = visitors + visitors / 32
    guard rehearsedHere else { return connections + handles + reserve }
    return 2 * connections + handles + 2 * (connections / HTTPDaemon.capacity + 1) + reserve
  }

  /// How long a connection without a request stays open: its whole time while a quarter of the descriptors is
  /// free, then less and less, and not at all when none is left.
  ///
  /// - Parameter descriptor: The connection's. The system gives out the lowest number that is free, so it
  ///   tells how many were taken when the connection opened.
  static func idleSeconds(_ longest: Double, descriptor: Int32, limit: Int = limit) -> Double {
    let free = Double(limit - 1 - Int(descriptor)) / Double(max(1, limit))
    return longest * min(1, max(0, 4 * free))
  }

  /// For files, the store and loops.
  private static let reserve = 64

  private static func limits() -> rlimit? {
    var limits = rlimit()
    return getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limits) == 0 ? limits : nil
  }
}
