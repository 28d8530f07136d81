import Chat
import Dialects
import Hosting
import Script
import Store
import Testing
import Transport

/// What must not stay in a store or stand in a trace.
struct SecretTests {
  private static let fields = """
    {"fields":{"id":"u1","phone":"SECRETPHONE","display_name":"SECRETNAME"},"hash":"SECRETHASH","expires":9999999999}
    """

  /// A visitor who is known by signed fields and uses them.
  private static let bot = """
    return function(visitor)
      local own = visitor:say("one")
      assert(visitor.name == "SECRETNAME" and visitor.fields.phone == "SECRETPHONE")
      visitor:sleep(#visitor.name)
      visitor:reply(visitor:expect_message{ text = "hello" }, "two")
      visitor:reply(own, "three")
      for name, text in pairs(visitor.fields) do visitor:sleep(#name + #text) end
      visitor:log(visitor.name .. " " .. visitor.fields.phone)
    end
    """

  private static let desk = """
    return function(desk)
      desk:operator{ id = "anna", name = "Anna" }
      desk:on_chat(function(chat)
        local first = chat:wait_message{ within = 600 }
        chat:accept("anna")
        chat:quote(first, "hello")
        chat:wait_message{ text = "three", within = 600 }
      end)
    end
    """

  private static func spec() -> VisitSpec {
    var spec = Stage.spec(bot)
    spec.session.visitorFields = fields
    spec.isTraced = true
    return spec
  }

  @Test func `signed fields stay out of all that is kept of a visit, and out of traces`() throws {
    let stage = try Stage(desk: Self.desk)
    let spec = Self.spec()
    let journal = MemoryJournal(beginning: spec, loop: stage.loop, killingAfter: .max)
    stage.visit(spec, journal: journal)
    #expect(stage.run())
    #expect(stage.outcomes[1] == .finished)
    #expect(stage.logs == ["SECRETNAME SECRETPHONE"])
    #expect(journal.kept.contains("hello") && journal.kept.contains("page_id"))
    #expect(!journal.kept.contains("SECRET"))
    let traces = stage.reports.compactMap { if case .trace(let line) = $0.what { line } else { nil } }
    #expect(traces.count > 4)
    #expect(!traces.contains { $0.contains("SECRET") })
  }

  @Test(arguments: ["SECRETKEY", "another", nil])
  func `what the environment says is kept nowhere and asked again at a resume, changed or not`(
    later: String?
  ) throws {
    let stage = try Stage()
    var spec = Stage.spec(
      """
      local key = visitant.env("KEY")
      return function(visitor)
        local again = visitant.env("KEY")
        visitor:say("hello")
        visitor:sleep(60)
        visitor:log("%s, %s, %s", tostring(key), tostring(again), tostring(visitant.env("KEY")))
      end
      """)
    let journal = MemoryJournal(beginning: spec, loop: stage.loop, killingAfter: .max)
    stage.visit(spec, journal: journal, environment: ["KEY": "SECRETKEY"])
    stage.loop.advance(by: 30)
    stage.kill(1)
    #expect(journal.kept.contains("hello") && !journal.kept.contains("SECRET"))
    spec.stored = journal.stored
    let after = MemoryJournal(journal.stored, loop: stage.loop)
    stage.visit(spec, journal: after, environment: ["KEY": later])
    #expect(stage.run() && stage.outcomes[1] == .finished)
    let word = later ?? "nil"
    #expect(stage.logs == ["\(word), \(word), \(word)"])
    #expect(!after.kept.contains("SECRET"))
  }

  @Test func `a visit killed after any commit has its signed fields again when they are given again`() throws
  {
    var commits = 0
    var death = Int.max
    repeat {
      let stage = try Stage(desk: Self.desk)
      var spec = Self.spec()
      let journal = MemoryJournal(beginning: spec, loop: stage.loop, killingAfter: death)
      stage.visit(spec, journal: journal)
      stage.loop.runUntil(within: 600) { stage.outcomes[1] != nil || journal.isSpent }
      if death == .max { commits = journal.commits }
      if stage.outcomes[1] == nil {
        stage.kill(1)
        spec.stored = journal.stored
        spec.salt &+= 1
        stage.visit(spec, journal: MemoryJournal(journal.stored, loop: stage.loop))
        stage.run()
      }
      #expect(stage.outcomes[1] == .finished, "killed after commit \(death)")
      #expect(stage.logs.last == "SECRETNAME SECRETPHONE", "killed after commit \(death)")
      death = death == .max ? 1 : death + 1
    } while death < commits
  }

  /// The signed fields, what the desk does before the bot uses its name, and the name after the resume, whose
  /// init gives the service the signed fields again.
  @Test(arguments: [
    (#"{"fields":{"id":"7","phone":"1"},"hash":"x"}"#, "", "Visitor"),
    (#"{"id":"8","display_name":"Olga","crc":"x"}"#, "", "Olga"),
    (#"{"fields":{"id":"9","name":"Olga"},"hash":"x"}"#, "desk:visitor_fields(v, { name = 'Nora' })", "Olga"),
  ])
  func `a name is the one that the service told, also after a resume`(
    fields: String, told: String, name: String
  ) throws {
    let stage = try Stage(desk: "return function(desk) desk:on_visitor(function(v) \(told) end) end")
    var spec = Stage.spec(
      """
      return function(visitor)
        visitor:sleep(5)
        visitor:say("I am " .. visitor.name)
        visitor:sleep(60)
        visitor:log(visitor.name)
      end
      """)
    spec.session.visitorFields = fields
    let journal = MemoryJournal(beginning: spec, loop: stage.loop, killingAfter: .max)
    stage.visit(spec, journal: journal)
    stage.loop.advance(by: 30)
    stage.kill(1)
    #expect(!journal.kept.contains(#""phone""# + ":"))
    spec.stored = journal.stored
    stage.visit(spec, journal: MemoryJournal(journal.stored, loop: stage.loop))
    #expect(stage.run() && stage.outcomes[1] == .finished)
    #expect(stage.logs == [name])
  }
}
