import Glibc
import Store
import TestSupport
import Testing

struct StoreErrorTests {
  private let scratch = Scratch()

  private func refusal(_ body: () throws -> Void) throws -> StoreError {
    try #require(#expect(throws: StoreError.self, performing: body))
  }

  private func madeStore() throws {
    let store = try Store.open(scratch.path())
    _ = try store.beginVisit(.sample())
    store.close()
  }

  @Test func `a second writer is refused while the first lives, and told who it is`() throws {
    let first = try Store.open(scratch.path())
    let error = try refusal { _ = try Store.open(scratch.path()) }
    #expect(error.code == .locked)
    #expect(error.description.contains("process \(getpid())"))
    first.close()
    _ = try Store.open(scratch.path())
  }

  @Test func `two names of one file share its lock`() throws {
    let first = try Store.open(scratch.path())
    symlink(scratch.path(), scratch.path("other.db"))
    #expect(try refusal { _ = try Store.open(scratch.path("other.db")) }.code == .locked)
    first.close()
  }

  @Test func `a database that another program has locked is reported as locked`() throws {
    try madeStore()
    let other = try RawDatabase(scratch.path())
    try other.execute("PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE")
    #expect(try refusal { _ = try Store.open(scratch.path()) }.code == .locked)
  }

  @Test func `a later Visitant's store is refused and left as it is`() throws {
    try madeStore()
    try RawDatabase(scratch.path()).execute("PRAGMA user_version = 999")
    let before = contents(of: scratch.path())
    #expect(try refusal { _ = try Store.open(scratch.path()) }.code == .newer(version: 999))
    #expect(try refusal { _ = try StoreReader(scratch.path()) }.code == .newer(version: 999))
    #expect(contents(of: scratch.path()) == before)
  }

  @Test(arguments: ["no SQLite file at all, whatever its name says ", ""])
  func `a file of something else is refused and left as it is`(text: String) throws {
    if text.isEmpty {
      try RawDatabase(scratch.path()).execute("CREATE TABLE song (name TEXT)")
    } else {
      write(Array(String(repeating: text, count: 40).utf8), to: scratch.path())
    }
    chmod(scratch.path(), 0o644)
    let before = contents(of: scratch.path())
    #expect(try refusal { _ = try Store.open(scratch.path()) }.code == .notAStore)
    #expect(try refusal { _ = try StoreReader(scratch.path()) }.code == .notAStore)
    #expect(contents(of: scratch.path()) == before)
    var status = stat()
    #expect(stat(scratch.path(), &status) == 0 && status.st_mode & 0o777 == 0o644)
  }

  /// The file of a visit with a long journal.
  private func longStore() throws -> [UInt8] {
    let store = try Store.open(scratch.path())
    let visit = try store.beginVisit(.sample())
    try store.commit(journalled(visit, 500))
    store.close()
    return contents(of: scratch.path())
  }

  private func resume() throws {
    _ = try Store.open(scratch.path()).unfinishedVisit(.sample())
  }

  @Test(arguments: 1...10 as ClosedRange<UInt64>)
  func `a store that has lost its end is damaged`(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    var bytes = try longStore()
    // The last page may hold nothing but room.
    bytes.removeLast(Int.random(in: 4096..<bytes.count / 2, using: &generator))
    write(bytes, to: scratch.path())
    #expect(try refusal(resume).code == .damaged)
    #expect(contents(of: scratch.path()) == bytes)
  }

  @Test func `noise in a store is reported where it is found, never a trap`() throws {
    let whole = try longStore()
    var found = 0
    for seed in 1...20 as ClosedRange<UInt64> {
      var generator = SeededGenerator(seed: seed)
      var bytes = whole
      for _ in 0..<200 {
        bytes[Int.random(in: 100..<bytes.count, using: &generator)] = UInt8.random(
          in: 0...255, using: &generator)
      }
      write(bytes, to: scratch.path())
      // Noise in the middle of a value goes unseen by SQLite; what is found must be called what it is.
      do {
        try resume()
      } catch {
        found += 1
        let error = try #require(error as? StoreError)
        #expect([.damaged, .notAStore].contains(error.code), "\(error)")
      }
    }
    #expect(found >= 10)
  }

  @Test func `a store whose tables are gone is damaged`() throws {
    try madeStore()
    try RawDatabase(scratch.path()).execute("DROP TABLE journal")
    #expect(try refusal { _ = try Store.open(scratch.path()) }.code == .damaged)
  }

  @Test func `what is no file is no store, and nobody waits for it`() throws {
    mkfifo(scratch.path("fifo"), 0o600)
    symlink(scratch.path("fifo"), scratch.path("link"))
    let socket = try listeningSocket(at: scratch.path("socket"))
    defer { close(socket) }
    let cases = [
      (scratch.folder, "folder"), (scratch.path("fifo"), "FIFO"), (scratch.path("link"), "FIFO"),
      (scratch.path("socket"), "socket"), ("/dev/null", "device"),
    ]
    for (path, kind) in cases {
      for error in [
        try refusal { _ = try Store.open(path) }, try refusal { _ = try StoreReader(path) },
      ] {
        #expect(error.code == .noFile)
        #expect(error.description.contains("it is a \(kind)"), "\(error)")
      }
    }
  }

  private func listeningSocket(at path: String) throws -> Int32 {
    let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
    let bound = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
    try #require(bound == 0)
    return descriptor
  }

  @Test func `a place that takes no files is the host's trouble, not a wrong name`() throws {
    #expect(try refusal { _ = try Store.open("/proc/x.db") }.code == .cannotOpen)
    #expect(try refusal { _ = try Store.open("/proc/deep/x.db") }.code == .cannotOpen)
    symlink(scratch.path("gone/x.db"), scratch.path("link"))
    #expect(try refusal { _ = try Store.open(scratch.path("link")) }.code == .cannotOpen)
    // Reading makes nothing: there the name is wrong.
    #expect(try refusal { _ = try StoreReader("/proc/x.db") }.code == .missing)
  }

  @Test func `a path through a file cannot be made`() throws {
    write([1], to: scratch.path("file"))
    let error = try refusal { _ = try Store.open(scratch.path("file/deep/visitant.db")) }
    #expect(error.code == .cannotOpen)
    #expect(error.description.contains("file/deep/visitant.db"))
  }

  @Test func `a missing store is not made by reading`() throws {
    #expect(try refusal { _ = try StoreReader(scratch.path()) }.code == .missing)
    #expect(access(scratch.path(), F_OK) != 0)
  }

  @Test func `folders and file are made, and are their owner's alone`() throws {
    let path = scratch.path("a/b/visitant.db")
    try Store.open(path).close()
    chmod(path, 0o644)
    let store = try Store.open(path)
    _ = try store.beginVisit(.sample())
    for (name, mode) in [("a/b", 0o700), ("a/b/visitant.db", 0o600), ("a/b/visitant.db-wal", 0o600)] {
      var status = stat()
      #expect(stat(scratch.path(name), &status) == 0)
      #expect(status.st_mode & 0o777 == mode, "\(name)")
    }
  }

  @Test func `a full disk fails the units that do not fit, and keeps those acknowledged`() throws {
    let store = try Store.open(scratch.path(), pageLimit: 120)
    let visit = try store.beginVisit(.sample())
    let failures = Collected<StoreError>()
    let stored = Collected<Int>()
    for sequence in 1...2_000 {
      var unit = CommitUnit(visit: visit)
      unit.journal = [
        JournalRow(sequence: sequence, at: 0, input: [UInt8](repeating: 1, count: 500), digest: "")
      ]
      store.commit(unit) { error in
        if let error { failures.append(error) } else { stored.append(sequence) }
      }
    }
    store.close()
    #expect(failures.all.allSatisfy { $0.code == .full })
    #expect(failures.all.count + stored.all.count == 2_000)
    #expect(!failures.all.isEmpty && stored.all.count > 200)
    let again = try Store.open(scratch.path())
    #expect(try again.unfinishedVisit(.sample())?.journal.map(\.sequence) == stored.all)
  }

  @Test(arguments: [
    StoreError.Code.locked, .newer(version: 9), .older(version: 1), .damaged, .notAStore, .full, .missing,
    .noFile, .cannotOpen, .readOnly, .io, .refused, .closed,
  ])
  func `every error is one line that names the file, the trouble and the mend`(code: StoreError.Code) {
    let text = StoreError(code, path: "x/visitant.db", word: "their word").description
    #expect(text.hasPrefix("store x/visitant.db: ") && text.contains("their word") && text.contains("; "))
    #expect(!text.contains("\n"))
  }
}
