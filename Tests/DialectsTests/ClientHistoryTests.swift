import Chat
import Dialects
import Testing

/// History by revision and before a time (the protocol's section 5).
@Suite struct ClientHistoryTests {
  static func message(_ id: String, _ more: String = "") -> String {
    #"{"id":"\#(id)","kind":"visitor","name":"Kim","text":"\#(id)","ts":1\#(more)}"#
  }

  static func page(_ messages: [String], hasMore: Bool = false, revision: String? = nil) -> String {
    let word = revision.map { #","revision":\#($0)"# } ?? ""
    return #"{"data":{"hasMore":\#(hasMore),"messages":[\#(messages.joined(separator: ","))]\#(word)}}"#
  }

  func started(_ revision: String?, fullUpdate: String = ClientDriver.fullUpdate) -> ClientDriver {
    var memory = WebimSession.Memory(deviceID: "D1")
    memory.historyRevision = revision
    var driver = ClientDriver(memory: memory)
    driver.start()
    driver.answer("/meta", "{}")
    driver.answer("/mobile", "{}")
    driver.answer("/init", #"{"revision":1,"fullUpdate":\#(fullUpdate)}"#)
    return driver
  }

  func count(_ driver: ClientDriver) -> Int {
    driver.sent.filter { $0.request.path == "/l/v/m/history" }.count
  }

  @Test(arguments: [("12" as String?), ("11"), (nil)])
  func `a start asks once, from the known revision on`(revision: String?) {
    let driver = started(revision)
    #expect(count(driver) == 1)
    #expect(driver.pending("/history")?.request["since"] == revision)
  }

  @Test func `a batch is told before its revision is remembered`() {
    var driver = started("11")
    driver.answer(
      "/history",
      Self.page([Self.message("m-1"), Self.message("m-2", #","deleted":true"#), "7"], revision: #""13""#))
    guard driver.log.count > 1, case .remember(let memory) = driver.log[driver.log.count - 1],
      case .update(.history(let messages, let removed)) = driver.log[driver.log.count - 2]
    else {
      Issue.record("history and then its revision, not \(driver.log.suffix(2))")
      return
    }
    #expect(messages.map(\.id) == ["m-1"] && removed == ["m-2"])
    #expect(memory.historyRevision == "13" && !memory.isHistoryComplete)
  }

  @Test(arguments: [true, false]) func `the first batch says whether all is known`(hasMore: Bool) {
    var driver = started(nil)
    driver.answer("/history", Self.page([], hasMore: hasMore, revision: "13"))
    #expect(driver.memory?.isHistoryComplete == !hasMore)
    #expect(driver.memory?.historyRevision == "13")
    #expect(driver.pending("/history") == nil)
  }

  @Test func `later batches follow at once while there is more`() {
    var driver = started("11")
    for revision in 12..<15 {
      driver.answer(
        "/history", Self.page([Self.message("m-\(revision)")], hasMore: true, revision: "\"\(revision)\""))
      #expect(driver.pending("/history")?.request["since"] == "\(revision)")
    }
    driver.answer("/history", Self.page([], hasMore: true, revision: #""14""#))
    #expect(driver.pending("/history") == nil)
  }

  @Test func `revisions that are named while a request is under way give one more`() {
    var driver = started("12")
    for revision in 13..<16 {
      driver.delta(
        ClientDeltaTests.item("HISTORY_REVISION", "upd", #"{"revision":\#(revision)}"#), revision: revision)
    }
    #expect(count(driver) == 1)
    driver.answer("/history", Self.page([], revision: #""13""#))
    #expect(count(driver) == 2 && driver.pending("/history")?.request["since"] == "13")
    driver.answer("/history", Self.page([], revision: #""15""#))
    #expect(count(driver) == 2)
    driver.delta(ClientDeltaTests.item("HISTORY_REVISION", "add", #"{"revision":"15"}"#), revision: 99)
    #expect(count(driver) == 2)
    driver.delta(ClientDeltaTests.item("HISTORY_REVISION", "add", "{}"), revision: 100)
    #expect(count(driver) == 3)
  }

  @Test func `without revisions history is asked for each minute`() {
    var driver = started("12", fullUpdate: #"{"pageId":"p"}"#)
    for asked in 1..<5 {
      #expect(count(driver) == asked)
      driver.answer("/history", Self.page([]))
      driver.advance(59)
      #expect(count(driver) == asked)
      driver.advance(1)
    }
    var named = started("12")
    named.answer("/history", Self.page([]))
    named.advance(600)
    #expect(count(named) == 1)
  }

  @Test(arguments: ["garbage", "502", "refused", "server-not-ready"])
  func `a failed request keeps the revision and is repeated`(failure: String) {
    var driver = started("11")
    for _ in 0..<10 {
      switch failure {
      case "garbage": driver.answer("/history", "garbage")
      case "502": driver.answer("/history", "", status: 502)
      case "refused": driver.fail("/history")
      default: driver.answer("/history", #"{"error":"server-not-ready"}"#)
      }
      #expect(driver.pending("/history") == nil)
      driver.advance(31)
      #expect(driver.pending("/history")?.request["since"] == "11")
    }
    #expect(driver.memory?.historyRevision == "11" && driver.memory?.isHistoryComplete == false)
    #expect(driver.session.isConnected)
  }

  @Test func `a refused request is repeated a few times, then waits for the next reason`() {
    var driver = started("11")
    for _ in 0..<5 {
      driver.answer("/history", #"{"error":"internal_error"}"#)
      driver.advance(31)
    }
    driver.advance(600)
    #expect(count(driver) == 3)
    driver.delta(ClientDeltaTests.item("HISTORY_REVISION", "upd", #"{"revision":20}"#))
    #expect(count(driver) == 4)
  }

  @Test(arguments: 1...5)
  func `no refusal loses a revision that was named meanwhile`(refusals: Int) {
    var driver = started("11")
    driver.delta(ClientDeltaTests.item("HISTORY_REVISION", "upd", #"{"revision":20}"#))
    for _ in 0..<refusals {
      driver.answer("/history", #"{"error":"internal_error"}"#)
      driver.advance(31)
    }
    driver.answer("/history", Self.page([Self.message("m-1")], revision: #""20""#))
    #expect(driver.memory?.historyRevision == "20")
  }

  @Test func `history has a lane of its own`() {
    let driver = started("11")
    #expect(driver.pending("/history")?.lane == .history)
  }

  @Test func `a request with old credentials is repeated with new ones`() {
    var driver = started("11")
    driver.answer("/history", #"{"error":"reinit-required"}"#)
    #expect(driver.pending("/history") == nil)
    driver.answer("/delta", #"{"error":"reinit-required"}"#)
    driver.answer(
      "/init", #"{"revision":2,"fullUpdate":\#(ClientDriver.snapshot(chat: "null", page: "p-2"))}"#)
    #expect(driver.pending("/history")?.request["page-id"] == "p-2")
  }

  // MARK: Pages before a time

  func reading(_ time: Int64 = 1000) -> ClientDriver {
    var driver = started(nil)
    driver.answer("/history", Self.page([], hasMore: true, revision: #""12""#))
    driver.take(driver.session.readHistory(before: time, now: driver.now))
    return driver
  }

  func pages(_ driver: ClientDriver) -> [(ids: [String], isLast: Bool)] {
    driver.updates.compactMap {
      if case .historyPage(let messages, let isLast) = $0 { (messages.map(\.id), isLast) } else { nil }
    }
  }

  @Test(arguments: [true, false]) func `a page is told as it came`(hasMore: Bool) {
    var driver = reading()
    #expect(driver.pending("/history")?.request["before-ts"] == "1000")
    driver.answer("/history", Self.page([Self.message("m-2"), Self.message("m-1")], hasMore: hasMore))
    #expect(pages(driver).count == 1)
    #expect(pages(driver).first.map { $0.ids == ["m-2", "m-1"] && $0.isLast == !hasMore } == true)
    #expect(driver.memory?.isHistoryComplete == !hasMore)
    driver.take(driver.session.readHistory(before: 500, now: driver.now))
    #expect((driver.pending("/history") != nil) == hasMore)
    #expect(pages(driver).count == (hasMore ? 1 : 2))
  }

  @Test func `a page without data is the last`() {
    var driver = reading()
    driver.answer("/history", #"{"result":"ok","data":null}"#)
    #expect(pages(driver).first.map { $0.ids.isEmpty && $0.isLast } == true)
  }

  @Test(arguments: ["refused", "garbage", "internal_error", "reinit-required", "destroyed", "fatal"])
  func `a read ends whatever happens, and the next one works`(failure: String) {
    var driver = reading()
    for _ in 0..<12 where pages(driver).isEmpty {
      switch failure {
      case "refused": driver.fail("/history")
      case "garbage": driver.answer("/history", "garbage")
      case "destroyed": driver.take(driver.session.destroy(clearingVisitorData: false, now: driver.now))
      case "fatal": driver.answer("/history", #"{"error":"account-blocked"}"#)
      default: driver.answer("/history", #"{"error":"\#(failure)"}"#)
      }
      driver.advance(31)
      driver.answer("/init", #"{"revision":9,"fullUpdate":\#(ClientDriver.fullUpdate)}"#)
    }
    #expect(pages(driver).count == 1)
    #expect(pages(driver).first.map { $0.ids.isEmpty && !$0.isLast } == true)
    guard driver.session.isConnected else { return }
    driver.take(driver.session.readHistory(before: 5, now: driver.now))
    driver.answer("/history", Self.page([Self.message("m-1")]))
    #expect(pages(driver).last?.ids == ["m-1"])
  }

  @Test func `several reads are answered in their order`() {
    var driver = reading()
    driver.take(driver.session.readHistory(before: 500, now: driver.now))
    driver.answer("/history", Self.page([Self.message("a")], hasMore: true))
    #expect(driver.pending("/history")?.request["before-ts"] == "500")
    driver.answer("/history", Self.page([Self.message("b")], hasMore: true))
    #expect(pages(driver).map(\.ids) == [["a"], ["b"]])
  }
}
