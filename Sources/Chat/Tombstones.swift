/// The latest ids under which the service deleted a message: none of them comes back by a late report.
struct Tombstones: Equatable, Sendable {
  private static let limit = 256
  /// The oldest first.
  private(set) var ids: [String] = []
  private var known: Set<String> = []

  init(_ ids: [String] = []) {
    for id in ids { add(id) }
  }

  func contains(_ id: String) -> Bool { known.contains(id) }

  mutating func add(_ id: String) {
    guard known.insert(id).inserted else { return }
    ids.append(id)
    if ids.count > Self.limit { known.remove(ids.removeFirst()) }
  }
}
