/// What begins with a visit and does not change afterwards.
package struct VisitStart: Equatable, Sendable {
  package var key: VisitKey
  /// The run it belongs to, as ``Store/beginRun(_:)`` named it.
  package var run: Int64?
  /// The bot's file or name.
  package var bot: String
  package var seed: UInt64
  /// Seconds since the epoch.
  package var at: Double

  package init(key: VisitKey, run: Int64? = nil, bot: String, seed: UInt64, at: Double) {
    self.key = key
    self.run = run
    self.bot = bot
    self.seed = seed
    self.at = at
  }
}

/// Everything that is kept of a visit that has not ended: what a resume starts from.
package struct StoredVisit: Equatable, Sendable {
  package let id: Int64
  package let start: VisitStart
  /// The session's memory (credentials, revision) as last committed.
  package var memory: [UInt8]?
  /// The conversation's own form, as last committed.
  package var conversation: [UInt8]?
  /// `visitor.state`, as last committed.
  package var state: [UInt8]?
  /// In the order of their sequence numbers.
  package var journal: [JournalRow] = []
  /// In the order of their request numbers.
  package var outbox: [OutboxRow] = []
  /// The messages of this visit's feed, told or not, oldest first.
  package var messages: [MessageRow] = []

  package init(id: Int64, start: VisitStart) {
    self.id = id
    self.start = start
  }
}

/// One input of a bot, in the order in which it was given.
package struct JournalRow: Equatable, Sendable {
  /// Counts up by one within a visit, from any first number.
  package let sequence: Int
  /// Seconds since the epoch.
  package let at: Double
  package let input: [UInt8]
  /// Of what the bot asked for in answer to this input.
  package let digest: String

  package init(sequence: Int, at: Double, input: [UInt8], digest: String) {
    self.sequence = sequence
    self.at = at
    self.input = input
    self.digest = digest
  }
}

/// An action that the bot has asked for and the service has not confirmed.
package struct OutboxRow: Equatable, Sendable {
  /// The bot's number for it, unique within a visit.
  package let request: Int
  /// The id a repeat carries again, where the action has one.
  package let clientID: String?
  package let action: [UInt8]

  package init(request: Int, clientID: String?, action: [UInt8]) {
    self.request = request
    self.clientID = clientID
    self.action = action
  }
}

/// How a visit ended. A visit that has ended is not resumed, and its journal is pruned.
package struct VisitEnd: Equatable, Sendable {
  /// Seconds since the epoch.
  package let at: Double
  package let reason: String
  /// The exit status it counts as.
  package let status: Int

  package init(at: Double, reason: String, status: Int) {
    self.at = at
    self.reason = reason
    self.status = status
  }
}
