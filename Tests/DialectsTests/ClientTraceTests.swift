import Chat
import Dialects
import Testing

/// The protocol's Appendix C, step by step.
@Suite struct ClientTraceTests {
  static let credentials: [WireRequest.Parameter] = [
    .init("page-id", "p-0001"), .init("auth-token", "tok-0001"),
  ]

  @Test func `the worked trace of the protocol plays as written`() throws {
    var driver = ClientDriver()
    try prepare(&driver)
    try initialize(&driver)
    send(&driver)
    receive(&driver)
    rate(&driver)
  }

  /// Steps 1 and 2.
  func prepare(_ driver: inout ClientDriver) throws {
    driver.start()
    #expect(driver.pending("/api/visitor/meta")?.request.method == .get)
    driver.answer("/meta", "<html>", status: 404)
    let config = try #require(driver.pending("/api/visitor/v1/configs/mobile")?.request)
    #expect(config.query == [.init("jsonp", "false")])
    driver.answer(
      "/mobile",
      #"{"accountConfig":{"web_and_mobile_quoting":true,"max_visitor_upload_file_size":10},"#
        + #""locationSettings":{"chat":{},"resources":{}}}"#)
    #expect(
      driver.updates == [
        .locationSettings(#"{"chat":{},"resources":{},"max_visitor_upload_file_size":10}"#)
      ])
  }

  /// Steps 3 to 5.
  func initialize(_ driver: inout ClientDriver) throws {
    let initialization = try #require(driver.pending("/l/v/m/init")?.request)
    #expect(
      initialization.query == [
        .init("event", "init"), .init("device-id", "D1"), .init("platform", "ios"),
        .init("location", "mobile"), .init("title", "iOS Client"), .init("since", "0"),
        .init("respond-immediately", "1"),
      ])
    driver.answer("/init", #"{"revision":"41","fullUpdate":\#(ClientDriver.fullUpdate)}"#)
    #expect(driver.pending("/l/v/m/history")?.request.query == Self.credentials)
    driver.answer("/history", #"{"result":"ok","data":{"hasMore":false,"revision":"12","messages":[]}}"#)
    #expect(driver.memory?.historyRevision == "12")
    #expect(driver.memory?.isHistoryComplete == true)
    let poll = try #require(driver.pending("/l/v/m/delta")?.request)
    #expect(
      poll.query == [.init("since", "41"), .init("ts", "1700000000000")] + Self.credentials)
  }

  /// Step 6.
  func send(_ driver: inout ClientDriver) {
    driver.perform(1, .send(clientID: "a1", text: "Hi", hintQuestion: nil, data: nil))
    #expect(driver.action?["action"] == "chat.start")
    #expect(driver.action?["force-online"] == "1")
    driver.answer("/action", #"{"result":"ok"}"#)
    #expect(
      driver.action?.form == [
        .init("action", "chat.message"), .init("client-side-id", "a1"), .init("message", "Hi"),
      ] + Self.credentials)
    driver.answer("/action", #"{"result":"ok"}"#)
    #expect(driver.ends(of: 1) == [.answered(1, refusal: nil)])
  }

  /// Step 7.
  func receive(_ driver: inout ClientDriver) {
    let before = driver.updates.count
    driver.delta(
      #"{"objectType":"CHAT","event":"upd","id":"9","data":{"id":9,"clientSideId":"c1","state":"queue","creationTs":1700000300.0,"messages":[],"operator":null,"readByVisitor":true,"unreadByVisitorMsgCnt":0,"operatorIdToRate":{}}},"#
        + #"{"objectType":"VISIT_SESSION_STATE","event":"upd","id":"vs-0001","data":"chat"},"#
        + #"{"objectType":"CHAT_MESSAGE","event":"add","id":"m-60","data":{"id":"m-60","clientSideId":"a1","chatId":"9","kind":"visitor","name":"Visitor","text":"Hi","ts":1700000300.5,"ts_m":1700000300500000,"read":false,"canBeEdited":true}},"#
        + #"{"objectType":"HISTORY_REVISION","event":"upd","id":"v-77","data":{"revision":13}}"#)
    let told = Array(driver.updates[before...])
    guard told.count == 3, case .chat(let chat?) = told[0], case .messageAdded(let message) = told[2] else {
      Issue.record("a chat and a message were expected, not \(told)")
      return
    }
    #expect(chat.id == 9 && chat.clientID == "c1" && chat.state == .queue && chat.isReadByVisitor)
    #expect(told[1] == .sessionState(.chat))
    #expect(message.id == "a1" && message.serverID == "m-60" && message.timestamp == 1_700_000_300_500_000)
    #expect(message.canBeEdited && !message.isRead)
    #expect(driver.pending("/history")?.request["since"] == "12")
  }

  /// Step 10.
  func rate(_ driver: inout ClientDriver) {
    driver.perform(
      2, .rateOperator(.init(stars: 5, operatorID: "501", threadID: 9)))
    #expect(driver.action?["rate"] == "2")
    #expect(driver.action?["operator_id"] == "501")
    #expect(driver.action?["thread_id"] == "9")
    driver.answer("/action", #"{"result":"ok"}"#)
    driver.delta(
      #"{"objectType":"OPERATOR_RATE","event":"upd","id":"9","data":{"operatorId":501,"rating":2}}"#,
      revision: 43)
    #expect(driver.updates.last == .rating(operatorID: "501", stars: 5))
    #expect(driver.pending("/delta")?.request["since"] == "43")
  }
}
