import Bot
import Chat
import JSON
import Script
import Testing

struct SmokeTests {
  @Test func `says, waits and logs`() throws {
    var stage = try Stage(
      run: """
        local mine = visitor:say("Hello")
        visitor:log("sent %s", mine.text)
        local answer = visitor:expect_message{ from = "operator", within = 5 }
        visitor:log(answer.text)
        visitor.state.done = true
        """)
    let first = stage.start()
    #expect(first.words == ["send"], "\(first)")
    #expect(stage.settle(["text": "Hello", "id": "c1"]).logs == ["sent Hello"])
    let end = stage.event(added("Hi"), after: 1)
    #expect(end.logs == ["Hi"])
    #expect(end.states == [#"{"done":true}"#])
    #expect(end.isFinished)
    print("memory", stage.runner.memoryInUse)
  }
}
