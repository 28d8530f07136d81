extension Wait {
  /// What was awaited, as one line, such as `expected a message from robot within 5 s`.
  package var expectation: String {
    let limit = "within \(Self.duration(within))"
    let things = wants.map(\.description)
    if word == "expect_nothing_else" { return "expected nothing else \(limit)" }
    switch mode {
    case .one: return "expected \(things.joined()) \(limit)"
    case .any: return "expected any of [\(things.joined(separator: "; "))] \(limit)"
    case .all: return "expected in any order [\(things.joined(separator: "; "))] \(limit)"
    case .none: return "expected none of [\(things.joined(separator: "; "))] \(limit)"
    case .until: return "expected the condition to hold \(limit)"
    }
  }

  /// The expectation for whoever mends the script: beside ``expectation``, which a journal holds on to, it
  /// names lines.
  var complaint: String {
    guard mode == .until, let condition else { return expectation }
    return "expected the condition of \(condition) to hold within \(Self.duration(within))"
  }

  /// What came instead, as lines: everything since the cursor with its time, the nearest one, the standing
  /// state.
  ///
  /// - Parameter steps: What the turn has left for looking: once it is spent, the nearest one is not looked
  ///   for.
  package func report(from log: OccurrenceLog, steps: inout Int) -> String {
    let arrived = log.since(start.sequence, stream: stream)
    // A condition of the script's own does not wait for something to come.
    let what = mode == .until ? "happened meanwhile" : "came instead"
    var lines = [arrived.isEmpty ? "nothing \(what)" : "what \(what):"]
    if log.hasForgotten(since: start.sequence, stream: stream) {
      lines.append("  … (earlier ones are not kept)")
    }
    lines += arrived.map { "  \(offset($0))  \($0.summary)" }
    lines += missing.map { "still missing: \($0)" }
    steps -= arrived.count * Self.stepsPerLine
    if let nearest = nearest(in: arrived, &steps) { lines.append(nearest) }
    for name in ["chat_state", "operator", "keyboard"] {
      guard let standing = log.standing(name, stream: stream) else { continue }
      lines.append("as it stands: \(standing.summary)" + (standing.fate.map { " (\($0))" } ?? ""))
    }
    return lines.joined(separator: "\n")
  }

  /// What a line of a report costs, in comparisons.
  private static let stepsPerLine = 50

  /// Seconds for people: whole where they are, else with what is needed.
  static func duration(_ seconds: Double) -> String {
    if let whole = Int(exactly: seconds) { return "\(whole) s" }
    return "\(seconds) s"
  }

  private func offset(_ occurrence: Occurrence) -> String {
    let tenths = Int(((occurrence.at - start.at) * 10).rounded())
    let sign = tenths < 0 ? "-" : "+"
    return "\(sign)\(tenths.magnitude / 10).\(tenths.magnitude % 10) s"
  }

  private var missing: [String] {
    guard mode == .all else { return [] }
    return wants.indices.filter(assignment.isMissing).map { wants[$0].description }
  }

  /// The latest of those that missed by the least.
  private func nearest(in arrived: ArraySlice<Occurrence>, _ steps: inout Int) -> String? {
    var best: (occurrence: Occurrence, met: Int, missed: String)?
    for occurrence in arrived {
      for want in wants where want.filter.event == occurrence.name && mode != .none {
        let (met, missed) = want.filter.nearness(of: occurrence, steps: &steps)
        guard steps >= 0 else { return nil }
        guard met >= best?.met ?? 0 else { continue }
        guard let missed else {
          if want.hasPredicate { best = (occurrence, met, "the script's own predicate said no") }
          continue
        }
        best = (occurrence, met, "it is not \(missed.isState ? "" : "one ")\(missed)")
      }
    }
    return best.map { "nearest: \(offset($0.occurrence))  \($0.occurrence.summary): \($0.missed)" }
  }
}

extension Wait.Want: CustomStringConvertible {
  package var description: String {
    filter.description + (hasPredicate ? " that the script's predicate accepts" : "")
  }
}

extension Filter.Criterion {
  fileprivate var isState: Bool {
    if case .state = self { return true }
    return false
  }
}
