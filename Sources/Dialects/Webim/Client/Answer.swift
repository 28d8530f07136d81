internal import JSON

/// What came of a request, as far as every part of the session asks (the protocol's sections 1.5 and 3.5).
enum Answer {
  /// An object, with its `error` if it has one.
  case object(JSONNode, error: ErrorCode?)
  case none(Failure)

  struct Failure: Equatable, Sendable {
    /// Whether no answer came at all; else one came that cannot be used.
    var isNetwork: Bool
    var detail: String
    /// Whether the service may have acted on the request.
    var mayHaveBeenDelivered: Bool
    /// Whether an answer came with a status that promises an object, and held none.
    var isUnreadable = false
  }

  /// Statuses whose body is read; any other is no answer.
  private static let readable: Set<Int> = [200, 400, 402, 403, 404, 405, 413, 415, 500]

  init(_ result: Result<WireResponse, WireFailure>) {
    switch result {
    case .failure(let failure):
      self = .none(
        Failure(
          isNetwork: true, detail: failure.detail, mayHaveBeenDelivered: failure.mayHaveBeenDelivered))
    case .success(let response):
      self.init(response)
    }
  }

  private init(_ response: WireResponse) {
    // A body that is no JSON is told from one that is; why it is none does not matter.
    let node = try? JSONNode(parsing: response.body)
    let error = (node?["error"]?.string).map { ErrorCode($0) }
    // A starting service says so behind any status.
    let isReadable = Self.readable.contains(response.status) || error?.reaction(at: .action) == .retry
    if isReadable, let node, node.isObject {
      self = .object(node, error: error)
    } else {
      let detail = isReadable ? "an answer that is no JSON object" : "HTTP status \(response.status)"
      self = .none(
        Failure(
          isNetwork: false, detail: detail, mayHaveBeenDelivered: true, isUnreadable: isReadable))
    }
  }
}
