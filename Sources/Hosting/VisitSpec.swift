package import Dialects
package import Store

/// One visit that is to be made: who, whom, with which bot. It crosses from the command's thread to a shard.
package struct VisitSpec: Sendable {
  /// The visitor's place in the run, from 1.
  package var index = 1
  package var visitor: String
  package var bot: BotSource
  package var session = WebimSession.Configuration()
  package var limits = VisitLimits()
  /// Think times, choices and the bot's random numbers follow it.
  package var seed: UInt64
  /// Makes client ids unlike those of any other visit, also of one with the same seed.
  package var salt: UInt64
  package var deviceID: String
  package var account: String
  /// The store's number of the visit; nil when nothing is kept.
  package var visit: Int64?
  /// What the store holds of a visit that is to go on.
  package var stored: StoredVisit?
  /// What the session of an earlier visit remembered of the same person.
  package var remembered: [UInt8]?
  /// Whether requests and answers are reported, without secrets.
  package var isTraced = false

  package init(
    visitor: String, bot: BotSource, account: String, seed: UInt64, salt: UInt64, deviceID: String
  ) {
    self.visitor = visitor
    self.bot = bot
    self.account = account
    self.seed = seed
    self.salt = salt
    self.deviceID = deviceID
  }
}

/// How long things may take, in seconds of the visitor's clock.
package struct VisitLimits: Equatable, Sendable {
  /// Until the first init has succeeded.
  package var connect = 30.0
  /// The whole visit.
  package var visit = 300.0
  /// An action, from the wire to its confirmation, while connected.
  package var action = 30.0
  /// The end of an interrupted visit, in which its chat is closed.
  package var grace = 30.0

  package init() {}
}
