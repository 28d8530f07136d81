import Bot
import Chat
import JSON
import Lua
import Script
import TestSupport
import Testing

/// A bot that does a little of everything, and all of it by its seed.
private let wanderer = """
  local function answer(visitor)
    local message, why = visitor:wait_message{ from = "operator", within = 3 }
    visitor.state.last = message and message.text or why
  end
  return {
    run = function(visitor)
      for round = 1, 6 do
        visitor.state.round = round
        local choice = visitant.random(7)
        if choice == 1 then pcall(visitor.say, visitor, "round " .. round)
        elseif choice == 2 then answer(visitor)
        elseif choice == 3 then visitor:think(0, 2)
        elseif choice == 4 then visitor:spawn(function() visitor:sleep(round) visitor.state.spawned = round end)
        elseif choice == 5 then visitor.state.count = #visitor.messages
        elseif choice == 6 then
          visitor:wait_until(function() return (visitor.state.heard or 0) % 2 == 1 end, { within = 2 })
        else
          local fine, problem = pcall(visitor.rate_operator, visitor, visitant.random(5))
          visitor.state.problem = not fine and problem.code or nil
        end
        if visitor.resumed then visitor.state.resumed = round end
      end
    end,
    on_message = function(visitor, message)
      visitor.state.heard = (visitor.state.heard or 0) + 1
      if message.text == "b" then visitor:sleep(0.5) end
      visitor.state.id = visitant.uuid()
    end,
  }
  """

/// Gives a live stage inputs of all kinds, by the generator.
private func live(_ stage: inout Stage, inputs: Int, _ random: inout SeededGenerator) {
  for _ in 0..<inputs where !stage.effects.hasEnded {
    stage.now += Double.random(in: 0...1, using: &random)
    switch Int.random(in: 0..<6, using: &random) {
    case 0: stage.event(added(["a", "b", "c"].randomElement(using: &random) ?? "a"))
    case 1: stage.event(.connection(Bool.random(using: &random)))
    case 2: stage.fireTimer()
    case 3: stage.refuse("timeout")
    default: stage.settle([["text": "x"]])
    }
  }
}

@Test(arguments: 0..<60)
func `a replay asks what the live run asked, and leaves the same state`(seed: Int) throws {
  var random = SeededGenerator(seed: UInt64(seed))
  var stage = try Stage(wanderer, seed: UInt64(seed))
  stage.start()
  live(&stage, inputs: 40, &random)

  let replayed = try BotRunner(
    source: Array(wanderer.utf8), name: Stage.name, options: ScriptRunner.Options(seed: UInt64(seed)))
  var states: [String] = []
  for (input, at, digest) in stage.journal {
    // Each input goes through the journal's own form.
    let read = try #require(BotInput(json: JSONNode(parsing: input.json)))
    #expect(read == input)
    states += replayed.receive(read, now: at).states
    #expect(replayed.digest == digest)
  }
  #expect(states == stage.effects.states)
}

@Test(arguments: 0..<40)
func `a visit that is resumed twice goes on as one that never stopped`(seed: Int) throws {
  var random = SeededGenerator(seed: UInt64(1000 + seed))
  var stage = try Stage(wanderer, seed: UInt64(seed))
  stage.start()
  live(&stage, inputs: 12, &random)
  guard !stage.effects.hasEnded else { return }
  var journal = stage.journal
  for _ in 0..<2 {
    let runner = try BotRunner(
      source: Array(wanderer.utf8), name: Stage.name, options: ScriptRunner.Options(seed: UInt64(seed)))
    for entry in journal { try runner.replay(entry.input, at: entry.at, expecting: entry.digest) }
    let now = (journal.last?.at ?? 0) + 500
    let outstanding = runner.goLive(now: now)
    journal.append((.resumed, now, runner.digest))
    for open in outstanding.fetching + outstanding.performing {
      let input = BotInput.settled(request: open.request, .success(Array("[]".utf8)))
      _ = runner.receive(input, now: now + 1)
      journal.append((input, now + 1, runner.digest))
    }
  }
}

struct ReplayTests {
  private let script = """
    return function(visitor)
      visitor:say("one")
      visitor:expect_message{ within = 10 }
      visitor:log("%s", visitor.resumed)
      visitor:say("two")
      visitor:log("%s", visitor.resumed)
    end
    """

  private func runner(_ source: String) throws -> BotRunner {
    try BotRunner(source: Array(source.utf8), name: Stage.name)
  }

  private func replay(_ journal: [(input: BotInput, at: Double, digest: String)], into runner: BotRunner)
    throws
  {
    for entry in journal { try runner.replay(entry.input, at: entry.at, expecting: entry.digest) }
  }

  @Test func `what was under way comes back under its number`() throws {
    var stage = try Stage(script)
    stage.start()
    let resumed = try runner(script)
    try replay(stage.journal, into: resumed)
    let outstanding = resumed.goLive(now: 2000)
    #expect(outstanding.performing.map(\.request) == [1])
    #expect(outstanding.performing.map(\.call.word) == ["send"])
    #expect(outstanding.effects.isEmpty)
    let turn = resumed.receive(.settled(request: 1, .success(Array("{}".utf8))), now: 2001)
    #expect(turn == [.setTimer(request: 2, after: 10)])
  }

  @Test func `a wait goes on with the limit it had left`() throws {
    var stage = try Stage(script)
    stage.start()
    stage.settle([:])
    stage.event(.unreadCount(1), after: 4)
    let resumed = try runner(script)
    try replay(stage.journal, into: resumed)
    #expect(resumed.goLive(now: 90_000).effects == [.setTimer(request: 2, after: 6)])
    let turn = resumed.receive(.event(added("Hi")), now: 90_001)
    #expect(turn.logs == ["true"])
    #expect(turn.words == ["send"])
  }

  @Test func `a sleep ends when its time has come, crash or not`() throws {
    let script = "return function(visitor) visitor:sleep(60) visitor:log('awake') end"
    var stage = try Stage(script)
    stage.start()
    let resumed = try runner(script)
    try replay(stage.journal, into: resumed)
    #expect(resumed.goLive(now: 1020).effects == [.setTimer(request: 1, after: 40)])
    let late = try runner(script)
    try replay(stage.journal, into: late)
    #expect(late.goLive(now: 5000).effects == [.setTimer(request: 1, after: 0)])
  }

  @Test(arguments: [
    (
      "visitor:say(\"one\")", "visitor:press(\"m\", \"b\")",
      "the journal has send at line 2, the script now asks send_keyboard_request at line 2"
    ),
    (
      "visitor:say(\"one\")", "visitor:say(\"uno\")",
      "the journal has send at line 2, the script now asks it with other arguments"
    ),
    (
      "visitor:say(\"one\")", "",
      "the journal has send at line 2, the script now asks expect_message at line 3"
    ),
  ])
  func `a script that has changed is told from its journal`(old: String, new: String, message: String) throws
  {
    var stage = try Stage(script)
    stage.start()
    stage.settle([:])
    var changed = script
    let range = try #require(changed.firstRange(of: old))
    changed.replaceSubrange(range, with: new)
    let resumed = try runner(changed)
    do throws(ScriptFailure) {
      for entry in stage.journal { try resumed.replay(entry.input, at: entry.at, expecting: entry.digest) }
      Issue.record("nobody noticed")
    } catch {
      #expect(error.message == "the script has left its journal: \(message)")
      #expect(error.kind == .script)
      #expect(error.position?.source == Stage.name)
    }
    #expect(resumed.receive(.event(added("x")), now: 5000).isEmpty)
  }

  @Test func `a comment more does not count as a change`() throws {
    var stage = try Stage(script)
    stage.start()
    let resumed = try runner("-- a new first line\n" + script)
    #expect(throws: Never.self) { try replay(stage.journal, into: resumed) }
  }
}

private func bytes(_ text: String) -> [UInt8] { [UInt8](text.utf8) }

extension [BotInput] {
  static let samples: [BotInput] = [
    .start, .resumed, .stop(reason: "a \"word\""), .timer(request: 7),
    .fields(bytes(#"{"id":"x","n":null}"#)),
    .event(added("Привет\n👋")), .event(.chatState(from: .queue, to: .closedByOperator)),
    .event(.connection(false)), .settled(request: 3, .success(bytes("null"))),
    .settled(request: 3, .success(bytes(#"{"a":[1,2.5,"x"]}"#))),
    .settled(
      request: 4,
      .failure(ActionError(code: "no_chat", serverCode: "no-chat", action: "send", detail: "x"))),
  ]
}

@Test(arguments: [BotInput].samples)
func `an input comes back from the journal as it went in`(input: BotInput) throws {
  #expect(BotInput(json: try JSONNode(parsing: input.json)) == input)
}

@Test(arguments: [
  "{}", "[]", #"{"input":"x"}"#, #"{"input":"event","event":{"name":"?"}}"#, #"{"input":"timer"}"#,
])
func `what is no input is none`(text: String) throws {
  #expect(BotInput(json: try JSONNode(parsing: text)) == nil)
}
