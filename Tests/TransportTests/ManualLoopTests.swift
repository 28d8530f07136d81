import TestSupport
import Testing

@testable import Transport

struct ManualLoopTests {
  @Test func `the clock moves only by hand, and work is done at its own time`() {
    let loop = ManualLoop(start: 100)
    var events: [(String, Double)] = []
    _ = loop.schedule(after: 2) { events.append(("two", loop.now)) }
    _ = loop.schedule(after: 1) {
      events.append(("one", loop.now))
      loop.soon { events.append(("soon", loop.now)) }
      _ = loop.schedule(after: 0.5) { events.append(("half", loop.now)) }
    }
    #expect(loop.nextTimer == 101)
    #expect(loop.runUntilIdle() && events.isEmpty)
    #expect(loop.advance(by: 1.75))
    #expect(events.map(\.0) == ["one", "soon", "half"])
    #expect(events.map(\.1) == [101, 101, 101.5])
    #expect(loop.now == 101.75)
    #expect(loop.advance(by: 10) && loop.now == 111.75)
    #expect(events.last?.1 == 102)
    #expect(loop.nextTimer == nil)
  }

  @Test func `it runs until something holds, and says when that cannot be`() {
    let loop = ManualLoop(start: 0)
    var count = 0
    unowned let clock = loop
    func tick() {
      count += 1
      _ = clock.schedule(after: 1) { tick() }
    }
    tick()
    #expect(loop.runUntil { count == 10 })
    #expect(loop.now == 9)
    #expect(!loop.runUntil(within: 5) { count == 100 })
    #expect(count == 15)
    #expect(!ManualLoop().runUntil { false })
  }

  @Test func `two that call each other for ever are stopped by the limit`() {
    let loop = ManualLoop()
    unowned let clock = loop
    func again() { clock.soon { again() } }
    again()
    #expect(!loop.runUntilIdle(limit: 1000))
    #expect(!loop.advance(by: 1, limit: 1000))
    #expect(!loop.runUntil(limit: 1000) { false })
  }

  @Test func `what a cancelled timer holds is let go, and may come back while it is`() {
    final class Comeback {
      let loop: ManualLoop
      let other: LoopTimer

      init(loop: ManualLoop) {
        self.loop = loop
        other = loop.schedule(after: 5) {}
      }

      deinit { loop.cancel(other) }
    }
    let loop = ManualLoop()
    let comeback = Comeback(loop: loop)
    let timer = loop.schedule(after: 1) { [comeback] in _ = comeback }
    loop.cancel(timer)
    loop.cancel(timer)
    #expect(loop.nextTimer == loop.now + 5)
  }

  @Test func `a link in memory lives on virtual time`() {
    let loop = ManualLoop(start: 0)
    let responder = ScriptedResponder()
    let link = MemoryLink(loop: loop, responder: responder, latency: 0.25)
    var results: [(Result<HTTPResponse, LinkError>, Double)] = []
    _ = link.send(HTTPRequest(target: "/one"), on: .action) { results.append(($0, loop.now)) }
    _ = link.send(HTTPRequest(target: "/hold", timeout: 180), on: .poll) { results.append(($0, loop.now)) }
    #expect(loop.runUntil { results.count == 2 })
    #expect(results[0].0.text == "/one" && results[0].1 == 0.5)
    #expect(results[1].0.error?.code == .timedOut && results[1].1 == 180)
    #expect(responder.abandoned == 0, "that news travels, too")
    loop.advance(by: 0.25)
    #expect(responder.abandoned == 1)
    link.close()
  }

  @Test(arguments: 0..<20 as Range<UInt64>)
  func `timers agree with a plain model, whatever is made and cancelled`(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let loop = ManualLoop(start: 0)
    var model: [(due: Double, number: Int)] = []
    var timers: [Int: LoopTimer] = [:]
    var fired: [Int] = []
    var expected: [Int] = []
    for number in 0..<500 {
      switch Int.random(in: 0..<10, using: &random) {
      case 0..<6:
        let delay = Double(Int.random(in: 0..<40, using: &random)) / 4
        timers[number] = loop.schedule(after: delay) { fired.append(number) }
        model.append((loop.now + delay, number))
      case 6..<9:
        guard let victim = timers.keys.sorted().randomElement(using: &random) else { continue }
        if let timer = timers.removeValue(forKey: victim) { loop.cancel(timer) }
        model.removeAll { $0.number == victim }
      default:
        let end = loop.now + Double(Int.random(in: 0..<8, using: &random)) / 4
        loop.advance(by: end - loop.now)
        let due = model.filter { $0.due <= end }.sorted { ($0.due, $0.number) < ($1.due, $1.number) }
        expected += due.map(\.number)
        model.removeAll { $0.due <= end }
        #expect(fired == expected)
        #expect(loop.nextTimer == model.map(\.due).min())
      }
    }
  }
}
