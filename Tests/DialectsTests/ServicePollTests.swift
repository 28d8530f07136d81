import Chat
import Dialects
import JSON
import Testing

@Suite struct ServicePollTests {
  @Test func `a quiet poll ends empty after the hold time`() {
    var bench = ServiceBench()
    let page = bench.enter()
    let poll = page.poll(in: &bench)
    bench.pass(24.9)
    #expect(bench.answers[poll] == nil)
    bench.pass(0.2)
    #expect(bench.answers[poll]?.body == Array("{}".utf8))
    #expect(bench.answers[poll]?.status == 200)
  }

  @Test func `a poll that has something to hear is not held`() {
    var bench = ServiceBench()
    let page = bench.enter()
    _ = page.action("chat.start", [("client-side-id", "c")], in: &bench)
    let poll = page.poll(in: &bench)
    #expect(bench.json(poll)["deltaList"]?.elements.types == ["CHAT", "VISIT_SESSION_STATE"])
    // Not acknowledged yet: the same again.
    let repeated = page.poll(in: &bench)
    #expect(bench.json(repeated) == bench.json(poll))
  }

  /// `since` relative to the page's revision, with two changes fetched and two more in the log.
  @Test(arguments: [
    (-5, "fullUpdate"), (-3, "fullUpdate"), (-2, "deltaList"), (-1, "deltaList"), (0, "held"),
    (1, "fullUpdate"),
  ])
  func `what a poll gets depends on how far behind it is`(offset: Int, answer: String) {
    var bench = ServiceBench()
    var page = bench.enter()
    _ = page.action("chat.start", [("client-side-id", "c")], in: &bench)
    _ = page.fetch(in: &bench)
    let fetched = Int(page.since) ?? 0
    _ = page.fetch(in: &bench)
    bench.desk(.fullUpdate(visitorID: "nobody"))
    bench.desk(.hold(1))
    bench.desk(.route(1))
    let poll = page.poll(in: &bench, since: String(fetched + 2 + offset))
    let json = bench.json(poll)
    switch answer {
    case "held": #expect(bench.answers[poll] == nil)
    case "deltaList":
      #expect(json["deltaList"]?.elements.count == -offset)
      #expect(json["revision"]?.string == String(fetched + 2))
    default:
      #expect(json["fullUpdate"]?["pageId"]?.string == page.id)
      #expect(json["fullUpdate"]?["authToken"]?.string == page.token)
      #expect(json["fullUpdate"]?["chat"]?["state"]?.string == "routing")
      #expect(json["revision"]?.string == String(fetched + 2))
    }
  }

  @Test func `a page whose log was trimmed gets a full update and goes on from there`() {
    var bench = ServiceBench { $0.deltasKept = 10 }
    var page = bench.enter()
    let chat = page.chat(with: "anna", in: &bench)
    for number in 0..<10 { bench.desk(.say(chat, text: "say \(number)", quoting: nil)) }
    let update = page.fetch(in: &bench)
    #expect(update["deltaList"] == nil)
    #expect(update["fullUpdate"]?["chat"]?["messages"]?.elements.count == 10)
    #expect(update["fullUpdate"]?["chat"]?["unreadByVisitorMsgCnt"]?.integer == 10)
    bench.desk(.typing(chat, true))
    #expect(page.changes(in: &bench).types == ["CHAT_OPERATOR_TYPING"])
  }

  @Test func `a held poll gets a full update when one call changes more than the log holds`() {
    var bench = ServiceBench { $0.deltasKept = 1 }
    var page = bench.enter()
    let poll = page.poll(in: &bench)
    _ = page.action("chat.start", [("client-side-id", "c")], in: &bench)
    let update = bench.json(poll)
    #expect(update["fullUpdate"]?["chat"]?["state"]?.string == "queue")
    page.since = update["revision"]?.string ?? ""
    let next = page.poll(in: &bench)
    #expect(bench.answers[next] == nil)
    bench.desk(.hold(1))
    #expect(bench.json(next)["deltaList"]?.elements.types == ["CHAT_STATE"])
  }

  @Test func `a full update in mid-flight keeps the credentials and ends the poll`() {
    var bench = ServiceBench()
    var page = bench.enter()
    let poll = page.poll(in: &bench)
    bench.desk(.fullUpdate(visitorID: page.full["visitor"]?["id"]?.string ?? ""))
    let update = bench.json(poll)
    #expect(update["fullUpdate"]?["pageId"]?.string == page.id)
    page.since = update["revision"]?.string ?? ""
    let next = page.poll(in: &bench)
    #expect(bench.answers[next] == nil)
  }

  @Test func `a change of the online status reaches everyone as a full update`() {
    var bench = ServiceBench()
    let pages = [bench.enter(device: "D1"), bench.enter(device: "D2")]
    var polls: [Int] = []
    for page in pages { polls.append(page.poll(in: &bench)) }
    bench.desk(.onlineStatus(.busyOnline))
    for poll in polls {
      #expect(bench.json(poll)["fullUpdate"]?["onlineStatus"]?.string == "busy_online")
    }
    #expect(bench.answered.suffix(2) == polls[...])
  }

  @Test func `a second poll of a page ends the first one`() {
    var bench = ServiceBench()
    let page = bench.enter()
    let first = page.poll(in: &bench)
    let second = page.poll(in: &bench)
    #expect(bench.answers[first]?.body == Array("{}".utf8))
    #expect(bench.answers[second] == nil)
    #expect(bench.timers[.hold(first)] == nil)
  }

  @Test func `an abandoned poll is never answered and loses nothing`() {
    var bench = ServiceBench()
    let page = bench.enter()
    let poll = page.poll(in: &bench)
    bench.abandon(poll)
    #expect(bench.timers[.hold(poll)] == nil)
    _ = page.action("chat.start", [("client-side-id", "c")], in: &bench)
    #expect(bench.answers[poll] == nil)
    let next = page.poll(in: &bench)
    #expect(bench.json(next)["deltaList"]?.elements.count == 2)
  }

  @Test func `a page that must start anew wakes its poll and is unknown from then on`() {
    var bench = ServiceBench()
    let page = bench.enter()
    let poll = page.poll(in: &bench)
    bench.desk(.requireReinit(visitorID: page.full["visitor"]?["id"]?.string ?? ""))
    #expect(bench.json(poll)["error"]?.string == "reinit-required")
    #expect(page.action("chat.close", [], in: &bench)["error"]?.string == "reinit-required")
    let next = page.poll(in: &bench)
    #expect(bench.json(next)["error"]?.string == "reinit-required")
  }

  @Test func `a page idle for too long is forgotten, its chat closed and its visitor gone`() {
    var bench = ServiceBench()
    var page = bench.enter()
    let chat = page.chat(in: &bench)
    bench.pass(1799)
    _ = page.fetch(in: &bench)
    bench.pass(1799)
    #expect(page.history(in: &bench) != .null)
    _ = bench.takeEvents()
    bench.pass(1801)
    #expect(
      bench.takeEvents() == [
        .visitorLeft(visitorID: page.full["visitor"]?["id"]?.string ?? ""),
        .closed(chat, by: .service, state: "closed"),
      ])
    #expect(page.action("chat.close", [], in: &bench)["error"]?.string == "reinit-required")
  }

  @Test func `a page with a held poll is not idle`() {
    var bench = ServiceBench { $0.holdSeconds = 10_000 }
    let page = bench.enter()
    let poll = page.poll(in: &bench)
    bench.pass(5000)
    #expect(bench.answers[poll] == nil)
    #expect(page.action("chat.start", [("client-side-id", "c")], in: &bench)["error"] == nil)
  }

  @Test(arguments: [(59.0, false), (61.0, true)])
  func `a visitor whose poll broke off has left after a while`(silence: Double, hasLeft: Bool) {
    var bench = ServiceBench()
    let page = bench.enter()
    let visitor = page.full["visitor"]?["id"]?.string ?? ""
    let poll = page.poll(in: &bench)
    bench.abandon(poll)
    _ = bench.takeEvents()
    bench.pass(silence)
    #expect(bench.takeEvents() == (hasLeft ? [.visitorLeft(visitorID: visitor)] : []))
    _ = page.poll(in: &bench)
    guard hasLeft else { return #expect(bench.takeEvents().isEmpty) }
    guard case .visitorArrived(let arrived)? = bench.takeEvents().first else {
      Issue.record("the visitor's return was not told")
      return
    }
    #expect(arrived.id == visitor)
    #expect(arrived.isReturning)
  }

  @Test func `changes carry string ids`() {
    var bench = ServiceBench()
    var page = bench.enter()
    let chat = page.chat(with: "anna", in: &bench)
    bench.desk(.say(chat, text: "hi", quoting: nil))
    bench.desk(.departments([Department(key: "d", name: "D", onlineStatus: .online, order: 1)]))
    bench.desk(.language(visitorID: page.full["visitor"]?["id"]?.string ?? "", "en"))
    let changes = page.changes(in: &bench)
    #expect(changes.count == 6)
    for change in changes { #expect(change["id"]?.string?.isEmpty == false) }
  }
}
