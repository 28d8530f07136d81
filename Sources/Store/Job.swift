/// What can be asked of the writer, with whom to tell.
enum Job: Sendable {
  typealias Completion<Value> = @Sendable (Result<Value, StoreError>) -> Void

  case commit(CommitUnit, @Sendable (StoreError?) -> Void)
  case beginVisit(VisitStart, Completion<Int64>)
  case unfinishedVisit(VisitKey, Completion<StoredVisit?>)
  case memory(VisitKey, Completion<[UInt8]?>)
  case beginRun(RunStart, Completion<Int64>)
  case endRun(Int64, RunEnd, @Sendable (StoreError?) -> Void)

  func fail(_ error: StoreError) {
    switch self {
    case .commit(_, let completion), .endRun(_, _, let completion): completion(error)
    case .beginVisit(_, let completion), .beginRun(_, let completion): completion(.failure(error))
    case .unfinishedVisit(_, let completion): completion(.failure(error))
    case .memory(_, let completion): completion(.failure(error))
    }
  }
}
