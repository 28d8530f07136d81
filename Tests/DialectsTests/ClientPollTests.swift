import Chat
import Dialects
import TestSupport
import Testing

/// The long poll: its rhythm, its failures and its end (the protocol's sections 3.1, 3.2 and 3.5).
@Suite struct ClientPollTests {
  @Test(arguments: [0.6, 1, 25, 61, 125])
  func `a poll that timed out is made again at once`(hold: Double) {
    var driver = ClientDriver()
    driver.connect()
    for _ in 0..<5 {
      driver.advance(hold)
      driver.answer("/delta", "{}")
      #expect(driver.pending("/delta")?.time == driver.now)
    }
    #expect(driver.connections == [true] && driver.outages.isEmpty)
  }

  @Test(arguments: [
    "{}", #"{"revision":41}"#, #"{"revision":42,"deltaList":[]}"#, #"{"revision":42,"deltaList":[{},7]}"#,
    #"{"revision":42,"deltaList":{}}"#,
  ])
  func `polls that tell nothing start half a second apart`(body: String) {
    var driver = ClientDriver()
    driver.connect()
    for _ in 0..<20 {
      let begin = driver.pending("/delta")?.time ?? 0
      driver.advance(0.1)
      driver.answer("/delta", body)
      #expect(driver.pending("/delta") == nil)
      driver.advance(0.4)
      #expect(driver.pending("/delta").map { abs($0.time - begin - 0.5) < 1e-6 } == true)
    }
  }

  @Test func `a poll that tells something is followed at once`() {
    var driver = ClientDriver()
    driver.connect(ClientDriver.openChat)
    for revision in 42..<60 {
      driver.answer(
        "/delta",
        #"{"revision":"\#(revision)","deltaList":[\#(ClientDeltaTests.item("CHAT_STATE", "upd", #""queue""#))]}"#
      )
      #expect(driver.pending("/delta")?.request["since"] == "\(revision)")
    }
  }

  @Test func `full updates in a row are paced`() {
    var driver = ClientDriver()
    driver.connect()
    for revision in 42..<45 {
      driver.answer("/delta", #"{"revision":\#(revision),"fullUpdate":\#(ClientDriver.fullUpdate)}"#)
      #expect((driver.pending("/delta") != nil) == (revision == 42))
      if revision > 42 { driver.advance(0.5) }
    }
  }

  @Test func `a full update is the state, and its list of changes is not`() {
    var driver = ClientDriver()
    driver.connect()
    let before = driver.updates.count
    driver.now += 1
    let item = ClientDeltaTests.item("CHAT_STATE", "upd", #""queue""#)
    driver.answer(
      "/delta", #"{"revision":50,"fullUpdate":\#(ClientDriver.openChat),"deltaList":[\#(item)]}"#)
    #expect(driver.updates.count == before + 1)
    guard case .snapshot(let snapshot) = driver.updates.last else {
      Issue.record("no snapshot")
      return
    }
    #expect(snapshot.chat?.state == .chatting)
  }

  // MARK: Failures

  static let failures: [@Sendable (inout ClientDriver) -> Void] = [
    { $0.fail("/delta") }, { $0.fail("/delta", delivered: true, .closed) },
    { $0.answer("/delta", "Bad gateway", status: 502) }, { $0.answer("/delta", "{}", status: 503) },
    { $0.answer("/delta", "{}", status: 401) }, { $0.answer("/delta", "garbage") },
    { $0.answer("/delta", #"{"revision":42,"deltaList":[{"objectT"#) }, { $0.answer("/delta", "") },
    { $0.answer("/delta", "[]") }, { $0.answer("/delta", #"{"error":"server-not-ready"}"#) },
  ]

  @Test(arguments: failures.indices)
  func `a failed poll is told at once, repeated with growing pauses, and forgotten`(index: Int) {
    var driver = ClientDriver()
    driver.connect()
    for count in 0..<12 {
      Self.failures[index](&driver)
      #expect(driver.connections == [true, false] && !driver.session.isConnected)
      #expect(driver.outages.count == 1 && driver.open.isEmpty)
      let pause = (driver.timers[.retry] ?? .infinity) - driver.now
      #expect(pause <= min(30, 0.5 * Double(1 << count)))
      driver.advance(30)
    }
    driver.answer("/delta", "{}")
    #expect(driver.connections == [true, false, true])
    Self.failures[index](&driver)
    driver.advance(0.5)
    #expect(driver.pending("/delta")?.request["since"] == "41")
  }

  @Test func `pauses stay in their bounds and are spread, for a thousand seeds`() {
    var shares: [Double] = []
    for seed in 0..<1000 {
      var backoff = Backoff(seed: UInt64(seed))
      for count in 0..<20 {
        let share = backoff.failed() / min(30, 0.5 * Double(1 << count))
        #expect(share >= 0.25 && share < 1)
        if count % 10 == 0 { shares.append(share) }
      }
      backoff.succeeded()
      #expect(backoff.failed() < 0.5)
    }
    for tenth in 0..<10 {
      let low = 0.25 + 0.075 * Double(tenth)
      let count = shares.filter { $0 >= low && $0 < low + 0.075 }.count
      #expect(count > 140 && count < 260)
    }
  }

  @Test(arguments: [30.0, 60, 300])
  func `of 5,000 visitors that lost the service together no second brings back twice the mean`(outage: Double)
  {
    var returns: [Int: Int] = [:]
    for seed in 0..<5000 {
      var backoff = Backoff(seed: UInt64(seed))
      var time = 0.0
      while time < outage { time += backoff.failed() }
      returns[Int(time - outage), default: 0] += 1
    }
    let window = Double((returns.keys.max() ?? 0) + 1)
    #expect(returns.values.allSatisfy { Double($0) < 2 * 5000 / window }, "\(returns)")
  }

  @Test func `each visitor has pauses of its own`() {
    let pauses = (0..<50).map { seed in
      var configuration = WebimSession.Configuration()
      configuration.seed = UInt64(seed)
      var driver = ClientDriver(configuration)
      driver.connect()
      driver.fail("/delta")
      return driver.timers[.retry]
    }
    #expect(Set(pauses).count == 50)
  }

  // MARK: Sessions lost

  @Test func `a lost session is made again at once, with what was remembered`() {
    var driver = ClientDriver()
    driver.connect()
    driver.advance(20)
    driver.answer("/delta", #"{"error":"reinit-required"}"#)
    let request = driver.pending("/init")?.request
    #expect(request?["visit-session-id"] == "vs-0001" && request?["since"] == "0")
    #expect(request?["page-id"] == nil)
    driver.answer("/init", #"{"revision":7,"fullUpdate":\#(ClientDriver.fullUpdate)}"#)
    #expect(driver.pending("/delta")?.request["since"] == "7")
    #expect(driver.connections == [true])
  }

  @Test func `sessions that are lost in a row come slower and slower`() {
    var driver = ClientDriver()
    driver.connect()
    let begin = driver.now
    var count = 0
    while driver.now < begin + 120 {
      driver.answer("/delta", #"{"error":"reinit-required"}"#)
      driver.answer("/init", #"{"revision":7,"fullUpdate":\#(ClientDriver.fullUpdate)}"#)
      count += 1
      driver.answer("/history", "{}")
      if driver.open.isEmpty { driver.advance(max(0.001, (driver.timers[.retry] ?? 0) - driver.now)) }
    }
    #expect(count < 60)
  }

  @Test func `an init that wants an init does not run hot`() {
    var driver = ClientDriver()
    driver.start()
    driver.answer("/meta", "{}")
    driver.answer("/mobile", "{}")
    let begin = driver.now
    for _ in 0..<30 {
      driver.answer("/init", #"{"error":"reinit-required"}"#)
      if driver.pending("/init") == nil { driver.advance(max(0, (driver.timers[.retry] ?? 0) - driver.now)) }
    }
    #expect(driver.now - begin > 60 && driver.fatal == nil)
  }

  @Test func `a doubt asks for the full state without losing the session`() {
    var driver = ClientDriver()
    driver.connect()
    let old = driver.pending("/delta")
    driver.take(driver.session.deliveryDoubted([], now: driver.now))
    #expect(driver.pending("/delta") == nil && driver.pending("/init") != nil)
    driver.perform(1, .closeChat)
    #expect(driver.action == nil)
    if let old { driver.respond(old, .success(WireResponse(body: Array(#"{"error":"x"}"#.utf8)))) }
    #expect(driver.fatal == nil)
    driver.answer("/init", #"{"revision":7,"fullUpdate":\#(ClientDriver.openChat)}"#)
    #expect(driver.action?["action"] == "chat.close" && driver.pending("/delta") != nil)
  }

  @Test func `a doubt during an outage waits for its end`() {
    var driver = ClientDriver()
    driver.connect()
    driver.fail("/delta")
    driver.take(driver.session.deliveryDoubted([], now: driver.now))
    #expect(driver.open.isEmpty)
    driver.advance(1)
    #expect(driver.pending("/init") != nil && driver.pending("/delta") == nil)
  }

  @Test func `a session lost while actions and a poll are under way keeps the actions`() {
    var driver = ClientDriver()
    driver.connect(ClientDriver.openChat)
    for id in 1...3 { driver.perform(id, ClientActionTests.text(id)) }
    driver.answer("/delta", #"{"error":"reinit-required"}"#)
    driver.answer("/action", "{}")
    #expect(driver.ends(of: 1).count == 1 && driver.action == nil)
    driver.answer("/init", #"{"revision":7,"fullUpdate":\#(ClientDriver.openChat)}"#)
    driver.answer("/action", "{}")
    driver.answer("/action", "{}")
    #expect(driver.ends(of: 3) == [.answered(3, refusal: nil)])
    #expect(driver.actions == ["chat.message", "chat.message", "chat.message"])
  }

  // MARK: Pause

  @Test func `a paused session takes nothing in and sends nothing until it is resumed`() {
    var driver = ClientDriver()
    driver.connect(ClientDriver.openChat)
    driver.session.pause()
    let count = driver.log.count
    driver.perform(1, .closeChat)
    driver.delta(ClientDeltaTests.item("CHAT_ID", "upd", "5"))
    driver.advance(100)
    #expect(driver.log.count == count)
    driver.take(driver.session.resume(now: driver.now))
    #expect(driver.updates.last == .chatID(5))
    #expect(driver.pending("/delta")?.request["since"] == "42")
    #expect(driver.action != nil && driver.pending("/history") != nil)
  }
}
