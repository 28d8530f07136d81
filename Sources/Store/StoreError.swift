/// What went wrong with a store: which file, what SQLite said of it, and what the user can do.
package struct StoreError: Error, Equatable, Sendable, CustomStringConvertible {
  package enum Code: Equatable, Sendable {
    /// Another writer holds the store.
    case locked
    /// A later Visitant wrote it; the number is the file's schema version.
    case newer(version: Int)
    /// An earlier Visitant wrote it, and who only reads cannot bring it up to date.
    case older(version: Int)
    /// The file's contents are broken.
    case damaged
    /// A file, but none that Visitant has written.
    case notAStore
    /// The disk, or the user's share of it, is full.
    case full
    /// There is no such file.
    case missing
    /// The path leads to something that holds no bytes of its own: a folder, a FIFO, a socket, a device.
    case noFile
    /// The file or its folder cannot be opened or made.
    case cannotOpen
    /// The file or its folder may be read, not written.
    case readOnly
    /// Reading or writing failed below SQLite.
    case io
    /// A row broke a rule of the schema: a mistake of the caller's.
    case refused
    /// The store has been closed.
    case closed
  }

  package let code: Code
  /// The database file as the user named it.
  package let path: String
  /// SQLite's or the system's own word; empty when there is none.
  package let word: String

  package init(_ code: Code, path: String, word: String = "") {
    self.code = code
    self.path = path
    self.word = word
  }

  /// One line: what is wrong with which file, the word of SQLite, and the mend.
  package var description: String {
    "store \(path): \(fault)\(word.isEmpty ? "" : " (\(word))"); \(mend)"
  }

  private var fault: String {
    switch code {
    case .locked: "another process is writing it"
    case .newer(let version):
      "a later Visitant wrote it: its schema is \(version), this one knows \(Migration.latest)"
    case .older(let version): "its schema is \(version), this Visitant reads \(Migration.latest)"
    case .damaged: "the file is damaged"
    case .notAStore: "the file is no store of Visitant's"
    case .full: "the disk is full"
    case .missing: "there is no such file"
    case .noFile: "a store is a file"
    case .cannotOpen: "it cannot be opened"
    case .readOnly: "it may not be written"
    case .io: "reading or writing it failed"
    case .refused: "a row was refused"
    case .closed: "it has been closed"
    }
  }

  /// What the user can do about it, in words.
  package var mend: String {
    switch code {
    case .locked: "wait for it to end, or give this run a store of its own with --store FILE"
    case .newer: "use that version of Visitant, or another file with --store FILE"
    case .older: "`visitant run` with this store brings it up to date"
    case .damaged: "restore a copy of it, or begin a new one with --store FILE; this one is left as it is"
    case .noFile: "name a file with --store FILE"
    case .notAStore: "name another file with --store FILE; this one is left as it is"
    case .full: "free some space and go on with --resume; what was acknowledged is kept"
    case .missing: "name the store of an earlier run with --store FILE"
    case .cannotOpen, .readOnly: "check the path and its permissions, or name another with --store FILE"
    case .io: "check the disk, then go on with --resume; what was acknowledged is kept"
    case .refused: "this is a mistake in Visitant; please report it"
    case .closed: "nothing more can be written in this run"
    }
  }
}
