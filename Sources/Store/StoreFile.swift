import Glibc

/// Where a store lies: the path as the user named it, and the file it leads to.
struct StoreFile {
  let path: String
  /// Absolute, without symbolic links, so that two names of one file share a lock.
  let resolved: String

  /// Finds an existing store.
  ///
  /// What is no regular file is refused before it is opened: to open a FIFO would wait for somebody to write.
  ///
  /// - Throws: ``StoreError`` with `.missing`, `.noFile` or `.cannotOpen`.
  static func existing(_ path: String) throws(StoreError) -> StoreFile {
    var status = stat()
    guard stat(path, &status) == 0 else { throw .system(errno, path: path) }
    guard status.st_mode & S_IFMT == S_IFREG else {
      throw StoreError(.noFile, path: path, word: kind(status.st_mode))
    }
    guard let real = realpath(path, nil) else { throw .system(errno, path: path) }
    defer { free(real) }
    return StoreFile(path: path, resolved: String(cString: real))
  }

  /// Finds a store, or makes an empty file that only its owner may read, and the folders that lead there.
  static func makingSure(of path: String) throws(StoreError) -> StoreFile {
    guard !path.isEmpty else { throw .system(ENOENT, path: path) }
    var status = stat()
    if stat(path, &status) == 0 { return try existing(path) }
    guard errno == ENOENT else { throw .system(errno, path: path) }
    try makeFolders(of: path)
    // A link to nowhere yet is followed; O_EXCL would refuse it.
    let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw .unmakable(errno, path: path) }
    close(descriptor)
    return try existing(path)
  }

  /// Takes from others what an earlier hand gave them, now that the file is known to be ours.
  ///
  /// SQLite gives its files beside it the same mode, and may have made them already. A file of another owner
  /// keeps its own.
  func makePrivate() {
    for suffix in ["", "-wal", "-shm"] { _ = chmod(resolved + suffix, 0o600) }
  }

  private static func makeFolders(of path: String) throws(StoreError) {
    var end = path.startIndex
    while let slash = path[end...].firstIndex(of: "/") {
      end = path.index(after: slash)
      let folder = String(path[..<slash])
      guard !folder.isEmpty, mkdir(folder, 0o700) != 0, errno != EEXIST else { continue }
      let code = errno
      // A folder above may refuse the attempt although the one in question is there.
      var status = stat()
      if stat(folder, &status) != 0 { throw .unmakable(code, path: path) }
    }
  }

  /// What stands where a file should, in the words of `StoreError.word`.
  private static func kind(_ mode: mode_t) -> String {
    switch mode & S_IFMT {
    case S_IFDIR: "it is a folder"
    case S_IFIFO: "it is a FIFO"
    case S_IFSOCK: "it is a socket"
    case S_IFCHR, S_IFBLK: "it is a device"
    default: "it is something else"
    }
  }
}
