import TestSupport
import Testing

@testable import Store

struct MigrationTests {
  private let scratch = Scratch()

  @Test(arguments: Migration.allCases)
  func `a store of any age is brought up to date, with what it holds`(age: Migration) throws {
    try Store.makeOld(scratch.path(), age: age)
    let raw = try RawDatabase(scratch.path())
    #expect(try raw.integers("PRAGMA user_version") == [age.rawValue])
    try raw.execute(
      """
      INSERT INTO visitor VALUES (1, 'demo', 'webim', 'mobile', 'alice');
      INSERT INTO visit (id, visitor, bot, seed, started_at) VALUES (5, 1, 'b.lua', 3, 10.5);
      INSERT INTO journal VALUES (5, 1, 10.5, x'61', 'nine');
      """)
    let store = try Store.open(scratch.path())
    let visit = try #require(try store.unfinishedVisit(.sample()))
    #expect(visit.id == 5)
    #expect(visit.journal == [JournalRow(sequence: 1, at: 10.5, input: [0x61], digest: "nine")])
    try store.commit(journalled(5, 1, from: 2))
    #expect(try raw.integers("PRAGMA user_version") == [Migration.latest])
  }

  @Test func `who only reads cannot bring an old store up to date, and says how to`() throws {
    guard let first = Migration.allCases.first, Migration.latest > 1 else { return }
    try Store.makeOld(scratch.path(), age: first)
    let error = #expect(throws: StoreError.self) { try StoreReader(scratch.path()) }
    #expect(error?.code == .older(version: 1))
  }

  @Test func `a migration that fails leaves the file at its age`() throws {
    guard let first = Migration.allCases.first else { return }
    try Store.makeOld(scratch.path(), age: first)
    let raw = try RawDatabase(scratch.path())
    try raw.execute("CREATE TABLE chat (in_the_way)")
    #expect(throws: StoreError.self) { try Store.open(scratch.path()) }
    #expect(try raw.integers("PRAGMA user_version") == [1])
    try raw.execute("DROP TABLE chat")
    _ = try Store.open(scratch.path())
  }

  @Test func `the numbers of the migrations have no holes`() {
    #expect(Migration.allCases.map(\.rawValue) == Array(1...Migration.latest))
  }
}

extension Store {
  /// Makes a file as the Visitant of that age made it.
  fileprivate static func makeOld(_ path: String, age: Migration) throws(StoreError) {
    let file = try StoreFile.makingSure(of: path)
    let database = try Database(file: file.resolved, path: path, access: .write)
    try database.beginWriting()
    try database.migrate(to: age)
  }
}
