package import Store

extension CommandFailure {
  /// What trouble with a store means for the process: a file that is not there is a wrong name, all else is the host's.
  package init(_ error: StoreError) {
    self.init(error.code == .missing ? .usage : .host, error.description)
  }
}
