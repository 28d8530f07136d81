import Glibc

/// The one writer of a store file, on a thread of its own.
///
/// Units of many visits are gathered into one transaction, and each is acknowledged after it. An acknowledged
/// unit outlives the end of the process, however it ends; a loss of power may take the last moments with it,
/// and never leaves half a unit.
package final class Store: Sendable {
  /// The file as it was named.
  package let path: String
  private let queue: JobQueue
  private let thread: pthread_t

  /// Opens a store, or makes one, with the folders that lead to it; the file is its owner's alone.
  ///
  /// - Parameter pageLimit: The most pages of 4 KiB that the file may have: a full disk for tests.
  /// - Throws: ``StoreError`` with `.locked` when another writer, here or in another process, holds it.
  package static func open(_ path: String, pageLimit: Int? = nil) throws(StoreError) -> Store {
    let file = try StoreFile.makingSure(of: path)
    let lock = try WriterLock(file: file.resolved, path: path)
    let database = try Database(file: file.resolved, path: path, access: .write, claim: lock)
    // A foreign or broken file is refused before anything is written to it.
    _ = try database.examine()
    try database.examineContents()
    file.makePrivate()
    try database.beginWriting()
    try database.migrate()
    if let pageLimit { try database.execute("PRAGMA max_page_count = \(pageLimit)") }
    let queue = JobQueue()
    let writer = try Writer(database: database, queue: queue)
    return Store(path: path, queue: queue, thread: try Writer.start(writer, path: path))
  }

  private init(path: String, queue: JobQueue, thread: pthread_t) {
    self.path = path
    self.queue = queue
    self.thread = thread
  }

  deinit {
    close()
  }

  /// Hands over a unit, from any thread.
  ///
  /// - Parameter completion: Called on the writer's thread, after the transaction that holds the unit: with
  ///   `nil` when it is stored, else with what went wrong; then this visit's later units are refused with the
  ///   same error. The completions come in the order of the calls. After ``close()`` it is called at once,
  ///   with `.closed`.
  package func commit(_ unit: CommitUnit, completion: @escaping @Sendable (StoreError?) -> Void) {
    hand(.commit(unit, completion))
  }

  /// Writes everything handed over so far, and lets go of the file. May be called twice.
  ///
  /// It waits for that, except on the writer's own thread, in a completion.
  package func close() {
    queue.close()
    if pthread_equal(pthread_self(), thread) == 0 { queue.waitForWriter() }
  }

  /// What has been written since it was opened.
  package var count: StoreCount { queue.count }

  private func hand(_ job: Job) {
    if !queue.put(job) { job.fail(StoreError(.closed, path: path)) }
  }
}

/// The same for a caller that waits; not for a shard's thread, nor for a completion.
extension Store {
  /// Notes that a run begins, and names it.
  package func beginRun(_ run: RunStart) throws(StoreError) -> Int64 {
    try waited { hand(.beginRun(run, $0)) }
  }

  package func endRun(_ run: Int64, _ end: RunEnd) throws(StoreError) {
    try waited { done in hand(.endRun(run, end) { done($0.map { .failure($0) } ?? .success(())) }) }
  }

  /// Begins a visit, and numbers it.
  package func beginVisit(_ start: VisitStart) throws(StoreError) -> Int64 {
    try waited { hand(.beginVisit(start, $0)) }
  }

  /// The visitor's newest visit, if that has not ended.
  ///
  /// An older visit that has not ended either is never resumed: the newest decides.
  package func unfinishedVisit(_ key: VisitKey) throws(StoreError) -> StoredVisit? {
    try waited { hand(.unfinishedVisit(key, $0)) }
  }

  /// The session memory that the visitor's visits left last, ended or not, so that a new visit is the same
  /// visitor to the service.
  package func memory(of key: VisitKey) throws(StoreError) -> [UInt8]? {
    try waited { hand(.memory(key, $0)) }
  }

  package func commit(_ unit: CommitUnit) throws(StoreError) {
    try waited { done in hand(.commit(unit) { done($0.map { .failure($0) } ?? .success(())) }) }
  }

  private func waited<Value: Sendable>(
    _ ask: (@escaping Job.Completion<Value>) -> Void
  ) throws(StoreError) -> Value {
    let answer = Answer<Value>()
    ask { answer.give($0) }
    return try answer.wait().get()
  }
}

/// One value, given on one thread and waited for on another.
private final class Answer<Value: Sendable>: @unchecked Sendable {
  // The guard of `result` is `gate`.
  private let gate = Gate()
  private var result: Result<Value, StoreError>?

  func give(_ result: Result<Value, StoreError>) {
    gate.locked { self.result = result }
    gate.ring()
  }

  func wait() -> Result<Value, StoreError> {
    gate.wait { result == nil }
    return gate.locked { result } ?? .failure(StoreError(.closed, path: ""))
  }
}
