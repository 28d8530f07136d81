package import Store

extension CommandFailure {
  /// What trouble with a store means for the process: a name that leads to no file is wrong usage, all else
  /// is the host's trouble, also that a file cannot be made or opened where the name leads.
  package init(_ error: StoreError) {
    let isWrongName = error.code == .missing || error.code == .noFile
    self.init(isWrongName ? .usage : .host, error.description)
  }
}
