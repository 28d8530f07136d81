import Bot
import Chat
import JSON
import Script
import TestSupport
import Testing

/// What really crosses into a script, against the table of fields: a bot looks at all it is given.
@Suite struct CrossingTests {
  /// Logs `thing.field` for each field that it meets, once.
  private static let bot = """
    local seen, look = {}, {}
    local parts = {
      message = {
        keyboard = "keyboard", keyboard_response = "keyboard_response", quote = "quote",
        attachments = { "attachment" },
      },
      keyboard = { buttons = { "button" } },
      keyboard_response = { button = "button" },
      survey = { forms = { "form" } },
      form = { questions = { "question" } },
    }

    local function tell(visitor, thing, value)
      if type(value) ~= "table" then return end
      for field, part in pairs(value) do
        local name = thing .. "." .. field
        if not seen[name] then visitor:log(name) end
        seen[name] = true
        local kind = parts[thing] and parts[thing][field]
        if type(kind) == "string" then tell(visitor, kind, part) end
        for _, element in ipairs(type(kind) == "table" and part or {}) do tell(visitor, kind[1], element) end
      end
    end

    local function teller(...)
      local things = { ... }
      return function(visitor, ...)
        for i, thing in ipairs(things) do tell(visitor, thing, (select(i, ...))) end
      end
    end

    return {
      on_message = teller("message", "message"), on_message_changed = teller("message", "message"),
      on_message_removed = teller("message"), on_keyboard = teller("message", "keyboard"),
      on_operator = teller("operator", "operator"), on_survey = teller("survey"),
      on_survey_question = teller("question"), on_survey_cancelled = teller("survey"),
      on_not_fatal_error = teller("error"), on_fatal_error = teller("error"),
      on_departments = function(visitor, list)
        for _, department in ipairs(list) do tell(visitor, "department", department) end
      end,
      run = function(visitor)
        tell(visitor, "error", select(2, pcall(visitor.expect_message, visitor, { within = 0 })))
        while true do
          local fine, answer = pcall(visitor.send, visitor, "x")
          tell(visitor, fine and "message" or "error", answer)
        end
      end,
    }
    """

  /// The fields met by a bot that was given many random events, answers and refusals, by their things.
  private static func crossed() throws -> [String: Set<String>] {
    var generator = SeededGenerator(seed: 1)
    var stage = try Stage(bot)
    stage.start()
    for _ in 0..<400 {
      stage.event(generator.event())
      let answer: Result<[UInt8], ActionError> =
        generator.oneIn(2) ? .failure(generator.actionError()) : .success(generator.message().json(.script))
      stage.give(.settled(request: stage.openRequest, answer))
    }
    try #require(stage.effects.failure == nil)
    var fields: [String: Set<String>] = [:]
    for name in stage.effects.logs {
      let parts = name.split(separator: ".").map(String.init)
      fields[parts[0], default: []].insert(parts[1])
    }
    return fields
  }

  @Test func `what crosses into Lua is what the table of fields lists, and the other way round`() throws {
    let crossed = try Self.crossed()
    #expect(Set(crossed.keys) == Set(FieldTable.all.map(\.thing)))
    for table in FieldTable.all {
      let listed = Set(table.fields.map(\.name))
      #expect(crossed[table.thing] == listed, "\(table.thing)")
      #expect(listed.count == table.fields.count, "\(table.thing)")
    }
  }

  @Test func `the fields of visitor that the host tells are those of the table`() throws {
    let fields = VisitorFields(Conversation(), identity: VisitorFields.Identity(), isConnected: true)
    let told = try JSONNode(parsing: #require(fields.changes(from: nil))).members.map(\.key)
    // These three are the prelude's.
    #expect(Set(told).union(["state", "messages", "resumed"]) == Set(Vocabulary.bot.fields))
  }
}
