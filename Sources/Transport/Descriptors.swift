import Glibc

/// Descriptors of this process: one for each connection, and a few for the rest.
package enum Descriptors {
  /// Raises the limit as far as the system lets us.
  ///
  /// - Returns: The limit that holds from now on.
  @discardableResult
  package static func raiseLimit() -> Int {
    var limit = rlimit()
    guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return 1024 }
    if limit.rlim_cur < limit.rlim_max {
      let soft = limit.rlim_cur
      limit.rlim_cur = limit.rlim_max
      if setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) != 0 { limit.rlim_cur = soft }
    }
    return Int(clamping: limit.rlim_cur)
  }
}
