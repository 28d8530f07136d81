package import Lua

/// One wait of one coroutine: looks first at what has arrived since its cursor, then at what comes.
///
///     begin ──▶ look ──▶ waits ──(something happened)──▶ look
///                 │  └──▶ asks a predicate ──judged──▶ look
///                 └─────▶ done
///
/// Where a want has a predicate, the occurrence is handed out and the script's verdict taken in: predicates
/// run in Lua only.
package struct Wait: Equatable, Sendable {
  package enum Mode: String, Sendable, CaseIterable {
    /// One want, met by one occurrence.
    case one
    /// The first want that is met.
    case any
    /// Each want, met by an occurrence of its own, in whatever order they come.
    case all
    /// No occurrence that meets a want, until the limit has passed.
    case none
    /// The script's own condition, looked at whenever something has changed.
    case until
  }

  /// What has to come.
  package struct Want: Equatable, Sendable {
    package var filter: Filter
    /// Whether the script has a verdict beside the filter's.
    package var hasPredicate: Bool

    package init(filter: Filter, hasPredicate: Bool = false) {
      self.filter = filter
      self.hasPredicate = hasPredicate
    }
  }

  /// Where a coroutine stands in what has happened, and since when.
  package struct Cursor: Equatable, Sendable {
    package var sequence: Int
    package var at: Double

    package init(sequence: Int, at: Double) {
      self.sequence = sequence
      self.at = at
    }
  }

  package struct Match: Equatable, Sendable {
    package var want: Int
    package var occurrence: Occurrence
  }

  package enum Step: Equatable, Sendable {
    case waits
    /// Give ``judged(_:)`` what the script's predicate says of the occurrence.
    case asks(Match)
    /// What met the wants, in the order of the wants; for `none` the one that should not have come.
    case done([Match])
  }

  /// The word of the script, such as `expect_message`.
  package let word: String
  package let mode: Mode
  package let wants: [Want]
  package let stream: Int
  /// In seconds.
  package let within: Double
  /// Whether not getting it is a failed expectation.
  package let isExpectation: Bool
  /// Whether a state that lasts counts though it began before the cursor.
  package let takesStanding: Bool
  package let start: Cursor
  /// Where the script's own condition stands, such as `line 12`; nil when it stands where the word does.
  package var condition: String?
  /// Sequence numbers that do not count: what was returned before.
  private let excepted: Set<Int>

  /// The sequence number up to which everything was looked at.
  private var looked: Int
  /// For each want, what counts comes after this.
  private var bases: [Int]
  /// The want to look at next for the occurrence after `looked`.
  private var want = 0
  private var hasLookedAtStanding = false
  private var asking: Match?
  /// For ``Mode/all``: what came for which want.
  private(set) var assignment: Assignment

  package init(
    word: String, mode: Mode, wants: [Want], stream: Int = 0, within: Double, isExpectation: Bool,
    takesStanding: Bool = false, except excepted: Set<Int> = [], from start: Cursor, in log: OccurrenceLog
  ) {
    self.excepted = excepted
    self.word = word
    self.mode = mode
    self.wants = wants
    self.stream = stream
    self.within = within
    self.isExpectation = isExpectation
    self.takesStanding = takesStanding
    self.start = start
    bases = wants.map { want in
      want.filter.after.flatMap { log.occurrence(ofID: $0, stream: stream)?.sequence } ?? start.sequence
    }
    looked = bases.min() ?? start.sequence
    assignment = Assignment(wants: wants.count)
  }
}

extension Wait {
  /// Looks at what has arrived and was not looked at yet.
  ///
  /// - Parameter steps: What the turn has left for looking; what it costs is taken off. Below zero the wait
  ///   has looked at no more than a part, and is of no more use.
  /// - Throws: ``LuaError`` when a pattern of a filter is malformed or too costly.
  package mutating func look(at log: OccurrenceLog, steps: inout Int) throws(LuaError) -> Step {
    if let asking { return .asks(asking) }
    if mode == .until { return .waits }
    for occurrence in log.since(looked, stream: stream) where !excepted.contains(occurrence.sequence) {
      if let step = try consider(occurrence, &steps, counts: { $0 < occurrence.sequence }) { return step }
      looked = occurrence.sequence
    }
    return try lookAtStanding(log, &steps)
  }

  /// Takes in the predicate's verdict; look again afterwards.
  package mutating func judged(_ isMatch: Bool) -> Step? {
    guard let match = asking else { return nil }
    asking = nil
    want += 1
    guard isMatch else { return nil }
    return take(match)
  }

  /// The state that lasts since before the cursor: looked at once, after what came later.
  private mutating func lookAtStanding(_ log: OccurrenceLog, _ steps: inout Int) throws(LuaError) -> Step {
    guard takesStanding, !hasLookedAtStanding, let event = wants.first?.filter.event,
      let standing = log.standing(event, stream: stream), standing.sequence <= start.sequence
    else { return .waits }
    if let step = try consider(standing, &steps, counts: { _ in true }) { return step }
    hasLookedAtStanding = true
    return .waits
  }

  private mutating func consider(
    _ occurrence: Occurrence, _ steps: inout Int, counts: (Int) -> Bool
  ) throws(LuaError) -> Step? {
    while want < wants.count {
      let candidate = wants[want]
      if counts(bases[want]), occurrence.hasValue, try candidate.filter.matches(occurrence, steps: &steps) {
        let match = Match(want: want, occurrence: occurrence)
        if candidate.hasPredicate {
          asking = match
          return .asks(match)
        }
        if let step = take(match) { return step }
      }
      want += 1
    }
    want = 0
    return nil
  }

  private mutating func take(_ match: Match) -> Step? {
    switch mode {
    case .one, .any, .none: return .done([match])
    case .all: return assignment.take(match).map(Step.done)
    case .until: return nil
    }
  }
}

extension Occurrence {
  /// Whether there is something for a wait to return.
  var hasValue: Bool { value != Array("null".utf8) }
}
