import JSON
import Rehearsal
import Testing

struct ConversationTests {
  @Test(arguments: Ground.allCases)
  func `a visitor over the wire sees what the desk's script plays`(ground: Ground) async throws {
    let desk = """
      desk:operator{ id = "anna", name = "Anna", title = "Parcel desk" }
      desk:on_chat(function(chat)
        chat:robot("Robby")
        chat:say("What can I do for you?")
        chat:keyboard{ { "Track order", id = "track" }, { "Talk to a person", id = "human" } }
        local pressed = chat:wait_press{ within = 60 }
        if pressed.id == "human" then chat:accept("anna") end
        chat:typing(0.05)
        chat:say("Your parcel is on its way.")
        local asked = chat:wait_message{ contains = "when" }
        chat:mark_read()
        chat:quote(asked, "Tomorrow.")
        chat:close()
      end)
      """
    try await rehearse(ground, desk: desk) { theatre in
      let visitor = try theatre.visitor()
      try await theatre.until { visitor.isOpen }
      visitor.say("Hello")
      try await theatre.until { visitor.keyboard != nil }
      #expect(visitor.chatState == "chatting_with_robot")
      visitor.press("human")
      try await theatre.until { visitor.texts(of: "operator").contains("Your parcel is on its way.") }
      #expect(visitor.operatorName == "Anna")
      #expect(visitor.keyboardState == "completed")
      visitor.say("And when?")
      try await theatre.until { visitor.chatState == "closed_by_operator" }
      #expect(visitor.hasSeenTyping)
      #expect(visitor.messages.last?.quoted == "And when?")
      #expect(visitor.messages.filter { !$0.isRead }.isEmpty)
      #expect(visitor.texts(of: "visitor") == ["Hello", "And when?"])
      #expect(theatre.statistics.presses.kept == ["Talk to a person"])
      #expect(theatre.failures.isEmpty)
    }
  }

  @Test func `two hundred visitors at once each have a chat of their own`() async throws {
    let desk = """
      desk:operator{ id = "otto", name = "Otto" }
      desk:on_chat(function(chat)
        chat:accept("otto")
        for _ = 1, 3 do
          local message = chat:wait_message()
          chat:sleep(desk:random() * 2)
          chat:say("You said " .. message.text)
        end
        chat:close()
      end)
      """
    try await rehearse(desk: desk) { theatre in
      let visitors = try (0..<200).map { try theatre.visitor("device-\($0)") }
      for round in 0..<3 {
        for (index, visitor) in visitors.enumerated() { visitor.say("token-\(index)-\(round)") }
        try await theatre.until {
          visitors.allSatisfy { $0.texts(of: "operator").count == round + 1 }
        }
      }
      try await theatre.until { visitors.allSatisfy { $0.chatState == "closed_by_operator" } }
      for (index, visitor) in visitors.enumerated() {
        let expected = (0..<3).map { "You said token-\(index)-\($0)" }
        #expect(visitor.texts(of: "operator") == expected)
      }
      #expect(theatre.statistics.messages.count == 1_200)
      #expect(theatre.statistics.chatsStarted == 200)
      #expect(theatre.failures.isEmpty)
    }
  }

  @Test(arguments: Ground.allCases)
  func `a survey's answers come back to the script`(ground: Ground) async throws {
    let desk = """
      desk:operator{ id = "mia", name = "Mia" }
      desk:on_chat(function(chat)
        chat:accept("mia")
        chat:survey{
          { form = "quality", questions = {
            { type = "stars", text = "How was it?" },
            { type = "radio", text = "Solved?", options = { "yes", "no" } } } },
          { form = "more", questions = { { type = "comment", text = "Anything else?" } } } }
        local first = chat:wait_question_answer()
        desk:log("first %s: %s", first.text, first.value)
        local finished, answers = chat:wait_survey()
        desk:log("finished %s, %d answers, %s", finished, #answers, answers[2].option)
        chat:request_rating()
        local rating = chat:wait_rating()
        desk:log("%s: %d (%s)", rating.operator.name, rating.stars, rating.note)
        chat:close{ final = true }
      end)
      """
    try await rehearse(ground, desk: desk) { theatre in
      let visitor = try theatre.visitor()
      try await theatre.until { visitor.isOpen }
      visitor.start()
      try await theatre.until { visitor.survey != nil }
      let forms = try #require(visitor.survey?["config"]?["descriptor"]?["forms"]?.elements)
      let ids = forms.compactMap { $0["id"]?.integer }
      visitor.answerSurvey(form: ids[0], question: 0, "4")
      visitor.answerSurvey(form: ids[0], question: 1, "2")
      visitor.answerSurvey(form: ids[1], question: 0, "No")
      try await theatre.until { visitor.texts(of: "operator").count == 1 }
      visitor.act("chat.operator_rate_select", [("rate", "1"), ("visitor_note", "quick")])
      try await theatre.until { visitor.chatState == "closed" }
      #expect(
        theatre.logged == [
          "first How was it?: 4", "finished true, 3 answers, no", "Mia: 4 (quick)",
        ])
      #expect(visitor.survey == nil)
      #expect(visitor.rating == 1)
      #expect(theatre.statistics.surveyAnswers.kept.map(\.answer) == ["4", "2", "No"])
      #expect(theatre.statistics.ratings.kept.map(\.stars) == [4])
    }
  }

  @Test func `a chat that the visitor closes ends its play, and the next one begins anew`() async throws {
    let desk = """
      desk:operator{ id = "otto", name = "Otto" }
      desk:on_chat(function(chat)
        chat:accept("otto")
        while true do
          local message = chat:wait_message()
          chat:say("echo " .. message.text)
        end
      end)
      desk:on_close(function(chat, closing) desk:log("closed by %s", closing.by) end)
      """
    try await rehearse(desk: desk) { theatre in
      let visitor = try theatre.visitor()
      try await theatre.until { visitor.isOpen }
      for visit in 1...3 {
        visitor.say("visit \(visit)")
        try await theatre.until { visitor.texts(of: "operator").last == "echo visit \(visit)" }
        visitor.act("chat.close")
        try await theatre.until { visitor.chatState?.hasPrefix("closed") == true }
      }
      try await theatre.rest(70)
      #expect(theatre.logged == Array(repeating: "closed by visitor", count: 3))
      #expect(theatre.failures.isEmpty)
    }
  }

  @Test func `a wait that passes returns nil and the reason`() async throws {
    let desk = """
      desk:operator{ id = "otto", name = "Otto" }
      desk:on_chat(function(chat)
        chat:accept("otto")
        local begin = desk:now()
        local message, why = chat:wait_message{ contains = "never", within = 5 }
        desk:log("%s %s %.0f", message, why, desk:now() - begin)
        begin = desk:now()
        chat:wait_press()
        desk:log("%.0f", desk:now() - begin)
      end)
      """
    try await rehearse(desk: desk) { theatre in
      let visitor = try theatre.visitor()
      try await theatre.until { visitor.isOpen }
      visitor.say("something else")
      try await theatre.until { theatre.logged.count == 2 }
      #expect(theatre.logged == ["nil timeout 5", "60"])
    }
  }

  @Test func `handlers of the desk get the chat and what happened`() async throws {
    let desk = """
      desk:operator{ id = "otto", name = "Otto" }
      desk:on_visitor(function(visitor) desk:log("visitor %s", visitor.name) end)
      desk:on_chat(function(chat) chat:accept("otto") end)
      desk:on_message(function(chat, message)
        chat:say("Got " .. message.text)
        if message.text == "edit me" then desk:log("from %s", message.from) end
      end)
      desk:on_message_changed(function(chat, message) desk:log("edited to %s", message.text) end)
      desk:on_message_removed(function(chat, message) desk:log("removed %s", message.text) end)
      desk:on_typing(function(chat, typing) desk:log("draft %s", typing.draft) end)
      """
    try await rehearse(desk: desk) { theatre in
      let visitor = try theatre.visitor()
      try await theatre.until { visitor.isOpen }
      let id = visitor.say("edit me")
      try await theatre.until { visitor.texts(of: "operator") == ["Got edit me"] }
      visitor.act("chat.visitor_typing", [("typing", "1"), ("message-draft", "he")])
      visitor.act("chat.message", [("client-side-id", id), ("message", "edited")])
      try await theatre.until { theatre.logged.contains("edited to edited") }
      visitor.act("chat.delete_message", [("client-side-id", id)])
      try await theatre.until { theatre.logged.contains("removed edited") }
      #expect(
        theatre.logged == [
          "visitor Visitor", "from visitor", "draft he", "edited to edited", "removed edited",
        ])
      #expect(theatre.statistics.messages.kept.filter { $0.kind == "visitor" }.isEmpty)
    }
  }

  @Test func `the next chat is accepted by an operator whom nobody has made known`() async throws {
    try await rehearse(desk: "desk:accept_next('anna')") { theatre in
      let first = try theatre.visitor("first")
      try await theatre.until { first.isOpen }
      first.start()
      try await theatre.until { first.operatorName == "Anna" }
      let second = try theatre.visitor("second")
      try await theatre.until { second.isOpen }
      second.start()
      try await theatre.rest(5)
      #expect(second.chatState == "queue")
    }
  }
}
