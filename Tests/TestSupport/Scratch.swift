import Glibc

/// A folder of a test's own, gone with it.
package final class Scratch: Sendable {
  package let folder: String

  package init() {
    var template = Array("/tmp/visitant-tests-XXXXXX".utf8CString)
    folder = mkdtemp(&template).map { String(cString: $0) } ?? "/nonexistent"
  }

  deinit {
    Scratch.remove(folder)
  }

  package func path(_ name: String) -> String { folder + "/" + name }

  private static func remove(_ path: String) {
    for name in names(in: path) { remove("\(path)/\(name)") }
    _ = Glibc.remove(path)
  }
}

/// What is in a folder.
package func names(in folder: String) -> [String] {
  guard let entries = opendir(folder) else { return [] }
  defer { closedir(entries) }
  var names: [String] = []
  while let entry = readdir(entries) {
    names.append(
      withUnsafePointer(to: &entry.pointee.d_name) {
        $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      })
  }
  return names.filter { $0 != "." && $0 != ".." }
}

/// The bytes of a file; none when there is no such file.
package func contents(of path: String) -> [UInt8] {
  let descriptor = open(path, O_RDONLY | O_CLOEXEC)
  guard descriptor >= 0 else { return [] }
  defer { close(descriptor) }
  var bytes: [UInt8] = []
  var buffer = [UInt8](repeating: 0, count: 1 << 16)
  while case let count = read(descriptor, &buffer, buffer.count), count > 0 { bytes += buffer[..<count] }
  return bytes
}

/// Makes a file, or replaces it.
package func write(_ bytes: [UInt8], to path: String) {
  let descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
  defer { close(descriptor) }
  var rest = bytes[...]
  while !rest.isEmpty {
    let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
    guard count > 0 else { return }
    rest = rest.dropFirst(count)
  }
}
