/// What begins with a run of `visitant`.
package struct RunStart: Equatable, Sendable {
  /// The command, such as `run`.
  package var command: String
  package var account: String
  /// The bots' files, separated by spaces.
  package var bots: String
  package var visitors: Int
  package var seed: UInt64
  /// Seconds since the epoch.
  package var at: Double

  package init(command: String, account: String, bots: String, visitors: Int, seed: UInt64, at: Double) {
    self.command = command
    self.account = account
    self.bots = bots
    self.visitors = visitors
    self.seed = seed
    self.at = at
  }
}

/// How a run ended.
package struct RunEnd: Equatable, Sendable {
  /// Seconds since the epoch.
  package var at: Double
  /// The exit status.
  package var status: Int

  package init(at: Double, status: Int) {
    self.at = at
    self.status = status
  }
}
