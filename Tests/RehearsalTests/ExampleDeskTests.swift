import JSON
import Rehearsal
import Script
import TestSupport
import Testing
import Transport

/// The desks in `examples/desks`, each with a visitor who goes through it.
struct ExampleDeskTests {
  private func source(_ name: String) throws -> DeskSource {
    let path = "examples/desks/\(name).lua"
    let text = try #require(ScriptFiles.read(Project.path(path)))
    return .script(source: text, name: path, folder: nil)
  }

  private func settings() -> RehearsalSettings {
    var settings = RehearsalSettings()
    settings.keepsStatistics = true
    return settings
  }

  @Test func `the parcel desk answers a press and asks for an opinion`() async throws {
    try await rehearse(.memory, source: try source("parcel_desk"), settings: settings()) { theatre in
      let visitor = try theatre.visitor()
      try await theatre.until { visitor.isOpen }
      visitor.say("Hello")
      try await theatre.until { visitor.keyboard != nil }
      visitor.press("human")
      try await theatre.until { visitor.survey != nil && visitor.chatState == "closed_by_operator" }
      visitor.fillSurvey()
      try await theatre.until { theatre.statistics.surveyAnswers.count == 3 }
      #expect(theatre.failures.isEmpty)
    }
  }

  @Test(arguments: 1...5)
  func `the flaky desk hears each message once, whatever is lost`(seed: Int) async throws {
    let source = try source("flaky_desk")
    try await rehearse(.memory, source: source, settings: settings(), seed: UInt64(seed)) { theatre in
      let visitor = try theatre.visitor()
      try await theatre.until { visitor.isOpen }
      for number in 1...8 {
        visitor.say("message \(number)")
        try await theatre.until { visitor.texts(of: "operator").last == "message \(number)" }
      }
      #expect(theatre.logged.count == 8)
      #expect(theatre.statistics.spoiled > 0)
      #expect(theatre.failures.isEmpty)
    }
  }

  @Test func `a desk finds its modules beside itself`() async throws {
    let scratch = Scratch()
    write(Array("return { greeting = 'Welcome' }".utf8), to: scratch.path("texts.lua"))
    let text = """
      local texts = require("texts")
      return function(desk)
        desk:operator{ id = "anna" }
        desk:on_chat(function(chat) chat:accept("anna") chat:say(texts.greeting) end)
        local done, problem = pcall(visitant.read, "../secret")
        desk:log("%s %s", done, problem.code)
      end
      """
    let source = DeskSource.script(source: Array(text.utf8), name: "desk.lua", folder: scratch.folder)
    try await rehearse(.memory, source: source) { theatre in
      let visitor = try theatre.visitor()
      try await theatre.until { visitor.isOpen }
      visitor.start()
      try await theatre.until { visitor.texts(of: "operator") == ["Welcome"] }
      #expect(theatre.logged == ["false path_refused"])
    }
  }

  @Test func `a desk sees what the user allows it, and no more`() async throws {
    let scratch = Scratch()
    let allowed = scratch.path("prices.txt")
    write(Array("cheap".utf8), to: allowed)
    let text = """
      return function(desk)
        desk:log("%s %s %s", visitant.read("\(allowed)"), visitant.env("SHOP"), visitant.env("GONE"))
        for _, ask in ipairs{ function() visitant.read("/etc/passwd") end, function() visitant.env("PATH") end } do
          desk:log("%s", select(2, pcall(ask)).code)
        end
      end
      """
    let source = DeskSource.script(
      source: Array(text.utf8), name: "desk.lua", folder: ".",
      access: ScriptAccess(readable: [allowed], environment: ["SHOP": "corner", "GONE": nil as String?]))
    try await rehearse(.memory, source: source) { theatre in
      #expect(theatre.logged == ["cheap corner nil", "file_not_found", "env_refused"])
      #expect(theatre.failures.isEmpty)
    }
  }

  @Test(arguments: [("2", 4, "Ruth"), ("5", 2, "Mia")])
  func `the survey desk branches on the stars`(stars: String, answers: Int, name: String) async throws {
    try await rehearse(.memory, source: try source("survey_desk"), settings: settings()) { theatre in
      let visitor = try theatre.visitor()
      try await theatre.until { visitor.isOpen }
      visitor.say("Hello")
      try await theatre.until { visitor.lastAnswer != nil }
      visitor.say("Yes, please")
      try await theatre.until { visitor.survey != nil }
      let first = visitor.survey
      let form = first?["config"]?["descriptor"]?["forms"]?.elements.first?["id"]?.integer ?? 0
      visitor.answerSurvey(form: form, question: 0, stars)
      try await theatre.until { visitor.survey != nil && visitor.survey != first }
      #expect(visitor.operatorName == name)
      visitor.fillSurvey()
      try await theatre.until { theatre.statistics.surveyAnswers.count == answers }
      visitor.act("chat.operator_rate_select", [("rate", "0")])
      try await theatre.until { visitor.chatState == "closed_by_operator" }
      #expect(theatre.logged.contains("\(name) got 3 stars"))
      #expect(theatre.failures.isEmpty)
    }
  }
}
