/// The one writer of a store file, on a thread of its own.
package final class Store: Sendable {
  /// The file as it was named.
  package let path: String

  private init(path: String) { self.path = path }

  package static func open(_ path: String) throws(StoreError) -> Store {
    Store(path: path)
  }

  /// Notes that a run begins, and waits until that is stored. Not for a shard's thread.
  package func beginRun(_ run: RunStart) throws(StoreError) -> Int64 { throw StoreError(.closed, path: path) }
  /// Notes that a run has ended, and waits until that is stored. Not for a shard's thread.
  package func endRun(_ run: Int64, _ end: RunEnd) throws(StoreError) {
    throw StoreError(.closed, path: path)
  }

  /// Begins a visit. The completion is called on the writer's thread with the visit's number.
  package func beginVisit(
    _ start: VisitStart, completion: @escaping @Sendable (Result<Int64, StoreError>) -> Void
  ) { completion(.failure(StoreError(.closed, path: path))) }
  /// Begins a visit and waits until that is stored. Not for a shard's thread.
  package func beginVisit(_ start: VisitStart) throws(StoreError) -> Int64 {
    throw StoreError(.closed, path: path)
  }

  /// Looks for the visitor's newest visit, if that has not ended; called on the writer's thread.
  package func unfinishedVisit(
    _ key: VisitKey, completion: @escaping @Sendable (Result<StoredVisit?, StoreError>) -> Void
  ) { completion(.failure(StoreError(.closed, path: path))) }
  /// The same, and waits. Not for a shard's thread.
  package func unfinishedVisit(_ key: VisitKey) throws(StoreError) -> StoredVisit? {
    throw StoreError(.closed, path: path)
  }

  /// Hands over a unit, from any thread. The completion is called on the writer's thread once the transaction that
  /// holds the unit has been committed, or has failed; completions come in the order of the calls.
  package func commit(_ unit: CommitUnit, completion: @escaping @Sendable (StoreError?) -> Void) {
    completion(nil)
  }

  /// Writes everything handed over so far, then closes the file. May be called twice.
  package func close() {}
}
