import Bot
import Chat
import JSON
import Script
import Testing

struct WaitingTests {
  @Test func `an answer that came while the action was under way is not missed`() throws {
    var stage = try Stage(
      run: """
        visitor:say("Hello")
        visitor:log(visitor:expect_message{ from = "operator" }.text)
        """)
    stage.start()
    stage.event(added("Early", from: .operator))
    #expect(stage.settle().logs == ["Early"])
  }

  @Test func `what came before the action is not taken for its answer`() throws {
    var stage = try Stage(
      run: """
        visitor:expect_message{ text = "Ready?" }
        visitor:say("Yes")
        visitor:log(visitor:expect_message{ from = "operator" }.text)
        """)
    stage.start()
    stage.event(added("Old", from: .operator))
    stage.event(added("Ready?"))
    #expect(stage.settle().logs == [])
    #expect(stage.event(added("New")).logs == ["New"])
  }

  @Test func `each coroutine has a cursor of its own`() throws {
    var stage = try Stage(
      run: """
        visitor:spawn(function()
          visitor:log("a: " .. visitor:expect_message{}.text)
          visitor:log("a: " .. visitor:expect_message{}.text)
        end)
        visitor:log("b: " .. visitor:expect_message{ text = "two" }.text)
        """)
    stage.start()
    #expect(stage.event(added("one")).logs == ["a: one"])
    #expect(stage.event(added("two")).logs == ["b: two", "a: two"])
    #expect(stage.effects.isFinished)
  }

  @Test func `a wait returns nil and timeout, and the limit is the script's`() throws {
    var stage = try Stage(
      run: """
        local message, why = visitor:wait_message{ within = 2.5 }
        visitor:log("%s %s", message, why)
        visitor:wait_message()
        """)
    #expect(stage.start().contains(.setTimer(request: 1, after: 2.5)))
    #expect(stage.fireTimer().logs == ["nil timeout"])
    #expect(stage.timers.map(\.after) == [10])
  }

  @Test func `a wait of no time only looks`() throws {
    var stage = try Stage(run: #"visitor:log("%s", visitor:wait_message{ within = 0 })"#)
    let turn = stage.start()
    #expect(turn.logs == ["nil"])
    #expect(stage.timers.isEmpty)
  }

  @Test func `a failed expectation tells what came instead, with times, and fails the visit`() throws {
    var stage = try Stage(
      run: """
        visitor:say("Where is my order?")
        visitor:expect_message{ from = "operator", contains = "on its way", within = 5 }
        """)
    stage.start()
    let menu = message("Menu", from: .robot, buttons: [Button(id: "1", text: "Track order")])
    stage.event(.messageAdded(menu, previous: nil), after: 0.3)
    stage.event(.keyboard(menu))
    stage.settle()
    stage.event(.chatState(from: .queue, to: .chatting), after: 0.5)
    stage.event(added("Hello there"), after: 0.3)
    stage.now += 4
    let failure = try #require(stage.fireTimer().failure)
    #expect(failure.kind == .expectation)
    #expect(
      failure.description
        == "bots/test.lua:3: expected a message from operator that contains \"on its way\" within 5 s")
    #expect(
      failure.report == """
        what came instead:
          +0.3 s  message from robot: "Menu" [Track order]
          +0.3 s  keyboard from robot: "Menu" [Track order]
          +0.8 s  chat state: queue -> chatting
          +1.1 s  message from operator: "Hello there"
        nearest: +1.1 s  message from operator: "Hello there": it is not one that contains "on its way"
        as it stands: chat state: queue -> chatting
        as it stands: keyboard from robot: "Menu" [Track order]
        """)
  }

  @Test func `a keyboard that was answered, cancelled or deleted is not told as one that waits`() throws {
    func menu(_ change: (inout Message) -> Void) -> Message {
      var menu = message("Menu", from: .robot, buttons: [Button(id: "1", text: "Track order")])
      menu.serverID = "s-1"
      change(&menu)
      return menu
    }
    let offered = menu { _ in }
    let answered = menu {
      $0.keyboard?.state = .completed
      $0.keyboard?.response = ("1", "s-2")
    }
    var choice = message("Track order", from: .visitor)
    choice.keyboardResponse = KeyboardResponse(
      button: Button(id: "1", text: "Track order"), requestMessageID: "s-1")
    let cases: [(ChatEvent, String?)] = [
      (added("x"), ""), (.messageChanged(from: offered, to: menu { $0.text = "Menu" }), ""),
      (.messageChanged(from: offered, to: answered), " (answered with \"Track order\")"),
      (.messageAdded(choice, previous: offered), " (answered with \"Track order\")"),
      (.messageChanged(from: offered, to: menu { $0.keyboard?.state = .canceled }), " (cancelled)"),
      (.messageChanged(from: offered, to: menu { $0.keyboard = nil }), nil),
      (.messageRemoved(offered), nil),
    ]
    for (event, fate) in cases {
      var stage = try Stage(run: "visitor:sleep(1) visitor:expect_message{ text = 'never' }")
      stage.event(.keyboard(offered))
      stage.start()
      stage.event(event)
      stage.fireTimer()
      let report = try #require(stage.fireTimer().failure?.report)
      let standing = report.split(separator: "\n").last { $0.hasPrefix("as it stands") }.map(String.init)
      let line = "as it stands: keyboard from robot: \"Menu\" [Track order]"
      #expect(standing == fate.map { line + $0 })
    }
  }

  @Test func `a failed expectation can be caught`() throws {
    var stage = try Stage(
      run: """
        local fine, problem = pcall(visitor.expect_message, visitor, { within = 1 })
        visitor:log("%s %s %d", fine, problem.code, problem.line)
        visitor:log(tostring(problem))
        """)
    stage.start()
    #expect(
      stage.fireTimer().logs == [
        "false expectation_failed 2", "bots/test.lua:2: expected a message within 1 s",
      ])
    #expect(stage.effects.isFinished)
  }

  @Test func `limits stand while the visitor is disconnected`() throws {
    var stage = try Stage(run: "visitor:expect_message{ within = 10 }")
    stage.start()
    let lost = stage.event(.connection(false), after: 4)
    #expect(lost.contains(.cancelTimer(request: 1)))
    #expect(stage.timers.isEmpty)
    let back = stage.event(.connection(true), after: 100)
    #expect(back.contains(.setTimer(request: 1, after: 6)))
    #expect(stage.event(added("Hi"), after: 5).isFinished)
  }

  @Test func `a wait that begins while disconnected has its whole limit later`() throws {
    var stage = try Stage(run: "visitor:sleep(1)\nvisitor:expect_message{ within = 10 }")
    stage.start()
    stage.event(.connection(false))
    stage.fireTimer()
    #expect(stage.timers.isEmpty)
    stage.event(.connection(true), after: 50)
    #expect(stage.timers.map(\.after) == [10])
  }

  @Test func `a predicate decides, and may read messages but not wait`() throws {
    var stage = try Stage(
      run: """
        local found = visitor:wait_message(function(m) return #m.text > 3 and #visitor.messages > 0 end)
        visitor:log(found.text)
        visitor:wait_message(function() return visitor:say("x") end)
        """)
    stage.start()
    #expect(stage.event(added("abc")).words == [])
    #expect(stage.event(added("abcd")).words == ["messages"])
    #expect(stage.settle([["text": "abcd"]]).logs == ["abcd"])
    let failure = try #require(stage.event(added("next")).failure)
    #expect(failure.description == "bots/test.lua:4: say: a predicate may not wait")
    #expect(failure.kind == .script)
  }

  @Test func `a predicate's error is the script's, and its wait is over`() throws {
    var stage = try Stage(
      run: """
        local fine, problem = pcall(visitor.wait_message, visitor, function(m) return m.text + 1 end)
        visitor:log(problem)
        visitor:say("still here")
        """)
    stage.start()
    let turn = stage.event(added("x"))
    #expect(turn.logs.first?.hasPrefix("bots/test.lua:2: ") == true, "\(turn.logs)")
    #expect(turn.words == ["send"])
    #expect(stage.timers.isEmpty)
  }

  @Test func `a condition is looked at whenever something changes`() throws {
    var stage = try Stage(
      run: """
        local count = 0
        visitor:on("message", function() count = count + 1 end)
        visitor:spawn(function()
          visitor:expect_until(function() return visitor.chat_state == "chatting" end)
          visitor:log("chatting")
        end)
        visitor:expect_until(function() return count == 2 end, { within = 30 })
        visitor:log("two")
        """)
    stage.start()
    #expect(stage.give(.fields(Array(#"{"chat_state":"queue"}"#.utf8))).logs == [])
    #expect(stage.give(.fields(Array(#"{"chat_state":"chatting"}"#.utf8))).logs == ["chatting"])
    #expect(stage.event(added("1")).logs == [])
    #expect(stage.event(added("2")).logs == ["two"])
    #expect(stage.effects.isFinished)
  }

  @Test func `a condition that already holds does not wait, one that never does fails`() throws {
    var stage = try Stage(
      run: """
        visitor:log("%s", visitor:wait_until(function() return true end))
        visitor:log("%s %s", visitor:wait_until(function() return false end, { within = 3 }))
        visitor:expect_until(function() return false end)
        """)
    #expect(stage.start().logs == ["true"])
    #expect(stage.timers.map(\.after) == [3])
    #expect(stage.fireTimer().logs == ["nil timeout"])
    #expect(
      stage.fireTimer().failure?.description
        == "bots/test.lua:4: expected the condition to hold within 10 s")
  }

  @Test func `a condition that fails is named by its line, beside the word's, with what happened meanwhile`()
    throws
  {
    let code = """
      local function ready()
        return visitor.chat_state == "chatting"
      end
      visitor:expect_until(ready, { within = 3 })
      """
    var stage = try Stage(run: code)
    stage.start()
    stage.event(added("Hello"), after: 1)
    stage.now += 1
    let failure = try #require(stage.fireTimer().failure)
    #expect(failure.description == "bots/test.lua:5: expected the condition of line 2 to hold within 3 s")
    #expect(failure.report == "what happened meanwhile:\n  +1.0 s  message from operator: \"Hello\"")
    #expect(failure.traceback.hasPrefix("bots/test.lua:5: in "))
    // Lines may move without a difference to the journal.
    var moved = try Stage(run: "\n" + code)
    moved.start()
    let turns = [stage, moved].map { $0.journal[0].digest.split(separator: ":").last }
    #expect(turns[0] == turns[1])
  }

  @Test func `a condition in several lines is told where its word stands`() throws {
    var stage = try Stage(run: "visitor:expect_until(function()\n  return false\nend, { within = 3 })")
    stage.start()
    let failure = try #require(stage.fireTimer().failure)
    #expect(failure.description == "bots/test.lua:2: expected the condition to hold within 3 s")
    #expect(failure.report == "nothing happened meanwhile")
  }

  @Test func `a condition that reads messages asks once for each change`() throws {
    var stage = try Stage(
      run: "visitor:expect_until(function() return #visitor.messages == 2 end)\nvisitor:log('two')")
    #expect(stage.start().words == ["messages"])
    #expect(stage.settle([]).words == [])
    #expect(stage.event(added("1")).words == ["messages"])
    #expect(stage.settle([["text": "1"]]).words == [])
    #expect(stage.event(added("2")).words == ["messages"])
    #expect(stage.settle([["text": "1"], ["text": "2"]]).logs == ["two"])
  }

  @Test func `a state that holds already is not waited for`() throws {
    var stage = try Stage(
      run: """
        visitor:say("Hello")
        visitor:log(visitor:expect_chat_state("chatting", { within = 5 }))
        visitor:log(visitor:expect_operator().name)
        visitor:log("%s", visitor:wait_operator("Boris"))
        visitor:log("%s", visitor:wait_chat_state("closed"))
        """)
    stage.event(.chatState(from: .queue, to: .chatting))
    stage.event(.operatorChanged(from: nil, to: Operator(id: "1", name: "Anna")))
    stage.start()
    #expect(stage.settle().logs == ["chatting", "Anna"])
    #expect(stage.event(.operatorChanged(from: nil, to: nil)).logs == [])
    #expect(stage.event(.operatorChanged(from: nil, to: Operator(id: "2", name: "Boris"))).logs.count == 1)
    #expect(stage.event(.chatState(from: .chatting, to: .closedByOperator)).logs == [])
    #expect(stage.event(.chatState(from: .closedByOperator, to: .closed)).logs == ["closed"])
  }

  @Test func `any of, in any order, none of, nothing else`() throws {
    var stage = try Stage(
      run: """
        local which, index = visitor:expect_any_of{ { text = "x" }, { text = "one" }, within = 3 }
        visitor:log("%s %d", which.text, index)
        local both = visitor:expect_in_any_order{ { contains = "b" }, function(m) return m.text == "ab" end }
        visitor:log("%s %s", both[1].text, both[2].text)
        visitor:expect_none_of{ { contains = "sorry" }, within = 1 }
        visitor:log("none")
        visitor:expect_nothing_else{ within = 2 }
        """)
    stage.start()
    #expect(stage.event(added("one")).logs == ["one 2"])
    stage.event(added("ab"))
    #expect(stage.event(added("b")).logs == ["b ab"])
    stage.event(added("fine"))
    #expect(stage.fireTimer().logs == ["none"])
    let failure = try #require(stage.effects.failure)
    #expect(
      failure.message == "expected nothing else within 2 s, but there came a message from operator: \"fine\"")
  }

  @Test func `nothing else means operators and robots, not the system`() throws {
    var stage = try Stage(run: "visitor:expect_nothing_else{ within = 2 }")
    stage.start()
    stage.event(added("Operator joined", from: .system))
    stage.event(added("My own", from: .visitor))
    #expect(stage.fireTimer().isFinished)
  }

  @Test func `what should not come fails at once`() throws {
    var stage = try Stage(run: #"visitor:expect_none_of{ { contains = "sorry" }, within = 60 }"#)
    stage.start()
    let failure = try #require(stage.event(added("We are sorry")).failure)
    #expect(failure.message.contains("but there came a message from operator: \"We are sorry\""))
  }

  @Test func `a survey's questions are waited for one after the other`() throws {
    var stage = try Stage(
      run: """
        local survey = visitor:expect_survey{ within = 5 }
        for _ = 1, 2 do
          local question = visitor:expect_question{ within = 5 }
          visitor:log("%s %s", question.type, question.text)
          visitor:answer_survey(5)
        end
        """)
    stage.start()
    let questions = [
      Survey.Question(kind: .stars, text: "How?"), Survey.Question(kind: .comment, text: "Why?"),
    ]
    let place = Survey.Position(formID: 1, question: 0)
    let survey = Survey(
      id: "s", configID: 1, version: "", forms: [Survey.Form(id: 1, questions: questions)], current: place)
    stage.event(.survey(survey))
    #expect(stage.event(.surveyQuestion(questions[0], place)).logs == ["stars How?"])
    #expect(stage.event(.surveyQuestion(questions[1], place)).logs == [])
    #expect(stage.settle().logs == ["comment Why?"])
    #expect(stage.settle().isFinished)
  }

  @Test(arguments: [
    (#"visitor:wait_for("mesage")"#, "wait_for: there is no event \"mesage\"; did you mean \"message\"?"),
    (
      #"visitor:wait_message{ form = "robot" }"#, "wait_message: unknown key \"form\"; did you mean \"from\"?"
    ),
    (#"visitor:wait_message("hi")"#, "wait_message: a filter is a table or a function, not a string"),
    (
      #"visitor:wait_message{ matches = "%" }"#,
      "wait_message: matches: malformed pattern (ends with '%') at byte 1 of \"%\""
    ),
    (
      #"visitor:wait_message{ matches = "(" }"#,
      "wait_message: matches: unfinished capture at byte 1 of \"(\""
    ),
    (
      #"visitor:expect_any_of({ { text = "x" } }, { within = 3 })"#,
      "expect_any_of: one argument too many; `within` stands in the list"
    ),
    (#"visitor:wait_message{ within = -1 }"#, "wait_message: within: seconds, 0 or more, expected, got -1"),
    (#"visitor:wait_message({}, 5)"#, "wait_message: the options are a table, not a number"),
    (
      #"visitor:wait_message({}, { witin = 5 })"#,
      "wait_message: unknown option \"witin\"; did you mean \"within\"?"
    ),
    (#"visitor:expect_any_of("x")"#, "expect_any_of: a list of filters expected, got string"),
    (
      #"visitor:expect_any_of{ { text = "x" }, withn = 3 }"#,
      "expect_any_of: unknown option \"withn\"; did you mean \"within\"?"
    ),
    (
      #"visitor:wait_for("message", { text = "x" }, { within = 3 })"#,
      "wait_for: one argument too many; `within` stands in the filter"
    ),
    (#"visitor:wait_for()"#, "wait_for: the name of an event expected, got nil"),
    (#"visitor:wait_for("push")"#, "wait_for: this version does not hear \"push\" yet"),
    (#"visitor:wait_until(5)"#, "wait_until: a function expected, got number"),
  ])
  func `a wrong wait says what is wrong, with its line`(code: String, message: String) throws {
    var stage = try Stage(run: code)
    stage.start()
    stage.event(added("x"))
    let failure = try #require(stage.effects.failure)
    #expect(failure.description == "bots/test.lua:2: \(message)")
    #expect(failure.kind == .script)
  }
}
