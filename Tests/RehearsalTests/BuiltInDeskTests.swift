import JSON
import Rehearsal
import Testing
import Transport

/// Visitors of every kind meet the built-in desk; the conversation ends whatever they do.
struct BuiltInDeskTests {
  @Test(arguments: Ground.allCases)
  func `the whole circle: menu, person, quote, survey, rating, good-bye`(ground: Ground) async throws {
    try await rehearse(ground, desk: nil) { theatre in
      let visitor = try theatre.visitor()
      let begin = theatre.loop.now
      try await theatre.until { visitor.isOpen }
      for visit in 1...2 {
        visitor.say("Where is my order?")
        try await theatre.until { visitor.keyboardState == "pending" }
        visitor.press(visit == 1 ? "track" : "hours")
        if visit == 2 {
          try await theatre.until { visitor.keyboardState == "pending" && visitor.keyboardCount == 2 }
          visitor.press("person")
        }
        try await theatre.until { visitor.lastAnswer?.contains("on its way") == true }
        let answer = try #require(visitor.messages.last { $0.text.contains("on its way") })
        visitor.say("When exactly?", quoting: answer)
        try await theatre.until { visitor.survey != nil }
        visitor.fillSurvey()
        try await theatre.until { visitor.lastAnswer?.contains("rate") == true }
        visitor.act("chat.operator_rate_select", [("rate", "2")])
        try await theatre.until { visitor.chatState == "closed" }
        #expect(visitor.survey == nil)
        #expect(visitor.hasSeenTyping)
        #expect(visitor.messages.filter { $0.quoted == "When exactly?" }.count == 1)
        let said = visitor.texts(of: "operator").joined(separator: "\n")
        for slip in ["Lunch", "Mnday", "form nine"] { #expect(!said.contains(slip)) }
      }
      #expect(theatre.statistics.ratings.kept.map(\.stars) == [5, 5])
      #expect(theatre.statistics.surveyAnswers.count == 6)
      #expect(theatre.failures.isEmpty)
      if ground == .memory { #expect(theatre.loop.now - begin < 8) }
    }
  }

  @Test func `a visitor who says nothing is waited for ten seconds once, then let go`() async throws {
    try await rehearse(desk: nil) { theatre in
      let visitor = try theatre.visitor()
      try await theatre.until { visitor.isOpen }
      let begin = theatre.loop.now
      visitor.start()
      try await theatre.until { visitor.chatState == "closed" }
      #expect((10..<15).contains(theatre.loop.now - begin))
      #expect(theatre.failures.isEmpty)
    }
  }

  @Test func `a visitor who only presses may be slow once, then is let go`() async throws {
    try await rehearse(desk: nil) { theatre in
      let visitor = try theatre.visitor()
      try await theatre.until { visitor.isOpen }
      let begin = theatre.loop.now
      visitor.start()
      try await theatre.until { visitor.keyboardState == "pending" }
      visitor.press("track")
      try await theatre.until { visitor.chatState == "closed" }
      #expect((10..<16).contains(theatre.loop.now - begin))
    }
  }

  @Test(arguments: [0.2, 0.5, 1.5, 30])
  func `a visitor may leave at any moment`(seconds: Double) async throws {
    try await rehearse(desk: nil) { theatre in
      let visitor = try theatre.visitor()
      try await theatre.until { visitor.isOpen }
      for _ in 0..<3 {
        visitor.say("Hello?")
        try await theatre.rest(seconds)
        visitor.act("chat.close")
        try await theatre.until { visitor.chatState?.hasPrefix("closed") == true }
      }
      try await theatre.rest(120)
      #expect(theatre.failures.isEmpty)
    }
  }

  @Test func `who never writes may take nine seconds for each press`() async throws {
    try await rehearse(desk: nil) { theatre in
      let visitor = try theatre.visitor()
      try await theatre.until { visitor.isOpen }
      visitor.start()
      for button in ["hours", "person"] {
        try await theatre.until { visitor.keyboardState == "pending" }
        try await theatre.rest(9)
        visitor.press(button)
      }
      try await theatre.until { visitor.lastAnswer?.contains("on its way") == true }
    }
  }

  @Test func `who has written is waited for through an outage of half a minute`() async throws {
    try await rehearse(desk: nil) { theatre in
      let visitor = try theatre.visitor()
      try await theatre.until { visitor.isOpen }
      visitor.say("Where is my order?")
      try await theatre.until { visitor.keyboardState == "pending" }
      try await theatre.rest(35)
      visitor.press("track")
      try await theatre.until { visitor.lastAnswer?.contains("on its way") == true }
      try await theatre.rest(35)
      visitor.say("When?")
      try await theatre.until { visitor.survey != nil }
      try await theatre.rest(35)
      visitor.fillSurvey()
      try await theatre.until { visitor.lastAnswer?.contains("rate") == true }
      try await theatre.rest(35)
      visitor.act("chat.operator_rate_select", [("rate", "2")])
      try await theatre.until { visitor.chatState == "closed" }
      #expect(theatre.statistics.ratings.count == 1)
      #expect(theatre.statistics.surveyAnswers.count == 3)
    }
  }
}

extension WireVisitor {
  var lastAnswer: String? { messages.last { $0.kind == "operator" }?.text }

  var keyboardCount: Int { messages.filter { $0.kind == "keyboard" }.count }

  /// Answers every question that is asked, the first option or the most stars.
  func fillSurvey() {
    for form in survey?["config"]?["descriptor"]?["forms"]?.elements ?? [] {
      for (index, question) in (form["questions"]?.elements ?? []).enumerated() {
        let value = question["type"]?.string == "comment" ? "Fine" : "1"
        answerSurvey(form: form["id"]?.integer ?? 0, question: index, value)
      }
    }
  }
}
