import Glibc

/// The writer's claim on a store, in a file beside it; the kernel lets go of it when the process ends,
/// however it ends.
///
/// The database file itself cannot carry it: SQLite's own locks on it would go with our descriptor.
final class WriterLock: Sendable {
  private let descriptor: Int32

  /// - Throws: ``StoreError`` with `.locked`, whose word names the other process.
  init(file: String, path: String) throws(StoreError) {
    descriptor = open(file + "-lock", O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    // From here on a throw runs `deinit`, which closes the descriptor: closing it here too would close
    // whatever another thread has opened under its number meanwhile.
    guard descriptor >= 0 else { throw .system(errno, path: path) }
    guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
      guard errno == EWOULDBLOCK else { throw .system(errno, path: path) }
      let holder = Self.read(descriptor)
      throw StoreError(.locked, path: path, word: holder.isEmpty ? "" : "process \(holder)")
    }
    // Whose it is only serves the message: a full disk must not stand in the way here.
    let pid = Array(String(getpid()).utf8)
    if ftruncate(descriptor, 0) == 0 { _ = pwrite(descriptor, pid, pid.count, 0) }
  }

  deinit {
    guard descriptor >= 0 else { return }
    // Closing alone would leave the lock with a process that is being started at this moment and shares our
    // descriptors.
    flock(descriptor, LOCK_UN)
    close(descriptor)
  }

  private static func read(_ descriptor: Int32) -> String {
    var digits = [UInt8](repeating: 0, count: 20)
    let count = pread(descriptor, &digits, digits.count, 0)
    return String(decoding: digits.prefix(max(0, count)), as: UTF8.self)
  }
}

extension StoreError {
  /// What an `errno` means for a store.
  static func system(_ code: Int32, path: String) -> StoreError {
    let meaning: Code =
      switch code {
      case ENOENT: .missing
      case ENOSPC, EDQUOT: .full
      case EROFS: .readOnly
      case EIO: .io
      default: .cannotOpen
      }
    return StoreError(meaning, path: path, word: String(cString: strerror(code)))
  }

  /// What an `errno` means for a store that was to be made.
  ///
  /// That something is missing is no wrong name then: the place takes no files, as `/proc` does not.
  static func unmakable(_ code: Int32, path: String) -> StoreError {
    let error = system(code, path: path)
    return error.code == .missing ? StoreError(.cannotOpen, path: path, word: error.word) : error
  }
}
