import Chat
import Dialects
import Testing

/// How a session comes to be (the protocol's section 2).
@Suite struct ClientStartTests {
  @Test func `what configuration and memory hold goes into the init`() throws {
    var configuration = WebimSession.Configuration()
    configuration.location = "shop"
    configuration.title = "Title"
    configuration.platform = "android"
    configuration.visitorFields = #"{"fields":{"id":"7"},"hash":"h"}"#
    configuration.authorizationToken = "token"
    configuration.headers = [.init("user-agent", "Mine"), .init("X-Test", "1")]
    var memory = WebimSession.Memory(deviceID: "D9")
    memory.visitSessionID = "vs-1"
    memory.visitor = #"{"id":"v"}"#
    memory.pageID = "old"
    memory.authToken = "old"
    var driver = ClientDriver(configuration, memory: memory)
    driver.start()
    driver.answer("/meta", "{}")
    driver.answer("/shop", "{}")
    let request = try #require(driver.pending("/init")?.request)
    #expect(
      request.query == [
        .init("event", "init"), .init("device-id", "D9"), .init("platform", "android"),
        .init("location", "shop"), .init("title", "Title"), .init("since", "0"),
        .init("respond-immediately", "1"), .init("visit-session-id", "vs-1"),
        .init("visitor", #"{"id":"v"}"#), .init("visitor-ext", #"{"fields":{"id":"7"},"hash":"h"}"#),
        .init("provided_auth_token", "token"),
      ])
    #expect(
      request.headers == [
        .init("x-webim-sdk-version", "4.0.0"), .init("user-agent", "Mine"), .init("X-Test", "1"),
      ])
  }

  @Test func `the version is said before the session alone`() {
    var driver = ClientDriver()
    driver.connect()
    driver.perform(1, .closeChat)
    for entry in driver.sent {
      let saysVersion = entry.request.headers.contains { $0.name == "x-webim-sdk-version" }
      #expect(saysVersion == ["/meta", "/mobile", "/init"].contains { entry.request.path.hasSuffix($0) })
      #expect(
        entry.request.headers.first
          == .init(
            "User-Agent", "iOS: Webim-Client 4.0.0; (Visitant; Linux); Bundle ID and version: none none"))
    }
    #expect(driver.sent.filter { $0.lane == .poll }.map(\.request.path).last == "/l/v/m/delta")
    #expect(driver.pending("/delta")?.request.timeout == 180)
  }

  @Test func `meta names the paths of config and history, and not of pages`() {
    var driver = ClientDriver()
    driver.start()
    driver.answer("/meta", #"{"endpoints":{"history_mobile":{"url":"/h"},"configs":{"url":"/c/"}}}"#)
    #expect(driver.pending("/c/mobile") != nil)
    driver.answer("/c/mobile", "{}")
    driver.answer("/init", #"{"revision":1,"fullUpdate":\#(ClientDriver.fullUpdate)}"#)
    driver.answer("/h", #"{"data":{"hasMore":true,"revision":"1"}}"#)
    driver.take(driver.session.readHistory(before: 7, now: driver.now))
    #expect(driver.pending("/l/v/m/history")?.request["before-ts"] == "7")
  }

  @Test(arguments: [#""http://elsewhere/c""#, #""c""#, "7", #""/c?x=1""#])
  func `a path that leads elsewhere is not followed`(url: String) {
    var driver = ClientDriver()
    driver.start()
    driver.answer("/meta", #"{"endpoints":{"configs":{"url":\#(url)}}}"#)
    #expect(driver.pending("/api/visitor/v1/configs/mobile") != nil)
  }

  @Test(arguments: [200, 404, 500, 502, 401]) func `useless meta and config hinder nothing`(status: Int) {
    var driver = ClientDriver()
    driver.start()
    driver.answer("/meta", "<html>", status: status)
    driver.answer("/mobile", "[]", status: status)
    driver.answer("/init", #"{"revision":1,"fullUpdate":\#(ClientDriver.fullUpdate)}"#)
    #expect(driver.session.isConnected && driver.outages.isEmpty)
  }

  @Test func `without a network the start waits, and goes on when it comes`() {
    var driver = ClientDriver()
    driver.start()
    driver.fail("/meta")
    #expect(driver.outages == [.noNetworkConnection] && driver.open.isEmpty)
    driver.advance(31)
    driver.fail("/mobile")
    driver.advance(31)
    driver.fail("/init")
    driver.advance(31)
    driver.answer("/mobile", #"{"locationSettings":{"a":1}}"#)
    driver.answer("/init", #"{"revision":1,"fullUpdate":\#(ClientDriver.fullUpdate)}"#)
    #expect(driver.connections == [true] && driver.outages.count == 1)
    #expect(driver.updates.first == .locationSettings(#"{"a":1}"#))
  }

  @Test(arguments: [
    ([("tier", "gold", "vip")], "vip"), ([("tier", "silver", "vip")], "mobile"),
    ([("tier", "gold", "vip"), ("city", "Omsk", "east")], "east"),
    ([("city", "Omsk", "east"), ("tier", "gold", "vip")], "vip"), ([("age", "7", "old")], "mobile"),
  ])
  func `the last rule that fits routes to its location`(
    rules: [(field: String, value: String, key: String)], location: String
  ) {
    var configuration = WebimSession.Configuration()
    configuration.visitorFields = #"{"fields":{"id":"1","tier":"gold","city":"Omsk","age":7}}"#
    var driver = ClientDriver(configuration)
    driver.start()
    driver.answer("/meta", "{}")
    let list = rules.map {
      #"{"visitorField":"\#($0.field)","visitorFieldValue":"\#($0.value)","locationKey":"\#($0.key)"}"#
    }
    driver.answer("/mobile", #"{"routingRules":[{},\#(list.joined(separator: ","))]}"#)
    #expect(driver.pending("/init")?.request["location"] == location)
  }

  @Test func `the account's rights bind the messages`() {
    var driver = ClientDriver()
    driver.connect(
      ClientDriver.openChat,
      config: #"{"accountConfig":{"visitor_message_editing":false,"web_and_mobile_quoting":false}}"#)
    driver.delta(
      ClientDeltaTests.item(
        "CHAT_MESSAGE", "add",
        #"{"id":"m","kind":"visitor","name":"","text":"","ts":1,"canBeEdited":true,"canBeReplied":true}"#))
    guard case .messageAdded(let message) = driver.updates.last else {
      Issue.record("no message")
      return
    }
    #expect(!message.canBeEdited && !message.canBeReplied)
  }

  @Test(arguments: [
    "{}", #"{"revision":1}"#, #"{"fullUpdate":{"pageId":"p"}}"#,
    #"{"revision":"0","fullUpdate":{"pageId":"p"}}"#, #"{"revision":1,"fullUpdate":{}}"#,
    #"{"revision":1,"fullUpdate":{"pageId":"p"},"deltaList":[1]}"#,
  ])
  func `an init answer that makes no session is asked for again, slower and slower`(body: String) {
    var driver = ClientDriver()
    driver.start()
    driver.answer("/meta", "{}")
    driver.answer("/mobile", "{}")
    let begin = driver.now
    for _ in 0..<40 {
      driver.answer("/init", body)
      #expect(driver.open.isEmpty)
      driver.advance(30)
    }
    #expect(driver.fatal == nil && driver.outages == [.serverIsNotAvailable] && driver.now > begin + 1000)
    driver.answer("/init", #"{"revision":1,"deltaList":[],"fullUpdate":\#(ClientDriver.fullUpdate)}"#)
    #expect(driver.session.isConnected)
  }

  private static let unreadable = ["[]", "garbage", "", "null", "<html>Welcome</html>"]

  @Test(arguments: unreadable)
  func `an init answer that is no object, of whom nobody knows, ends the session`(body: String) {
    var driver = ClientDriver()
    driver.start()
    driver.answer("/meta", "{}")
    driver.answer("/mobile", "{}")
    driver.answer("/init", body)
    #expect(
      driver.fatal
        == SessionError(code: .initializationFailed, serverCode: "an answer that is no JSON object"))
    #expect(driver.open.isEmpty && driver.timers.isEmpty)
  }

  @Test(arguments: unreadable, [true, false])
  func `the same from a service that is known is an outage`(body: String, wasKnownBefore: Bool) {
    var memory = WebimSession.Memory(deviceID: "D1")
    if wasKnownBefore { memory.visitSessionID = "vs-0001" }
    var driver = ClientDriver(memory: memory)
    if wasKnownBefore {
      driver.start()
      driver.answer("/meta", "{}")
      driver.answer("/mobile", "{}")
    } else {
      driver.connect()
      driver.advance(20)
      driver.answer("/delta", #"{"error":"reinit-required"}"#)
    }
    for _ in 0..<10 {
      driver.answer("/init", body)
      driver.advance(31)
    }
    driver.answer("/init", #"{"revision":7,"fullUpdate":\#(ClientDriver.fullUpdate)}"#)
    #expect(driver.fatal == nil && driver.session.isConnected && driver.outages == [.serverIsNotAvailable])
  }

  @Test func `an unknown token is offered again each second`() {
    var driver = ClientDriver()
    driver.start()
    driver.answer("/meta", "{}")
    driver.answer("/mobile", "{}")
    for _ in 0..<20 {
      driver.answer("/init", #"{"error":"provided-auth-token-not-found"}"#)
      driver.advance(0.9)
      #expect(driver.open.isEmpty)
      driver.advance(0.1)
    }
    driver.answer("/init", #"{"revision":1,"fullUpdate":\#(ClientDriver.fullUpdate)}"#)
    #expect(driver.session.isConnected)
    let told = driver.log.compactMap { if case .notFatal(let error) = $0 { error } else { nil } }
    #expect(
      told == [SessionError(code: .serverIsNotAvailable, serverCode: "provided-auth-token-not-found")],
      "once, and by its word")
  }

  @Test func `the full update is remembered after it was told`() {
    var driver = ClientDriver()
    driver.connect()
    var memory = WebimSession.Memory(deviceID: "D1")
    memory.pageID = "p-0001"
    memory.authToken = "tok-0001"
    memory.visitSessionID = "vs-0001"
    memory.visitor = ##"{"id":"v-77","icon":{"color":"#336699","shape":"square"},"stored":true}"##
    let order = driver.log.filter {
      switch $0 {
      case .update(.snapshot), .remember: true
      default: false
      }
    }
    guard order.count == 3, case .update(.snapshot) = order[0] else {
      Issue.record("a snapshot first, not \(order)")
      return
    }
    #expect(order[1] == .remember(memory))
  }

  @Test func `an account without tokens is served without one`() {
    var driver = ClientDriver()
    driver.connect(#"{"pageId":"p","authToken":null}"#)
    #expect(driver.pending("/delta")?.request["page-id"] == "p")
    #expect(driver.pending("/delta")?.request["auth-token"] == nil)
  }

  @Test(arguments: [true, false]) func `a destroyed session says and does nothing more`(isCleared: Bool) {
    var driver = ClientDriver()
    driver.connect()
    driver.perform(1, .closeChat)
    driver.take(driver.session.destroy(clearingVisitorData: isCleared, now: driver.now))
    #expect(driver.open.isEmpty && driver.timers.isEmpty)
    #expect(driver.refusal(of: 1)?.code == "session_destroyed")
    #expect((driver.memory == WebimSession.Memory(deviceID: "D1")) == isCleared)
    let count = driver.log.count
    for sent in driver.sent { driver.respond(sent, .success(WireResponse(body: Array("{}".utf8)))) }
    for timer in [WebimSession.TimerID.retry, .actionRetry, .historyPoll, .typing, .token] {
      driver.take(driver.session.timerFired(timer, now: driver.now))
    }
    driver.take(driver.session.deliveryDoubted([], now: driver.now))
    driver.start()
    #expect(driver.log.count == count)
  }
}
