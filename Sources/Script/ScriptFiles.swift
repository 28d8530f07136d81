import Glibc

/// The files that a script may read: modules beside it and in `lib/`, and texts below the project's folder.
package struct ScriptFiles: Sendable {
  private let project: String
  private let scriptFolder: String
  private let access: ScriptAccess
  private let cache: FileCache

  /// - Parameters:
  ///   - project: The folder below which scripts may read.
  ///   - script: The script's path; modules are looked for beside it.
  ///   - access: What the user allowed beyond the project's folder.
  ///   - cache: What was read before, for all scripts of a run.
  package init(
    project: String, script: String, access: ScriptAccess = ScriptAccess(), cache: FileCache = FileCache()
  ) {
    self.project = project
    scriptFolder = Self.folder(of: script)
    self.access = access
    self.cache = cache
  }

  /// A pure-Lua module: its text, and the file where it was found.
  package func module(_ name: String) throws(ScriptError) -> (source: String, path: String) {
    let candidates = try ProjectPath.module(name)
    for folder in [scriptFolder, project + "/lib"] {
      for candidate in candidates {
        let path = folder == "." ? candidate.relative : folder + "/" + candidate.relative
        guard let content = cache.content(of: path) else { continue }
        guard case .text(let source) = content else { throw Self.notText(path, "require") }
        return (source, path)
      }
    }
    throw ScriptError(
      code: "module_not_found", action: "require",
      message: "require: there is no module \"\(name)\" beside the script nor in \(project)/lib")
  }

  /// The text of a file below the project's folder, or of one that the user allowed.
  package func text(_ path: String) throws(ScriptError) -> String {
    let isOutside = path.hasPrefix("/") && !access.readable.isEmpty
    let wanted = isOutside ? path : project + "/" + (try ProjectPath(path, word: "read").relative)
    guard !wanted.utf8.contains(0), let real = Self.real(wanted) else {
      throw refusal("there is no file \"\(path)\"")
    }
    // Links are followed first, so that none leads out.
    let allowed = ([project] + access.readable).compactMap(Self.real)
    guard allowed.contains(where: { real == $0 || real.hasPrefix($0 == "/" ? "/" : $0 + "/") }) else {
      throw refusal("\"\(path)\" is outside the project's folder; --allow-read allows it")
    }
    guard let content = cache.content(of: real) else {
      throw refusal("the file \"\(path)\" cannot be read")
    }
    guard case .text(let text) = content else { throw Self.notText(path, "read") }
    return text
  }

  /// The value of an environment variable that the user allowed; nil when it is not set.
  package func variable(_ name: String) throws(ScriptError) -> String? {
    guard let value = access.environment[name] else {
      throw ScriptError(
        code: "env_refused", action: "env",
        message: "env: \(name) is not allowed; --allow-env \(name) allows it")
    }
    return value
  }

  private func refusal(_ message: String) -> ScriptError {
    ScriptError(code: "file_not_found", action: "read", message: "read: \(message)")
  }

  private static func notText(_ path: String, _ word: String) -> ScriptError {
    ScriptError(
      code: "not_utf8", action: word,
      message: "\(word): the file \"\(path)\" is not in UTF-8; save it so, as by iconv -t UTF-8")
  }
}

extension ScriptFiles {
  /// The longest file that is read whole, in bytes.
  private static let limit = 64 << 20

  /// A regular file's bytes; nil when there is none, it cannot be read, or it is longer than 64 MiB.
  package static func read(_ path: String) -> [UInt8]? {
    // Without O_NONBLOCK a FIFO would keep its reader, and with it a shard, until somebody writes.
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while bytes.count <= limit {
      let count = Glibc.read(descriptor, &buffer, buffer.count)
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { return count == 0 ? bytes : nil }
      bytes += buffer[..<count]
    }
    return nil
  }

  private static func real(_ path: String) -> String? {
    guard let resolved = realpath(path, nil) else { return nil }
    defer { free(resolved) }
    return String(cString: resolved)
  }

  private static func folder(of path: String) -> String {
    guard let slash = path.lastIndex(of: "/") else { return "." }
    return slash == path.startIndex ? "/" : String(path[..<slash])
  }
}
