import Glibc
import Store
import TestSupport

extension Scratch {
  /// Where a test's store stands.
  func path() -> String { path("visitant.db") }
}

extension VisitKey {
  static func sample(_ visitor: String = "alice") -> VisitKey {
    VisitKey(account: "demo", dialect: "webim", location: "mobile", visitor: visitor)
  }
}

extension VisitStart {
  static func sample(_ visitor: String = "alice", run: Int64? = nil) -> VisitStart {
    VisitStart(
      key: .sample(visitor), run: run, bot: "bots/first_visit.lua", seed: .max, at: 1_000)
  }
}

extension MessageRow {
  static func sample(_ id: String, text: String = "Hello", timestamp: Int64 = 1) -> MessageRow {
    MessageRow(
      id: id, serverID: "s-\(id)", chatID: "7", kind: "visitor", origin: "visitor", sender: "Alice",
      text: text,
      timestamp: timestamp, json: Array("{}".utf8))
  }
}

extension JournalRow {
  static func sample(_ sequence: Int) -> JournalRow {
    JournalRow(
      sequence: sequence, at: Double(sequence), input: Array("input \(sequence)".utf8),
      digest: "say at line \(sequence)")
  }
}

/// Values from another thread, in the order of their coming.
final class Collected<Value: Sendable>: @unchecked Sendable {
  // The guard of `values` is the mutex, whose address does not change.
  private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
  private var values: [Value] = []

  init() {
    mutex.initialize(to: pthread_mutex_t())
    pthread_mutex_init(mutex, nil)
  }

  deinit {
    pthread_mutex_destroy(mutex)
    mutex.deallocate()
  }

  func append(_ value: Value) {
    pthread_mutex_lock(mutex)
    values.append(value)
    pthread_mutex_unlock(mutex)
  }

  var all: [Value] {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    return values
  }
}
