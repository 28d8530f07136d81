import Chat
import Dialects
import Testing

/// Answers that did not come and credentials that ran out under way.
@Suite struct ClientLossTests {
  static let named: [Action] = ClientErrorTests.actions.map(\.action).filter { $0.clientID != nil }
  static let nameless: [Action] = ClientErrorTests.actions.map(\.action).filter {
    switch $0 {
    case .setVisitorTyping, .setChatRead: false
    default: $0.clientID == nil
    }
  }

  enum Loss: CaseIterable {
    case closed, badGateway, garbage, half, list

    func happen(to driver: inout ClientDriver) {
      switch self {
      case .closed: driver.fail("/action", delivered: true, .closed)
      case .badGateway: driver.answer("/action", "Bad gateway", status: 502)
      case .garbage: driver.answer("/action", "\u{1}\u{2}")
      case .half: driver.answer("/action", #"{"result":"o"#)
      case .list: driver.answer("/action", "[]")
      }
    }
  }

  @Test(arguments: named.indices, Loss.allCases)
  func `an action whose answer was lost is repeated with the same id`(index: Int, loss: Loss) {
    var driver = ClientDriver()
    driver.connect(ClientDriver.openChat)
    driver.perform(1, Self.named[index])
    let request = driver.action
    for _ in 0..<10 {
      loss.happen(to: &driver)
      driver.advance(31)
      #expect(driver.action == request)
    }
    #expect(driver.ends(of: 1) == [] && driver.outages.count == 1)
    driver.answer("/action", "{}")
    #expect(driver.ends(of: 1) == [.answered(1, refusal: nil)])
  }

  @Test(arguments: nameless.indices, Loss.allCases)
  func `an action without an id is uncertain and not repeated`(index: Int, loss: Loss) {
    var driver = ClientDriver()
    driver.connect(ClientDriver.openChat)
    driver.perform(1, Self.nameless[index])
    loss.happen(to: &driver)
    driver.answer("/init", #"{"revision":50,"fullUpdate":\#(ClientDriver.openChat)}"#)
    #expect(driver.ends(of: 1) == [.uncertain(1)])
    driver.advance(60)
    #expect(driver.action == nil && driver.actions.count == 1)
  }

  // MARK: What a doubtful action is compared with

  private static let noNews = #"{"result":"ok","data":{"hasMore":false,"revision":"12","messages":[]}}"#
  private static let openInit = #"{"revision":50,"fullUpdate":\#(ClientDriver.openChat)}"#
  private static let closedInit = #"{"revision":50,"fullUpdate":\#(ClientDriver.fullUpdate)}"#

  /// A rating whose answer is lost while other requests are under way.
  private static func inDoubt(_ before: (inout ClientDriver) -> Void = { _ in }) -> ClientDriver {
    var driver = ClientDriver()
    driver.connect(ClientDriver.openChat)
    before(&driver)
    driver.perform(1, .rateOperator(.init(stars: 5)))
    driver.fail("/action", delivered: true, .closed)
    return driver
  }

  @Test func `a full update that was on its way at the loss is not what a doubtful action is compared with`()
  {
    var driver = Self.inDoubt()
    driver.answer("/history", Self.noNews)
    #expect(driver.ends(of: 1) == [])
    let stale = driver.pending("/init")
    driver.perform(2, .closeChat)
    driver.take(driver.session.deliveryDoubted([2], now: driver.now))
    if let stale { driver.respond(stale, .success(WireResponse(body: Array(Self.openInit.utf8)))) }
    #expect(driver.ends(of: 1) == [])
    driver.answer("/init", Self.openInit)
    #expect(driver.ends(of: 1) == [.uncertain(1)])
    #expect(driver.ends(of: 2) == [.uncertain(2)])
  }

  @Test func `without an open chat only history asked for since the full update is compared with`() {
    var driver = Self.inDoubt {
      $0.delta(ClientDeltaTests.item("HISTORY_REVISION", "upd", #"{"revision":99}"#))
    }
    let old = driver.pending("/history")
    driver.answer("/init", Self.closedInit)
    #expect(old != nil && driver.ends(of: 1) == [])
    driver.answer("/history", Self.noNews)
    #expect(driver.ends(of: 1) == [])
    #expect(driver.pending("/history") != nil && driver.pending("/history") != old)
    driver.answer("/history", Self.noNews)
    #expect(driver.ends(of: 1) == [.uncertain(1)])
  }

  @Test func `history that stays away keeps no doubtful action for ever`() {
    var driver = Self.inDoubt()
    driver.answer("/init", Self.closedInit)
    for _ in 0..<3 {
      #expect(driver.ends(of: 1) == [])
      driver.fail("/history")
      driver.advance(31)
    }
    #expect(driver.ends(of: 1) == [.uncertain(1)])
  }

  @Test func `the doubts of a paused session are compared once it goes on`() {
    var driver = ClientDriver()
    driver.connect(ClientDriver.openChat)
    driver.perform(1, .rateOperator(.init(stars: 5)))
    driver.take(driver.session.deliveryDoubted([7], now: driver.now))
    driver.session.pause()
    // The answer to an init from before the loss, and the loss itself, are held.
    let stale = driver.pending("/init")
    driver.fail("/action", delivered: true, .closed)
    if let stale { driver.respond(stale, .success(WireResponse(body: Array(Self.openInit.utf8)))) }
    #expect(driver.ends(of: 1) == [] && driver.ends(of: 7) == [])
    driver.take(driver.session.resume(now: driver.now))
    #expect(driver.ends(of: 1) == [] && driver.ends(of: 7) == [])
    driver.answer("/init", Self.openInit)
    #expect(driver.ends(of: 1) == [.uncertain(1)] && driver.ends(of: 7) == [.uncertain(7)])
  }

  @Test func `what was told before a request has settled its action: the next one goes in its place`() {
    var driver = ClientDriver()
    driver.connect(ClientDriver.openChat)
    driver.take(driver.session.deliveryDoubted([], now: driver.now))
    driver.perform(1, .rateOperator(.init(stars: 5)))
    driver.perform(2, .closeChat)
    driver.answer("/init", Self.openInit)
    let rating = driver.open.first { $0.request["action"] == "chat.operator_rate_select" }
    driver.session.withdraw(1)
    let instead = rating.flatMap { driver.session.takeBack($0.id, now: driver.now) }
    #expect(instead != nil)
    driver.take(instead ?? [])
    #expect(driver.open.last?.request["action"] == "chat.close")
    let close = driver.open.last
    #expect(close.flatMap { driver.session.takeBack($0.id, now: driver.now) } == nil)
  }

  @Test(arguments: Loss.allCases)
  func `a repeated deletion that finds nothing was carried out the first time`(loss: Loss) {
    var driver = ClientDriver()
    driver.connect(ClientDriver.openChat)
    driver.perform(1, .delete("a"))
    loss.happen(to: &driver)
    driver.advance(31)
    driver.answer("/action", #"{"error":"message_not_found"}"#)
    #expect(driver.ends(of: 1) == [.answered(1, refusal: nil)])
    driver.take(driver.session.perform(2, .delete("b"), isRepeat: true, now: driver.now))
    driver.answer("/action", #"{"error":"message_not_found"}"#)
    #expect(driver.ends(of: 2) == [.answered(2, refusal: nil)], "a process before this one may have asked")
  }

  @Test func `a deletion that finds nothing at once, or is refused otherwise, is refused`() {
    var driver = ClientDriver()
    driver.connect(ClientDriver.openChat)
    driver.perform(1, .delete("a"))
    driver.fail("/action", delivered: false)
    driver.advance(31)
    driver.answer("/action", #"{"error":"message_not_found"}"#)
    #expect(driver.refusal(of: 1)?.code == "message_not_found")
    driver.take(driver.session.perform(2, .delete("b"), isRepeat: true, now: driver.now))
    driver.answer("/action", #"{"error":"message_not_owned"}"#)
    #expect(driver.refusal(of: 2)?.code == "message_not_owned")
  }

  @Test func `what never left is repeated, id or not`() {
    var driver = ClientDriver()
    driver.connect(ClientDriver.openChat)
    driver.perform(1, .closeChat)
    for _ in 0..<5 {
      driver.fail("/action", delivered: false)
      driver.advance(31)
    }
    #expect(driver.action?["action"] == "chat.close" && driver.ends(of: 1) == [])
  }

  @Test func `typing and read marks may be said twice`() {
    for action in [Action.setVisitorTyping(draft: "x"), .setChatRead(messageID: "m")] {
      var driver = ClientDriver()
      driver.connect(ClientDriver.openChat)
      driver.perform(1, action)
      driver.fail("/action", delivered: true)
      driver.advance(2)
      driver.answer("/action", "{}")
      #expect(driver.ends(of: 1) == [.answered(1, refusal: nil)])
    }
  }

  @Test func `an outage is told once and the next one again`() {
    var driver = ClientDriver()
    driver.connect(ClientDriver.openChat)
    driver.perform(1, .delete("a"))
    driver.fail("/action")
    driver.fail("/delta")
    driver.advance(31)
    driver.fail("/action")
    #expect(driver.outages == [.noNetworkConnection])
    driver.advance(31)
    driver.answer("/action", "{}")
    driver.answer("/delta", "{}")
    driver.advance(1)
    driver.answer("/delta", "half", status: 502)
    #expect(driver.outages == [.noNetworkConnection, .serverIsNotAvailable])
    #expect(driver.connections == [true, false, true, false])
  }

  // MARK: Credentials that ran out

  @Test func `a refused action waits for fresh credentials and is repeated with them`() {
    var driver = ClientDriver()
    driver.connect(ClientDriver.openChat)
    driver.perform(1, .rateOperator(.init(stars: 5)))
    driver.perform(2, .delete("a"))
    driver.answer("/action", #"{"error":"reinit-required"}"#)
    #expect(driver.action == nil)
    driver.answer("/delta", #"{"error":"reinit-required"}"#)
    driver.answer(
      "/init",
      #"{"revision":9,"fullUpdate":\#(ClientDriver.snapshot(chat: "null", page: "p-2", token: "t-2"))}"#)
    #expect(driver.action?["page-id"] == "p-2" && driver.action?["auth-token"] == "t-2")
    #expect(driver.action?["action"] == "chat.operator_rate_select")
    driver.answer("/action", "{}")
    driver.answer("/action", "{}")
    #expect(driver.ends(of: 1) == [.answered(1, refusal: nil)])
    #expect(driver.ends(of: 2) == [.answered(2, refusal: nil)])
  }

  @Test func `a late refusal of old credentials is repeated at once with the new ones`() {
    var driver = ClientDriver()
    driver.connect(ClientDriver.openChat)
    driver.perform(1, .delete("a"))
    driver.answer("/delta", #"{"error":"reinit-required"}"#)
    driver.answer(
      "/init", #"{"revision":9,"fullUpdate":\#(ClientDriver.snapshot(chat: "null", page: "p-2"))}"#)
    driver.answer("/action", #"{"error":"reinit-required"}"#)
    #expect(driver.action?["page-id"] == "p-2")
  }

  @Test func `a full update in the poll brings fresh credentials too`() {
    var driver = ClientDriver()
    driver.connect(ClientDriver.openChat)
    driver.perform(1, .delete("a"))
    driver.answer("/action", #"{"error":"reinit-required"}"#)
    driver.now += 1
    driver.answer(
      "/delta", #"{"revision":50,"fullUpdate":\#(ClientDriver.snapshot(chat: "null", page: "p-3"))}"#)
    #expect(driver.action?["page-id"] == "p-3")
    #expect(driver.pending("/delta")?.request["page-id"] == "p-3")
    #expect(driver.pending("/delta")?.request["since"] == "50")
    #expect(driver.memory?.pageID == "p-3")
  }

  @Test func `a poll that is not told of it is left for a new init`() {
    var driver = ClientDriver()
    driver.connect(ClientDriver.openChat)
    driver.advance(20)
    driver.perform(1, .delete("a"))
    driver.answer("/action", #"{"error":"reinit-required"}"#)
    #expect(driver.pending("/delta") != nil)
    driver.advance(2)
    #expect(driver.pending("/delta") == nil && driver.pending("/init") != nil)
    driver.answer(
      "/init", #"{"revision":9,"fullUpdate":\#(ClientDriver.snapshot(chat: "null", page: "p-2"))}"#)
    #expect(driver.action?["page-id"] == "p-2")
  }

  @Test func `repeats for want of credentials are capped`() {
    var driver = ClientDriver()
    driver.connect(ClientDriver.openChat)
    driver.perform(1, .delete("a"))
    for _ in 0..<200 where driver.ends(of: 1).isEmpty {
      driver.answer("/action", #"{"error":"reinit-required"}"#)
      driver.advance(5)
      driver.answer("/init", #"{"revision":9,"fullUpdate":\#(ClientDriver.openChat)}"#)
    }
    #expect(
      driver.refusal(of: 1)
        == ActionError(code: "unknown", serverCode: "reinit-required", action: "delete"))
    #expect(driver.actions.count == 6 && driver.fatal == nil)
  }
}
