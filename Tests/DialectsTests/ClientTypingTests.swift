import Chat
import Dialects
import TestSupport
import Testing

/// The cadence of drafts (the protocol's section 11.5).
@Suite struct ClientTypingTests {
  func typing() -> ClientDriver {
    var driver = ClientDriver()
    driver.connect(ClientDriver.openChat)
    return driver
  }

  func drafts(_ driver: ClientDriver) -> [String] {
    driver.sent.filter { $0.request["action"] == "chat.visitor_typing" }.map {
      "\($0.request["typing"] ?? "")\($0.request["del-message-draft"] ?? "") \($0.request["message-draft"] ?? "-")"
    }
  }

  @Test func `the first draft goes at once, the latest at the end of the second`() {
    var driver = typing()
    for (id, draft) in ["a", "ab", "abc"].enumerated() {
      driver.perform(id, .setVisitorTyping(draft: draft))
      driver.advance(0.2)
    }
    #expect(driver.ends(of: 0) == [])
    #expect(driver.ends(of: 1) == [.answered(1, refusal: nil)])
    driver.answer("/action", "{}")
    #expect(driver.ends(of: 0) == [.answered(0, refusal: nil)])
    driver.advance(0.3)
    #expect(drafts(driver) == ["10 a"])
    driver.advance(0.2)
    #expect(drafts(driver) == ["10 a", "10 abc"])
  }

  @Test func `a draft that did not change does not go again`() {
    var driver = typing()
    for id in 0..<4 {
      driver.perform(id, .setVisitorTyping(draft: "a"))
      driver.answer("/action", "{}")
      driver.advance(0.8)
      #expect(driver.ends(of: id) == [.answered(id, refusal: nil)])
    }
    #expect(drafts(driver) == ["10 a"])
  }

  @Test func `five seconds after the last draft typing has paused, once`() {
    var driver = typing()
    driver.perform(0, .setVisitorTyping(draft: "a"))
    driver.answer("/action", "{}")
    driver.advance(3)
    driver.perform(1, .setVisitorTyping(draft: "ab"))
    driver.answer("/action", "{}")
    driver.advance(4.9)
    #expect(drafts(driver) == ["10 a", "10 ab"])
    driver.advance(0.2)
    driver.answer("/action", "{}")
    driver.advance(60)
    #expect(drafts(driver) == ["10 a", "10 ab", "00 -"])
    driver.perform(2, .setVisitorTyping(draft: "ab"))
    #expect(drafts(driver).last == "10 ab")
  }

  @Test func `the end of a draft stops the clock`() {
    var driver = typing()
    driver.perform(0, .setVisitorTyping(draft: "a"))
    driver.answer("/action", "{}")
    driver.advance(2)
    driver.perform(1, .setVisitorTyping(draft: nil))
    driver.answer("/action", "{}")
    driver.advance(60)
    #expect(drafts(driver) == ["10 a", "01 -"])
    #expect(driver.timers[.typing] == nil)
  }

  @Test func `signs that nobody waits for do not pile up behind an outage, and are not repeated`() {
    var driver = typing()
    driver.perform(0, .delete("a"))
    for id in 1...100 {
      driver.fail("/action")
      driver.perform(id, .setVisitorTyping(draft: "draft \(id)"))
      driver.advance(0.4)
    }
    driver.advance(60)
    var waiting = 0
    while driver.action != nil {
      driver.answer("/action", "{}")
      waiting += 1
    }
    #expect(waiting < 60)
    for id in 0...100 { #expect(driver.ends(of: id).count == 1) }
    #expect(drafts(driver).contains("10 draft 100"))
  }

  @Test(arguments: 1...200)
  func `no more than a sign a second and its pause, whatever is typed`(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    var driver = typing()
    let begin = driver.now
    for id in 0..<60 {
      let draft: String? = ["", "a", "b", "c", nil][Int.random(in: 0..<5, using: &random)]
      driver.perform(id, .setVisitorTyping(draft: draft))
      while driver.action != nil { driver.answer("/action", "{}") }
      driver.advance(Double.random(in: 0...1.5, using: &random))
      while driver.action != nil { driver.answer("/action", "{}") }
    }
    #expect(Double(drafts(driver).count) <= (driver.now - begin) * 1.2 + 2)
    for id in 0..<60 { #expect(driver.ends(of: id) == [.answered(id, refusal: nil)]) }
  }
}
