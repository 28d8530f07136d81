import Glibc

/// Reads files that the user named.
package enum TextFile {
  /// The longest text that is read, in bytes; a device such as `/dev/zero` has no end.
  static let limit = 64 << 20

  /// - Throws: ``CommandFailure`` with status 2 that names the file and what the system said.
  package static func read(_ path: String) throws(CommandFailure) -> [UInt8] {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw failure(path) }
    defer { close(descriptor) }
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = Glibc.read(descriptor, &buffer, buffer.count)
      if count == 0 { return bytes }
      if count > 0 {
        bytes += buffer[..<count]
        guard bytes.count <= limit else {
          throw CommandFailure(.usage, "\(path): longer than 64 MiB, which is no script and no settings")
        }
      } else if errno != EINTR {
        throw failure(path)
      }
    }
  }

  package static func exists(_ path: String) -> Bool { access(path, F_OK) == 0 }

  private static func failure(_ path: String) -> CommandFailure {
    CommandFailure(.usage, "\(path): \(String(cString: strerror(errno)))")
  }
}
