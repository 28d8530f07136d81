import Glibc
import Store

/// A folder of a test's own, gone with it.
final class Scratch: Sendable {
  let folder: String

  init() {
    var template = Array("/tmp/visitant-store-XXXXXX".utf8CString)
    folder = mkdtemp(&template).map { String(cString: $0) } ?? "/nonexistent"
  }

  deinit {
    Scratch.remove(folder)
  }

  func path(_ name: String = "visitant.db") -> String { folder + "/" + name }

  private static func remove(_ path: String) {
    if let entries = opendir(path) {
      while let entry = readdir(entries) {
        let name = withUnsafePointer(to: &entry.pointee.d_name) {
          $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
        }
        if name != "." && name != ".." { remove(path + "/" + name) }
      }
      closedir(entries)
    }
    _ = Glibc.remove(path)
  }
}

/// The bytes of a file; none when there is no such file.
func contents(of path: String) -> [UInt8] {
  let descriptor = open(path, O_RDONLY | O_CLOEXEC)
  guard descriptor >= 0 else { return [] }
  defer { close(descriptor) }
  var bytes: [UInt8] = []
  var buffer = [UInt8](repeating: 0, count: 1 << 16)
  while case let count = read(descriptor, &buffer, buffer.count), count > 0 { bytes += buffer[..<count] }
  return bytes
}

/// Makes a file, or replaces it.
func write(_ bytes: [UInt8], to path: String) {
  let descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
  defer { close(descriptor) }
  var rest = bytes[...]
  while !rest.isEmpty {
    let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
    guard count > 0 else { return }
    rest = rest.dropFirst(count)
  }
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
