import Bot
import Chat
import Dialects
import JSON
import Lua
import Script
import Store
import Transport

extension Visitor {
  /// Tells the bot again what it was told before the crash; it asks for the same things, and gets no new
  /// ones.
  func replay(_ stored: StoredVisit) throws(ScriptFailure) {
    for row in stored.journal {
      guard let node = try? JSONNode(parsing: row.input) else { throw Self.unreadable(row) }
      let question = draft.coding.question(of: node)
      guard let input = try draft.coding.decode(node, answer: answer) else {
        throw Self.unreadable(row)
      }
      if case .stop = input { replayed.isInterrupted = true }
      if let question { noteReading(question, input) }
      for effect in try bot.replay(input, at: row.at, expecting: row.digest) {
        switch effect {
        case .perform(let request, let call), .fetch(let request, let call): draft.asked(request, call)
        case .finished: replayed.hasEnded = true
        default: break
        }
      }
    }
  }

  private static func unreadable(_ row: JournalRow) -> ScriptFailure {
    ScriptFailure(
      kind: .script, message: "the journal of this visit cannot be read at entry \(row.sequence)")
  }

  /// Goes on after a replay, once the first full update is about to be applied.
  func goLive() {
    if replayed.isInterrupted { beginInterrupt() }
    let outstanding = bot.goLive(now: loop.now)
    draft.add(.resumed, at: loop.now, digest: bot.digest)
    for effect in outstanding.effects { perform(effect) }
    for (request, call) in outstanding.performing {
      if let action = storedAction(request) {
        settlement.begin(id: request, action, in: conversation, now: loop.now)
        actions[request] = action
      } else {
        perform(.perform(request: request, call))
      }
    }
    for (request, call) in outstanding.fetching { perform(.fetch(request: request, call)) }
  }

  private func storedAction(_ request: Int) -> Action? {
    guard let row = spec.stored?.outbox.first(where: { $0.request == request }),
      let node = try? JSONNode(parsing: row.action)
    else { return nil }
    return Action(json: node)
  }
}

/// How far the bot of a resumed visit had come to its end.
struct Replayed {
  /// Whether the visit had been interrupted; any other end is kept together with what ended it.
  var isInterrupted = false
  /// Whether the bot has said its last words.
  var hasEnded = false
}

extension VisitSpec {
  /// Whether the bot had begun before the crash.
  var isResumed: Bool { !(stored?.journal.isEmpty ?? true) }

  /// What the session remembers: the stored visit's memory, who the visitor was at an earlier visit, or a new
  /// device.
  var memory: WebimSession.Memory {
    if let memory = Self.memory(stored?.memory) { return memory }
    guard var memory = Self.memory(remembered) else { return WebimSession.Memory(deviceID: deviceID) }
    // A new visit knows no messages yet: it asks for all of the history.
    memory.historyRevision = nil
    memory.isHistoryComplete = false
    return memory
  }

  private static func memory(_ json: [UInt8]?) -> WebimSession.Memory? {
    json.flatMap { try? JSONNode(parsing: $0) }.flatMap(WebimSession.Memory.init(json:))
  }

  /// What was known of the conversation, or nothing yet.
  var conversation: Conversation {
    guard let stored, let header = stored.conversation.flatMap({ try? JSONNode(parsing: $0) }) else {
      return Conversation()
    }
    let entries = stored.messages.compactMap { row in
      (try? JSONNode(parsing: row.json)).flatMap { Feed.Entry(json: $0) }
    }
    guard var conversation = Conversation(header: header, entries: entries) else { return Conversation() }
    if let signedFields { conversation.visitorFieldsGiven(signedFields) }
    return conversation
  }

  /// What the signed fields say, as the service tells it of the visitor; nil without any. The old form has
  /// them at top level.
  var signedFields: [String: String]? {
    guard let text = session.visitorFields else { return nil }
    let signed = try? JSONNode(parsing: text)
    var fields: [String: String] = [:]
    for member in (signed?["fields"] ?? signed)?.members ?? [] { fields[member.key] = member.value.string }
    fields["name"] = fields["display_name"] ?? fields["name"]
    return fields
  }

  var identity: VisitorFields.Identity {
    var identity = VisitorFields.Identity()
    identity.account = account
    identity.location = session.location
    identity.pageTitle = session.title
    identity.name = visitor
    identity.index = index
    return identity
  }

  var options: ScriptRunner.Options {
    ScriptRunner.Options(budget: bot.budget, seed: seed, within: bot.within)
  }
}

extension WebimSession.Memory {
  /// - Parameter hidesFields: Whether the visitor's fields stay out: those that were given signed are no
  ///   store's business.
  func json(hidesFields: Bool) -> [UInt8] {
    let visitor = hidesFields ? visitor.map(Self.withoutFields) : visitor
    var writer = JSONWriter()
    writer.object {
      $0.member("device_id", deviceID)
      $0.member(optional: "page_id", pageID)
      $0.member(optional: "auth_token", authToken)
      $0.member(optional: "visit_session_id", visitSessionID)
      $0.member(optional: "visitor", visitor)
      $0.member(optional: "history_revision", historyRevision)
      $0.member("history_complete", isHistoryComplete)
    }
    return writer.bytes
  }

  private static func withoutFields(_ visitor: String) -> String {
    let members = (try? JSONNode(parsing: visitor))?.value.members ?? []
    return JSONValue.object(members.filter { $0.key != "fields" }).text
  }

  init?(json: JSONNode) {
    guard let deviceID = json["device_id"]?.string else { return nil }
    self.init(deviceID: deviceID)
    pageID = json["page_id"]?.string
    authToken = json["auth_token"]?.string
    visitSessionID = json["visit_session_id"]?.string
    visitor = json["visitor"]?.string
    historyRevision = json["history_revision"]?.string
    isHistoryComplete = json["history_complete"]?.bool ?? false
  }
}
