import Bot
import Chat
import JSON
import Lua
import Script
import Testing

struct HandlerTests {
  @Test func `a table of handlers hears each event with its arguments`() throws {
    var stage = try Stage(
      """
      return {
        name = "Listener",
        on_start = function(visitor) visitor:log("start") end,
        on_message = function(visitor, message, previous)
          visitor:log("%s after %s", message.text, previous and previous.text)
        end,
        on_keyboard = function(visitor, message, keyboard) visitor:log(keyboard.buttons[2].text) end,
        on_chat_state = function(visitor, previous, current) visitor:log("%s -> %s", previous, current) end,
        on_operator = function(visitor, previous, current)
          visitor:log("%s -> %s", previous and previous.name, current and current.name)
        end,
        on_unread_by_visitor = function(visitor, value) visitor:log("%s", value) end,
        on_any = function(visitor, event) visitor:log("any %s", event.name) end,
      }
      """)
    #expect(stage.start().logs == ["start", "any start"])
    #expect(stage.runner.name == "Listener")
    let first = message("one", from: .operator)
    #expect(stage.event(.messageAdded(first, previous: nil)).logs == ["one after nil", "any message"])
    #expect(
      stage.event(.messageAdded(message("two"), previous: first)).logs == ["two after one", "any message"])
    let menu = message(
      "Menu", from: .robot, buttons: [Button(id: "1", text: "A"), Button(id: "2", text: "B")])
    #expect(stage.event(.keyboard(menu)).logs == ["B", "any keyboard"])
    #expect(
      stage.event(.chatState(from: .queue, to: .chattingWithRobot)).logs
        == ["queue -> chatting_with_robot", "any chat_state"])
    #expect(
      stage.event(.operatorChanged(from: Operator(id: "1", name: "Anna"), to: nil)).logs
        == ["Anna -> nil", "any operator"])
    #expect(stage.event(.unreadByVisitor(since: nil)).logs == ["nil", "any unread_by_visitor"])
    #expect(!stage.effects.isFinished)
  }

  @Test func `the next event's handler starts when the present one has waited or returned`() throws {
    var stage = try Stage(
      """
      return {
        on_message = function(visitor, message)
          visitor:log("begin " .. message.text)
          if message.text == "slow" then visitor:sleep(5) end
          visitor:log("end " .. message.text)
        end,
      }
      """)
    stage.start()
    #expect(stage.event(added("slow")).logs == ["begin slow"])
    #expect(stage.event(added("quick")).logs == ["begin quick", "end quick"])
    #expect(stage.fireTimer().logs == ["end slow"])
  }

  @Test func `nothing else runs while the host answers a question`() throws {
    var stage = try Stage(
      """
      return {
        on_message = function(visitor, message)
          visitor:log("begin " .. message.text)
          visitor:log("%s of %d", message.text, #visitor.messages)
        end,
      }
      """)
    stage.start()
    #expect(stage.event(added("one")).logs == ["begin one"])
    #expect(stage.event(added("two")).logs == [])
    #expect(
      stage.give(.settled(request: 1, .success(Array("[{}]".utf8)))).logs == ["one of 1", "begin two"])
    #expect(stage.settle([[:], [:]]).logs == ["two of 2"])
  }

  @Test func `handlers come before waits`() throws {
    var stage = try Stage(
      """
      return {
        run = function(visitor) visitor:log("wait " .. visitor:expect_message{}.text) end,
        on_message = function(visitor, message) visitor:log("handler " .. message.text) end,
      }
      """)
    stage.start()
    #expect(stage.event(added("x")).logs == ["handler x", "wait x"])
    #expect(stage.effects.isFinished)
  }

  @Test func `a handler can be added and taken off at run time`() throws {
    var stage = try Stage(
      run: """
        local off = visitor:on("message", function(v, m) visitor:log(m.text) end)
        visitor:expect_message{ text = "two" }
        off()
        visitor:expect_message{ text = "three" }
        """)
    stage.start()
    #expect(stage.event(added("one")).logs == ["one"])
    #expect(stage.event(added("two")).logs == ["two"])
    #expect(stage.event(added("three")).logs == [])
  }

  @Test func `a wait in a handler looks after the event that began it`() throws {
    var stage = try Stage(
      """
      return {
        on_keyboard = function(visitor, message)
          visitor:press(message, "A")
          visitor:log(visitor:expect_message{ from = "robot" }.text)
        end,
      }
      """)
    stage.start()
    let menu = message("Menu", from: .robot, buttons: [Button(id: "1", text: "A")])
    stage.event(.messageAdded(menu, previous: nil))
    #expect(stage.event(.keyboard(menu)).calls.first?.arguments == ["m-Menu", "A"])
    stage.event(added("Thanks", from: .robot))
    #expect(stage.settle().logs == ["Thanks"])
  }

  @Test(arguments: [
    ("return 5", "a bot returns a function or a table of handlers, this file returns number"),
    ("local x = 1", "a bot returns a function or a table of handlers, this file returns nil"),
    ("return {}", "the bot has neither a function run nor a handler"),
    ("return { 1 }", "a bot returns a function or a table of handlers, this file returns a list"),
    (
      "return { on_mesage = print }",
      "unknown key \"on_mesage\" in the bot's table; did you mean \"on_message\"?"
    ),
    (
      "return { onMessage = print }",
      "unknown key \"onMessage\" in the bot's table; did you mean \"on_message\"?"
    ),
    ("return { on_push = print }", "on_push: this version does not hear it yet"),
    (
      "return { on_all_messages_removed = print }",
      "on_all_messages_removed: this version does not hear it yet"
    ),
    ("return { on_message = 5 }", "on_message is a function, not a number"),
    ("return { name = 5, run = print }", "name is a text"),
    ("return { name = 'x' }", "the bot has neither a function run nor a handler"),
  ])
  func `what is no bot is refused by name`(source: String, message: String) throws {
    var stage = try Stage(source)
    let failure = try #require(stage.start().failure)
    #expect(failure.description == "bots/test.lua: \(message)")
    #expect(failure.kind == .script)
  }

  @Test func `a text that is no Lua does not load`() {
    do throws(ScriptFailure) {
      _ = try BotRunner(source: Array("return function(".utf8), name: "bots/broken.lua")
      Issue.record("it loaded")
    } catch {
      #expect(error.kind == .script)
      #expect(error.position?.source == "bots/broken.lua")
      #expect(error.position?.line == 1)
    }
  }

  @Test func `an error in a handler ends the visit with its line and frames`() throws {
    var stage = try Stage(
      """
      local function deep(message) error("no " .. message.text) end
      return { on_message = function(visitor, message)
        deep(message)
      end }
      """)
    stage.start()
    let failure = try #require(stage.event(added("luck")).failure)
    #expect(failure.description == "bots/test.lua:1: no luck")
    #expect(failure.traceback.contains("bots/test.lua:3"))
    #expect(stage.event(added("more")).isEmpty)
  }
}

/// When a visit is at its end.
struct EndTests {
  @Test func `a visit ends when run and all that it spawned have returned`() throws {
    var stage = try Stage(run: "visitor:spawn(function() visitor:sleep(5) visitor:log('late') end)")
    #expect(!stage.start().isFinished)
    #expect(stage.fireTimer() == [.log("late", .init(source: Stage.name, line: 2)), .finished])
    #expect(stage.event(added("x")).isEmpty)
  }

  @Test func `handlers alone end with the chat, once they have returned`() throws {
    var stage = try Stage(
      "return { on_chat_state = function(v, old, new) if new == 'closed' then v:sleep(1) end end }")
    stage.start()
    #expect(!stage.event(.chatState(from: .unknown, to: .queue)).isFinished)
    #expect(!stage.event(.chatState(from: .queue, to: .closed)).isFinished)
    #expect(stage.fireTimer().isFinished)
  }

  @Test func `a chat that opens again goes on`() throws {
    var stage = try Stage("return { on_chat_state = function(v) v:sleep(1) end }")
    stage.start()
    stage.event(.chatState(from: .queue, to: .closed))
    stage.event(.chatState(from: .closed, to: .queue))
    stage.fireTimer()
    stage.fireTimer()
    #expect(!stage.effects.isFinished)
  }

  @Test func `destroy ends a visit of handlers`() throws {
    var stage = try Stage("return { on_message = function(v) v:destroy{ clear_visitor_data = true } end }")
    stage.start()
    let turn = stage.event(added("x"))
    #expect(turn.calls.first?["clear_visitor_data"] == true)
    #expect(stage.settle().isFinished)
  }

  @Test func `destroy ends no function: the script goes on, and its waits pass`() throws {
    var stage = try Stage(
      run: """
        visitor:spawn(function() visitor:sleep(100) visitor:log("spawned") end)
        visitor:destroy()
        local fine, problem = pcall(visitor.say, visitor, "x")
        visitor:log("%s %s", fine, problem.code)
        visitor:log("%s %s", visitor:wait_message{ within = 3 })
        visitor:sleep(1)
        visitor:log("after")
        """)
    stage.start()
    stage.event(.connection(false))
    #expect(stage.settle().words == ["send"])
    #expect(stage.refuse("session_destroyed").logs == ["false session_destroyed"])
    #expect(stage.fireTimer().logs == ["nil timeout"])
    #expect(stage.fireTimer().logs == ["after"])
    #expect(!stage.effects.isFinished)
    #expect(stage.fireTimer().logs == ["spawned"])
    #expect(stage.effects.isFinished)
  }

  @Test func `destroy ends a visit of handlers once they have returned`() throws {
    var stage = try Stage(
      """
      return {
        on_message = function(v) v:spawn(function() v:sleep(9) end) v:destroy() v:sleep(1) v:log("end") end,
        on_stop = function(v, reason) v:log(reason) end,
      }
      """)
    stage.start()
    stage.event(added("x"))
    #expect(!stage.settle().isFinished)
    let end = stage.fireTimer()
    #expect(end.logs == ["end", "destroyed"])
    #expect(end.isFinished)
  }

  @Test func `on_stop has the last word, and may wait`() throws {
    var stage = try Stage(
      """
      return {
        run = function(visitor) visitor:sleep(100) end,
        on_stop = function(visitor, reason)
          visitor:log(reason)
          visitor:close_chat()
          visitor:log("closed")
        end,
      }
      """)
    stage.start()
    let stopping = stage.give(.stop(reason: "interrupted"))
    #expect(stopping.logs == ["interrupted"])
    #expect(stopping.words == ["close_chat"])
    let end = stage.settle()
    #expect(end.logs == ["closed"])
    #expect(end.isFinished)
    #expect(stage.give(.stop(reason: "again")).isEmpty)
  }

  @Test func `on_stop is told that a run has finished`() throws {
    var stage = try Stage(
      "return { run = function() end, on_stop = function(visitor, reason) visitor:log(reason) end }")
    let turn = stage.start()
    #expect(turn.logs == ["finished"])
    #expect(turn.isFinished)
  }

  @Test func `a stop before the start is an end`() throws {
    var stage = try Stage(run: "visitor:say('x')")
    #expect(stage.give(.stop(reason: "x")) == [.finished])
  }
}
