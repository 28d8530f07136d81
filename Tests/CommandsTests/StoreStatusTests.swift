import Glibc
import Store
import TestSupport
import Testing

/// What becomes of a command whose store or desk cannot be used: it says which file and what to do, and
/// leaves the file as it is.
struct StoreStatusTests {
  enum Trouble: CaseIterable, Sendable {
    case locked, newer, damaged, foreign

    var said: [String] {
      switch self {
      case .locked: ["another process is writing it", "wait for it to end"]
      case .newer: ["its schema is 999", "use that version of Visitant"]
      case .damaged: ["the file is damaged", "restore a copy of it"]
      case .foreign: ["the file is no store of Visitant's", "name another file"]
      }
    }

    /// Brings the trouble upon a store's bytes.
    func spoil(_ bytes: inout [UInt8]) {
      switch self {
      case .locked: break
      // The schema's version, in the header of an SQLite file.
      case .newer: bytes.replaceSubrange(60..<64, with: [0, 0, 3, 231])
      case .damaged: bytes.removeLast(bytes.count / 2)
      case .foreign: bytes = Array(String(repeating: "no database at all ", count: 50).utf8)
      }
    }
  }

  private static func made(in folder: Scratch) throws -> String {
    let path = folder.path("kept.db")
    let store = try Store.open(path)
    _ = try store.beginRun(
      RunStart(command: "run", account: "demo", bots: "a.lua", visitors: 2, seed: 7, at: 1_000))
    store.close()
    write(Array("return function() end".utf8), to: folder.path("bot.lua"))
    return path
  }

  @Test(arguments: [["run", "bot.lua"], ["run", "bot.lua", "--resume"], ["history"]], Trouble.allCases)
  func `a store that cannot be used is status 5, named with the mend, and left alone`(
    words: [String], trouble: Trouble
  ) async throws {
    let (result, before, after) = try await onOwnThread {
      let folder = Scratch()
      let path = try Self.made(in: folder)
      var bytes = contents(of: path)
      trouble.spoil(&bytes)
      write(bytes, to: path)
      let lock = trouble == .locked ? try Self.lock(path) : -1
      let result = try Binary(words + ["--store", "kept.db"], in: folder).result()
      close(lock)
      return (result, bytes, contents(of: path))
    }
    #expect(result.status == 5)
    for part in ["store kept.db: "] + trouble.said {
      #expect(result.diagnostics.contains(part), "\(result.diagnostics)")
    }
    #expect(result.output.isEmpty)
    #expect(before == after)
  }

  /// Locks a database as another program does that writes it: the bytes that SQLite's readers share.
  private static func lock(_ path: String) throws -> Int32 {
    let descriptor = open(path, O_RDWR | O_CLOEXEC)
    var range = flock()
    range.l_type = Int16(F_WRLCK)
    range.l_whence = Int16(SEEK_SET)
    range.l_start = 0x4000_0002
    range.l_len = 510
    try #require(fcntl(descriptor, F_SETLK, &range) == 0)
    return descriptor
  }

  @Test func `a run beside another one on its store is status 5 and names it`() async throws {
    let (result, runs) = try await onOwnThread {
      let folder = Scratch()
      let store = try Store.open(try Self.made(in: folder))
      let result = try Binary.run("run", "bot.lua", "--store", "kept.db", in: folder)
      let runs = try Binary.run("history", "--runs", "--store", "kept.db", "--format", "json", in: folder)
      store.close()
      return (result, runs.output.split(separator: "\n").count)
    }
    #expect(result.status == 5)
    #expect(result.diagnostics.contains("store kept.db: another process is writing it (process \(getpid()))"))
    #expect(result.diagnostics.contains("--store FILE"))
    #expect(runs == 1)
  }

  @Test(arguments: [["serve", "missing.lua"], ["run", "bot.lua", "--desk", "missing.lua"]])
  func `a desk that is missing is status 2 and named, and nothing is made`(words: [String]) async throws {
    let (result, files) = try await onOwnThread {
      let folder = Scratch()
      write(Array("return function() end".utf8), to: folder.path("bot.lua"))
      let result = try Binary(words, in: folder).result()
      return (result, names(in: folder.folder))
    }
    #expect(result.status == 2)
    #expect(result.diagnostics.contains("missing.lua: "), "\(result.diagnostics)")
    #expect(files.sorted() == ["bot.lua", "stderr", "stdout"])
  }
}
