import Chat
import Dialects
import JSON
import Testing

@Suite struct ServiceHistoryTests {
  /// A visitor with so many messages, one each second, texts counted from 1.
  private func talk(
    _ count: Int, _ page: inout ServiceBenchPage, in bench: inout ServiceBench
  ) {
    _ = page.chat(with: "anna", in: &bench)
    for number in 1...count {
      bench.now += 1
      let parameters = [("client-side-id", "\(number)"), ("message", "text \(number)")]
      _ = page.action("chat.message", parameters, in: &bench)
    }
  }

  private func texts(_ data: JSONValue) -> [String] {
    data["messages"]?.elements.compactMap { $0["text"]?.string } ?? []
  }

  @Test func `the newest page comes first and older ones before a time`() {
    var bench = ServiceBench { $0.historyPageSize = 2 }
    var page = bench.enter()
    talk(5, &page, in: &bench)
    var data = page.history(in: &bench)
    #expect(data["revision"]?.string == "6")
    var seen: [[String]] = []
    while true {
      seen.append(texts(data))
      guard data["hasMore"]?.bool == true, let oldest = data["messages"]?.elements.first?["ts_m"]?.integer
      else { break }
      data = page.history([("before-ts", String(oldest))], in: &bench)
      #expect(data["revision"] == nil)
    }
    #expect(seen == [["text 4", "text 5"], ["text 2", "text 3"], ["text 1"]])
  }

  @Test func `changes come page by page, each with the revision that it reaches`() {
    var bench = ServiceBench { $0.historyPageSize = 2 }
    var page = bench.enter()
    talk(3, &page, in: &bench)
    _ = page.action("chat.message", [("client-side-id", "1"), ("message", "edited")], in: &bench)
    _ = page.action("chat.delete_message", [("client-side-id", "2")], in: &bench)
    var since = "1"
    var seen: [String] = []
    for _ in 0..<10 {
      let data = page.history([("since", since)], in: &bench)
      for message in data["messages"]?.elements ?? [] {
        let isDeleted = message["deleted"]?.bool == true
        seen.append(
          isDeleted ? "deleted \(message["clientSideId"]?.string ?? "")" : message["text"]?.string ?? "")
      }
      since = data["revision"]?.string ?? ""
      guard data["hasMore"]?.bool == true else { break }
    }
    #expect(seen == ["edited", "text 3", "deleted 2"])
    #expect(since == "6")
    #expect(page.history([("since", since)], in: &bench)["messages"]?.elements.isEmpty == true)
    // Pages of the newest messages hold nothing deleted.
    #expect(texts(page.history(in: &bench)) == ["edited", "text 3"])
  }

  @Test func `a revision of another run gets everything`() {
    var bench = ServiceBench()
    var page = bench.enter()
    talk(2, &page, in: &bench)
    #expect(texts(page.history([("since", "999")], in: &bench)) == ["text 1", "text 2"])
  }

  @Test func `the revision of changes and of answers is one`() {
    var bench = ServiceBench()
    var page = bench.enter()
    talk(2, &page, in: &bench)
    let told = page.changes(in: &bench).last { $0["objectType"]?.string == "HISTORY_REVISION" }
    let full = bench.enter().full["historyRevision"]?.integer
    #expect(told?["data"]?["revision"]?.integer == full)
    #expect(page.history(in: &bench)["revision"]?.string == full.map { String($0) })
  }

  @Test(arguments: ["since", "before-ts"])
  func `a wrong place in the history is refused by name`(name: String) {
    var bench = ServiceBench()
    let page = bench.enter()
    let query = page.credentials.map { ($0.name, $0.value) } + [(name, "then")]
    let answer = bench.get("/l/v/m/history", query)
    #expect(answer["error"]?.string == "wrong-argument-value")
    #expect(answer["argumentName"]?.string == name)
  }

  @Test func `history lives on in the next chat and the next session`() {
    var bench = ServiceBench()
    var page = bench.enter()
    talk(1, &page, in: &bench)
    bench.desk(.close(1, isFinal: true))
    _ = page.action("chat.start", [("client-side-id", "second")], in: &bench)
    _ = page.action("chat.message", [("client-side-id", "new"), ("message", "second chat")], in: &bench)
    let again = bench.enter()
    #expect(texts(again.history(in: &bench)) == ["text 1", "second chat"])
    #expect(again.full["chat"]?["messages"]?.elements.count == 1)
  }

  @Test(arguments: [("TEXT", 3), ("text 2", 1), ("nothing", 0)])
  func `messages are found by their text`(query: String, count: Int) {
    var bench = ServiceBench()
    var page = bench.enter()
    talk(3, &page, in: &bench)
    let answer = bench.get(
      "/l/v/m/search-messages", page.credentials.map { ($0.name, $0.value) } + [("query", query)])
    #expect(answer["data"]?["count"]?.integer == count)
    #expect(answer["data"]?["items"]?.elements.count == count)
  }
}
