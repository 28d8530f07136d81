import JSON
import Lua
import Script
import Testing

/// A script with conversations side by side, as a desk has them: its objects are the numbers of their
/// streams.
private struct Scene {
  let runner: ScriptRunner
  var now = 0.0

  init(_ source: String) throws {
    let prelude = """
      local shared = host.prelude
      local function number(object) return object end
      host.sandbox.on = function(stream, name, f) return shared.on(stream, name, f) end
      host.sandbox.wait = shared.waiter("wait_message", number)
      host.sandbox.send = function(stream, text) return shared.call("send", stream, text) end
      host.sandbox.log = function(...) shared.words.log(nil, ...) end
      host.sandbox.sleep = function(seconds) shared.words.sleep(nil, seconds) end
      return { subject = number }
      """
    runner = try ScriptRunner(
      source: Array(source.utf8), name: "scene.lua",
      preludes: [ScriptRunner.Prelude(name: "scene.lua", source: Array(prelude.utf8))],
      vocabulary: vocabulary, options: ScriptRunner.Options())
    runner.load()
  }

  func run() -> [ScriptEffect] { runner.run(now: now) }

  func deliver(_ text: String, stream: Int) -> [ScriptEffect] {
    var message = occurrence("message", from: "robot", text: text, at: now)
    message.stream = stream
    runner.deliver(message, arguments: [JSONValue.string(text).bytes])
    return run()
  }
}

extension [ScriptEffect] {
  fileprivate var logs: [String] {
    compactMap { effect in
      if case .note(.log(let text, _)) = effect { return text }
      return nil
    }
  }
}

struct ScriptRunnerTests {
  @Test func `streams have their own events, handlers and cursors`() throws {
    let scene = try Scene(
      """
      on(0, "message", function(stream, text) log("all %d %s", stream, text) end)
      on(1, "message", function(stream, text) log("one %s, then %s", text, wait(stream) or "nothing") end)
      """)
    _ = scene.run()
    #expect(scene.deliver("a", stream: 2).logs == ["all 2 a"])
    #expect(scene.deliver("b", stream: 1).logs == ["all 1 b"])
    #expect(scene.deliver("c", stream: 2).logs == ["all 2 c"])
    #expect(scene.deliver("d", stream: 1).logs == ["all 1 d", "one b, then d"])
  }

  @Test func `a stream that ends takes its coroutines, timers and handlers along`() throws {
    let scene = try Scene(
      """
      on(1, "message", function(stream, text) wait(stream) log("not any more") end)
      on(0, "message", function(stream, text) log(text) end)
      """)
    _ = scene.run()
    let begun = scene.deliver("a", stream: 1)
    #expect(begun.contains(.setTimer(request: 1, after: 10)))
    scene.runner.endStream(1)
    #expect(scene.run() == [.cancelTimer(request: 1)])
    scene.runner.timerFired(1)
    #expect(scene.deliver("b", stream: 1).logs == ["b"])
    #expect(!scene.runner.isRunning { _ in true })
  }

  @Test func `an answer that nobody waits for is ignored`() throws {
    let scene = try Scene(#"send(3, "x")"#)
    let effects = scene.run()
    guard case .call(let request, .action, let call) = effects.first else {
      Issue.record("nothing was said: \(effects)")
      return
    }
    #expect(call.subject == 3)
    scene.runner.settle(request + 7, .success(Array("1".utf8)))
    #expect(scene.run() == [])
    scene.runner.settle(request, .success(Array("1".utf8)))
    scene.runner.settle(request, .success(Array("1".utf8)))
    #expect(scene.run() == [.returned(1, values: Array("[]".utf8))])
  }

  @Test func `many streams do not slow each other down`() throws {
    let scene = try Scene(
      #"on(0, "message", function(stream, text) while wait(stream, { within = 1000 }) do end end)"#)
    _ = scene.run()
    for stream in 1...500 { _ = scene.deliver("hello", stream: stream) }
    var effects = 0
    for stream in 1...500 { effects += scene.deliver("again", stream: stream).count }
    // One new coroutine each, and the old one's next wait: three timers in all.
    #expect(effects == 500 * 3)
  }
}
