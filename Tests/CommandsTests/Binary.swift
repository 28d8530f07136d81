import Glibc
import Synchronization
import TestSupport

/// The built `visitant`, run as a process of its own, with its output in files.
///
/// It ends with the last use of this object: a dead child that nobody waits for would keep exit tests from ever
/// hearing of their own.
final class Binary: Sendable {
  struct Result {
    /// The exit status, or the negative number of the signal that ended it.
    let status: Int32
    let output: String
    let diagnostics: String
  }

  /// Beside the test bundle.
  static let path: String = {
    let resolved = realpath("/proc/self/exe", nil)
    defer { free(resolved) }
    let bundle = resolved.map { String(cString: $0) } ?? ""
    return bundle.split(separator: "/").dropLast().reduce("") { "\($0)/\($1)" } + "/visitant"
  }()

  let process: pid_t
  private let folder: Scratch
  /// What `waitpid` told of its end; its number may be somebody else's by then.
  private let end = Mutex<Int32?>(nil)

  /// - Parameters:
  ///   - directory: Where it runs; the scratch folder's by default.
  ///   - environment: Put over that of the tests.
  ///   - output: Where its standard output goes; a file of the scratch folder by default.
  ///   - under: A program that runs it, with its arguments.
  init(
    _ arguments: [String], in directory: Scratch, environment: [String: String] = [:], output: String? = nil,
    under: [String] = []
  ) throws {
    folder = directory
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    let flags = O_WRONLY | O_CREAT | O_TRUNC
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
    posix_spawn_file_actions_addopen(&actions, 1, output ?? directory.path("stdout"), flags, 0o600)
    posix_spawn_file_actions_addopen(&actions, 2, directory.path("stderr"), flags, 0o600)
    var words: [UnsafeMutablePointer<CChar>?] =
      ([
        "env", "-C", directory.folder,
      ] + under + [Self.path] + arguments).map { strdup($0) } + [nil]
    var variables: [UnsafeMutablePointer<CChar>?] = Self.variables(environment).map { strdup($0) } + [nil]
    defer { (words + variables).forEach { free($0) } }
    // `env` changes the folder and then becomes the program, under the same process number.
    var process: pid_t = 0
    guard posix_spawn(&process, "/usr/bin/env", &actions, nil, &words, &variables) == 0 else {
      throw StartFailure(path: Self.path)
    }
    self.process = process
  }

  deinit { kill() }

  struct StartFailure: Error {
    let path: String
  }

  func interrupt() { signal(SIGINT) }

  /// Ends it at once; nothing happens if it has ended.
  func kill() {
    signal(SIGKILL)
    reap()
  }

  /// Its end, if that has come.
  func poll() -> Result? {
    reap(WNOHANG)
    return end.withLock { $0 }.map(result)
  }

  /// Waits for its end.
  func result() -> Result {
    reap()
    return result(end.withLock { $0 } ?? 0)
  }

  private func signal(_ number: Int32) {
    guard end.withLock({ $0 }) == nil else { return }
    Glibc.kill(process, number)
  }

  private func reap(_ options: Int32 = 0) {
    guard end.withLock({ $0 }) == nil else { return }
    var status: Int32 = 0
    while true {
      let ended = waitpid(process, &status, options)
      if ended == process { return end.withLock { $0 = status } }
      if ended == 0 { return }
      precondition(errno == EINTR, "somebody else has waited for a process of the tests")
    }
  }

  private func result(_ status: Int32) -> Result {
    let signal = status & 0x7F
    return Result(
      status: signal == 0 ? status >> 8 & 0xFF : -signal,
      output: String(decoding: contents(of: folder.path("stdout")), as: UTF8.self),
      diagnostics: String(decoding: contents(of: folder.path("stderr")), as: UTF8.self))
  }

  static func run(
    _ arguments: String..., in directory: Scratch, environment: [String: String] = [:]
  ) throws -> Result {
    try Binary(arguments, in: directory, environment: environment).result()
  }

  private static func variables(_ added: [String: String]) -> [String] {
    var variables = added.map { "\($0)=\($1)" }
    for name in ["PATH", "HOME", "LD_LIBRARY_PATH", "TSAN_OPTIONS", "ASAN_OPTIONS"] where added[name] == nil {
      if let value = getenv(name) { variables.append("\(name)=\(String(cString: value))") }
    }
    return variables
  }
}
