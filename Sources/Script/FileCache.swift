import Glibc

/// What files held when they were first asked for: one copy for all who share the cache.
///
/// `@unchecked Sendable`: the guard is the mutex around `contents`, which nobody holds while a file is read.
package final class FileCache: @unchecked Sendable {
  package enum Content: Equatable, Sendable {
    case text(String)
    /// Bytes that are no UTF-8, of which a text would be another one.
    case notText
  }

  private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
  private var contents: [String: Content] = [:]

  package init() {
    mutex.initialize(to: pthread_mutex_t())
    pthread_mutex_init(mutex, nil)
  }

  deinit {
    pthread_mutex_destroy(mutex)
    mutex.deallocate()
  }

  /// A regular file's content; nil while there is none, it cannot be read, or it is longer than 64 MiB.
  package func content(of path: String) -> Content? {
    if let known = locked({ contents[path] }) { return known }
    guard let bytes = ScriptFiles.read(path) else { return nil }
    let content = String(validating: bytes, as: UTF8.self).map(Content.text) ?? .notText
    return locked {
      // Another thread may have been here meanwhile: all see the same.
      let first = contents[path] ?? content
      contents[path] = first
      return first
    }
  }

  private func locked<T>(_ body: () -> T) -> T {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    return body()
  }
}
