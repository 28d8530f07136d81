internal import JSON

/// Pages of the history and the search in it (the Webim protocol, sections 5.1 to 5.3 and 9.3).
extension ServiceVisitor {
  func history(
    _ arguments: ServiceArguments, pageSize: Int
  ) throws(ServiceRefusal) -> [UInt8] {
    let size = max(pageSize, 1)
    if let before = try arguments.integer("before-ts") { return historyPage(before: before, size) }
    if let since = try arguments.integer("since") { return history(since: since, size) }
    return historyPage(before: nil, size)
  }

  /// Messages older than a time, or the newest; the newest come with the revision.
  private func historyPage(before time: Int?, _ size: Int) -> [UInt8] {
    var page: [ServiceMessage] = []
    var hasMore = false
    for message in messages.reversed() where !message.isDeleted {
      if let time, message.timestamp >= time { continue }
      if page.count == size {
        hasMore = true
        break
      }
      page.append(message)
    }
    return answer(page.reversed(), hasMore: hasMore, revision: time == nil ? historyRevision : nil)
  }

  /// What changed after a revision, deleted messages too. A revision of the future is one of another run.
  private func history(since revision: Int, _ size: Int) -> [UInt8] {
    let known = revision > historyRevision ? 0 : revision
    let changed = messages.filter { $0.revision > known }.sorted { $0.revision < $1.revision }
    let page = changed.prefix(size)
    let hasMore = page.count < changed.count
    let last = hasMore ? page.last?.revision : nil
    return answer(
      page.sorted { $0.timestamp < $1.timestamp }, hasMore: hasMore, revision: last ?? historyRevision)
  }

  private func answer(_ page: [ServiceMessage], hasMore: Bool, revision: Int?) -> [UInt8] {
    var writer = JSONWriter()
    writer.object {
      $0.member("result", "ok")
      $0.member("data") {
        $0.object {
          $0.member("hasMore", hasMore)
          $0.member(optional: "revision", revision.map { String($0) })
          $0.member("messages") { $0.array { for message in page { write(message, into: &$0) } } }
        }
      }
    }
    return writer.bytes
  }

  /// Messages whose text holds the query, upper and lower case alike, newest last.
  func search(_ arguments: ServiceArguments) throws(ServiceRefusal) -> [UInt8] {
    let query = try arguments.filled("query").lowercased()
    let found = messages.filter { !$0.isDeleted && $0.text.lowercased().contains(query) }
    var writer = JSONWriter()
    writer.object {
      $0.member("result", "ok")
      $0.member("data") {
        $0.object {
          $0.member("count", found.count)
          $0.member("items") { $0.array { for message in found { write(message, into: &$0) } } }
        }
      }
    }
    return writer.bytes
  }
}
