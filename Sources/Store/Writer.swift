import Glibc

/// Takes what has been handed over, makes one transaction of it, and says so: the work of one thread.
///
/// While it commits one group, the next gathers; so the busier the visitors, the larger the groups.
final class Writer {
  private let queue: JobQueue
  private let database: Database
  private let tables: VisitTables
  /// Visits of which a unit failed: what follows would be a journal with a hole.
  private var broken: [Int64: StoreError] = [:]

  /// The most that share a transaction, so that the first of them does not wait for ever.
  private static let groupLimit = 512

  init(database: Database, queue: JobQueue) throws(StoreError) {
    self.database = database
    self.queue = queue
    tables = try VisitTables(database)
  }

  private func work() {
    while let jobs = queue.take() {
      for start in stride(from: 0, to: jobs.count, by: Self.groupLimit) {
        write(jobs[start..<min(start + Self.groupLimit, jobs.count)])
      }
    }
    // Leaves one file behind instead of three; if a reader is in the way, nothing is lost.
    try? database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
  }

  /// Writes a group in one transaction; when that fails, each job in one of its own, so that only the faulty
  /// fail.
  private func write(_ group: ArraySlice<Job>) {
    do throws(StoreError) {
      let finishers = try database.transaction { () throws(StoreError) in
        var finishers: [() -> Void] = []
        finishers.reserveCapacity(group.count)
        for job in group { finishers.append(try perform(job)) }
        return finishers
      }
      queue.groupWritten(jobs: group.count)
      for finish in finishers { finish() }
    } catch {
      tables.groupUndone()
      guard group.count == 1, let job = group.first else {
        for index in group.indices { write(group[index...index]) }
        return
      }
      if case .commit(let unit, _) = job, broken[unit.visit] == nil { broken[unit.visit] = error }
      job.fail(error)
    }
  }

  /// - Returns: What to call once the transaction has been committed.
  private func perform(_ job: Job) throws(StoreError) -> () -> Void {
    switch job {
    case .commit(let unit, let completion):
      if let error = broken[unit.visit] { throw error }
      try tables.apply(unit)
      return { completion(nil) }
    case .beginVisit(let start, let completion):
      let visit = try tables.beginVisit(start)
      return { completion(.success(visit)) }
    case .unfinishedVisit(let key, let completion):
      let visit = try tables.unfinishedVisit(key)
      return { completion(.success(visit)) }
    case .memory(let key, let completion):
      let memory = try tables.memory(of: key)
      return { completion(.success(memory)) }
    case .beginRun(let start, let completion):
      let run = try tables.beginRun(start)
      return { completion(.success(run)) }
    case .endRun(let run, let end, let completion):
      try tables.endRun(run, end)
      return { completion(nil) }
    }
  }
}

extension Writer {
  /// Gives the writer a thread, which ends when the queue is closed and empty.
  ///
  /// - Returns: The thread, to be recognised by.
  static func start(_ writer: consuming Writer, path: String) throws(StoreError) -> pthread_t {
    var thread = pthread_t()
    let life = Unmanaged.passRetained(writer)
    let code = pthread_create(&thread, nil, threadMain, life.toOpaque())
    guard code == 0 else {
      life.release()
      throw .system(code, path: path)
    }
    pthread_detach(thread)
    return thread
  }

  /// On return the writer, its connection and its claim on the file are gone.
  @inline(never)
  fileprivate static func live(_ life: UnsafeMutableRawPointer) -> JobQueue {
    let writer = Unmanaged<Writer>.fromOpaque(life).takeRetainedValue()
    writer.work()
    return writer.queue
  }
}

private func threadMain(_ life: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
  if let life { Writer.live(life).writerEnded() }
  return nil
}
