import Rehearsal
import Testing
import Transport

/// A desk that repeats what it hears, five times.
private let echo = """
  desk:operator{ id = "otto", name = "Otto" }
  desk:on_chat(function(chat)
    chat:accept("otto")
    for _ = 1, 5 do chat:quote(chat:wait_message{ within = 120 }, "heard") end
    chat:close()
  end)
  """

struct TroubleTests {
  /// Trouble, and how many requests it spoils; nil where chance or the client's patience says it.
  @Test(
    arguments: [
      (#"desk:fault{ on = "action:chat.message", chance = 0.5, drop = "after_accept" }"#, nil),
      (#"desk:fault{ on = "action", chance = 0.5, drop = "before" }"#, nil),
      (#"desk:fault{ on = "action", chance = 0.5, cut = true }"#, nil),
      (#"desk:fault{ on = "action", status = 503, times = 3 }"#, 3),
      (#"desk:fault{ on = "action", status = 502, accept = true, times = 3 }"#, 3),
      (#"desk:fault{ on = "delta", chance = 0.3, body = "no JSON at all" }"#, nil),
      (#"desk:fault{ on = "delta", chance = 0.3, cut = true }"#, nil),
      (#"desk:fault{ on = "delta", chance = 0.3, status = 502, body = "<html>" }"#, nil),
      (#"desk:fault{ on = "delta", after = 3, times = 2, error = "reinit-required" }"#, 2),
      (#"desk:fault{ on = "init", times = 2, drop = "before" }"#, 2),
      (#"desk:fault{ delay = 0.5 }"#, nil),
      (#"desk:on_message(function(_, m) if m.text == "2" then desk:offline(30) end end)"#, nil),
      (#"desk:on_message(function(chat, m) if m.text == "2" then desk:reinit(chat.visitor) end end)"#, 0),
      (
        #"desk:on_message(function(chat, m) if m.text == "2" then desk:full_update(chat.visitor) end end)"#, 0
      ),
    ] as [(String, Int?)])
  func `whatever fails on the way, each message takes effect once`(
    fault: String, spoiled: Int?
  ) async throws {
    try await rehearse(desk: fault + "\n" + echo) { theatre in
      let visitor = try theatre.visitor()
      try await theatre.until { visitor.isOpen }
      for number in 1...5 {
        visitor.say(String(number))
        try await theatre.until { visitor.texts(of: "operator").count == number }
      }
      try await theatre.until { visitor.chatState == "closed_by_operator" }
      let said = theatre.statistics.messages.kept.filter { $0.kind == "visitor" }
      #expect(said.map(\.text) == ["1", "2", "3", "4", "5"])
      #expect(visitor.texts(of: "visitor") == ["1", "2", "3", "4", "5"])
      let struck = theatre.statistics.spoiled
      #expect(struck == spoiled ?? max(1, struck))
      #expect(theatre.failures.isEmpty)
    }
  }

  @Test(arguments: Ground.allCases)
  func `a cut answer and a lost one look the same over sockets and in memory`(ground: Ground) async throws {
    let faults = """
      desk:fault{ on = "action:chat.message", times = 1, drop = "after_accept" }
      desk:fault{ on = "action:chat.message", after = 1, times = 1, cut = true }
      desk:fault{ on = "action:chat.message", after = 2, times = 1, drop = "before" }
      desk:fault{ on = "delta", after = 2, times = 1, body = "garbage" }
      """
    try await rehearse(ground, desk: faults + "\n" + echo) { theatre in
      let visitor = try theatre.visitor()
      try await theatre.until { visitor.isOpen }
      for number in 1...5 {
        visitor.say(String(number))
        try await theatre.until { visitor.texts(of: "operator").count == number }
      }
      #expect(visitor.texts(of: "visitor") == ["1", "2", "3", "4", "5"])
      #expect(theatre.statistics.spoiled == 4)
    }
  }

  @Test func `a cut line drops what is held and lets nothing through until its time is over`() async throws {
    let desk = """
      desk:on_chat(function(chat) desk:offline(30); desk:log("off at %.3f", desk:now()) end)
      """
    try await rehearse(desk: desk) { theatre in
      let visitor = try theatre.visitor()
      try await theatre.until { visitor.isOpen }
      let begin = theatre.loop.now
      visitor.start()
      try await theatre.until { !theatre.logged.isEmpty }
      visitor.say("Hello")
      try await theatre.until { visitor.texts(of: "visitor") == ["Hello"] }
      #expect(theatre.loop.now - begin >= 30)
      #expect(theatre.loop.now - begin < 31)
      #expect(theatre.statistics.spoiled > 50)
    }
  }

  @Test(arguments: [
    ("ban", "visitor_banned"), ("expire", "provided-visitor-expired"), ("block", "account-blocked"),
  ])
  func `a desk can end a visit`(word: String, code: String) async throws {
    let argument = word == "block" ? "" : "chat.visitor"
    let desk = "desk:on_chat(function(chat) desk:\(word)(\(argument)) end)"
    try await rehearse(desk: desk) { theatre in
      let visitor = try theatre.visitor()
      try await theatre.until { visitor.isOpen }
      visitor.start()
      try await theatre.until { visitor.fatal != nil }
      #expect(visitor.fatal == code)
    }
  }

  @Test func `faults and a cut line act before any chat`() async throws {
    var fault = Fault()
    fault.on = Fault.Target(endpoint: .`init`)
    fault.harm = .answer(status: 503, body: "")
    fault.times = 3
    try await rehearse(desk: nil) { [fault] theatre in
      try theatre.service.add(fault)
      let visitor = try theatre.visitor()
      try await theatre.until { visitor.isOpen }
      #expect(theatre.statistics.spoiled == 3)
      let begin = theatre.loop.now
      try theatre.service.goOffline(for: 10)
      visitor.start()
      try await theatre.until { visitor.chatState != nil }
      #expect(theatre.loop.now - begin >= 10)
    }
  }

  @Test func `the same seed makes the same trouble, another seed another one`() async throws {
    let first = try await spoiled(seed: 1)
    let again = try await spoiled(seed: 1)
    let other = try await spoiled(seed: 2)
    #expect(first == again)
    #expect(first != other)
  }

  /// When the requests of a short conversation were spoiled, told by the desk's log.
  private func spoiled(seed: UInt64) async throws -> [Int] {
    let desk = #"desk:fault{ on = "delta", chance = 0.5, status = 503 }"# + "\n" + echo
    let counts = Counts()
    try await rehearse(desk: desk, hold: 1, seed: seed) { theatre in
      let visitor = try theatre.visitor()
      for _ in 0..<20 {
        try await theatre.rest(1)
        counts.add(theatre.statistics.spoiled)
      }
      #expect(visitor.isOpen)
    }
    return counts.values
  }
}

/// Numbers that a test's body leaves behind; written by one body at a time.
private final class Counts: @unchecked Sendable {
  private(set) var values: [Int] = []

  func add(_ value: Int) { values.append(value) }
}
