import Chat
import Dialects
import JSON
import Testing

/// The worked trace of the protocol's Appendix C, from the service's side.
@Suite struct ServiceTraceTests {
  @Test func `the worked trace of the protocol runs as written`() throws {
    var bench = ServiceBench()
    var page = bench.enter()
    #expect(page.since == "1")
    #expect(page.full["historyRevision"]?.integer == 1)
    let initial = page.history(in: &bench)
    #expect(initial["hasMore"]?.bool == false)
    #expect(initial["revision"]?.string == "1")
    #expect(initial["messages"]?.elements.isEmpty == true)
    visitorStarts(&page, in: &bench)
    let message = try visitorWrites(&page, in: &bench)
    operatorAnswers(message, &page, in: &bench)
    visitorReads(&page, in: &bench)
    operatorCloses(&page, in: &bench)
  }

  private func visitorStarts(_ page: inout ServiceBenchPage, in bench: inout ServiceBench) {
    let poll = page.poll(in: &bench)
    #expect(bench.answers[poll] == nil)
    let parameters = [("client-side-id", "c1"), ("force-online", "1")]
    #expect(page.action("chat.start", parameters, in: &bench)["result"]?.string == "ok")
    // The action is answered before the poll that it wakes.
    #expect(bench.answered.suffix(2) == [poll + 1, poll])
    let start = bench.json(poll)
    page.since = start["revision"]?.string ?? ""
    #expect(start["deltaList"]?.elements.types == ["CHAT", "VISIT_SESSION_STATE"])
    let chat = start["deltaList"]?.elements.data("CHAT")
    #expect(chat?["state"]?.string == "queue")
    #expect(chat?["clientSideId"]?.string == "c1")
    #expect(chat?["operator"] == .null)
    #expect(chat?["readByVisitor"]?.bool == true)
  }

  private func visitorWrites(
    _ page: inout ServiceBenchPage, in bench: inout ServiceBench
  ) throws -> JSONValue {
    bench.now += 0.5
    _ = page.action("chat.message", [("client-side-id", "a1"), ("message", "Hi")], in: &bench)
    let sent = page.changes(in: &bench)
    #expect(sent.types == ["CHAT_MESSAGE", "HISTORY_REVISION", "CHAT_UNREAD_BY_OPERATOR_SINCE_TS"])
    let message = try #require(sent.messages.first)
    #expect(message["clientSideId"]?.string == "a1")
    #expect(message["kind"]?.string == "visitor")
    #expect(message["text"]?.string == "Hi")
    #expect(message["ts_m"]?.integer == 1_700_000_000_500_000)
    #expect(message["read"]?.bool == false)
    #expect(message["canBeEdited"]?.bool == true)
    #expect(sent.data("HISTORY_REVISION")?["revision"]?.integer == 2)
    let changed = page.history([("since", "1")], in: &bench)
    #expect(changed["messages"]?.elements == [message])
    #expect(changed["revision"]?.string == "2")
    return message
  }

  private func operatorAnswers(
    _ message: JSONValue, _ page: inout ServiceBenchPage, in bench: inout ServiceBench
  ) {
    bench.desk(
      .defineOperator(handle: "one", name: "Op One", title: nil, avatar: "/img/1.png", robotType: nil))
    bench.desk(.accept(1, operator: "one"))
    bench.desk(.markRead(1, upTo: nil))
    bench.desk(.say(1, text: "Hello", quoting: nil))
    let answered = page.changes(in: &bench)
    #expect(
      answered.types == [
        "CHAT_STATE", "CHAT_OPERATOR", "MESSAGE_READ", "HISTORY_REVISION", "CHAT_UNREAD_BY_OPERATOR_SINCE_TS",
        "CHAT_MESSAGE", "HISTORY_REVISION", "CHAT_READ_BY_VISITOR", "UNREAD_BY_VISITOR",
      ])
    #expect(answered.data("CHAT_STATE")?.string == "chatting")
    #expect(answered.data("CHAT_OPERATOR") == ["id": 501, "fullname": "Op One", "avatar": "/img/1.png"])
    #expect(answered[2]["id"] == message["id"])
    #expect(answered.data("UNREAD_BY_VISITOR")?["msgCnt"]?.integer == 1)
  }

  private func visitorReads(_ page: inout ServiceBenchPage, in bench: inout ServiceBench) {
    _ = page.action("chat.read_by_visitor", [], in: &bench)
    let read = page.changes(in: &bench)
    #expect(read.types == ["UNREAD_BY_VISITOR", "CHAT_READ_BY_VISITOR"])
    #expect(read.data("CHAT_READ_BY_VISITOR")?.bool == true)
  }

  private func operatorCloses(_ page: inout ServiceBenchPage, in bench: inout ServiceBench) {
    bench.desk(.close(1, isFinal: false))
    let closed = page.changes(in: &bench)
    #expect(closed.types == ["CHAT_STATE", "VISIT_SESSION_STATE"])
    #expect(closed.data("CHAT_STATE")?.string == "closed_by_operator")
    let rating = [("operator_id", "501"), ("rate", "2"), ("thread_id", "1")]
    #expect(page.action("chat.operator_rate_select", rating, in: &bench)["result"]?.string == "ok")
    #expect(page.changes(in: &bench).data("OPERATOR_RATE") == ["operatorId": 501, "rating": 2])
  }
}
