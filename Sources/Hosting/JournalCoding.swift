import Bot
import Chat
import JSON
import Script

/// How a bot's inputs stand in the journal: without what is to stay secret, and without what stands elsewhere
/// already.
///
///     signed fields          named, not told; given again on resume
///     variables              asked again on resume
///     files and modules      read again on resume; the journal holds a digest of what was read
///     reads of the feed      as the difference from the read before, all of which each holds
///
/// Both directions see the same inputs in the same order, so both know the same earlier answers.
struct JournalCoding {
  /// The visitor's signed fields; nil when there are none.
  private let signed: [String: String]?
  /// Questions to the host that have no answer yet.
  private var open: [Int: BotCall] = [:]
  /// The latest long answer that was a list of messages.
  private var feed: [UInt8] = []

  init(signed: [String: String]?) {
    self.signed = signed
  }

  /// Shorter answers stand as they are.
  private static let long = 256

  /// The bot asks its host.
  mutating func asked(_ request: Int, _ call: BotCall) {
    if Self.sources.contains(call.word) || Self.reads.contains(call.word) { open[request] = call }
  }

  /// The question that a journalled input answers.
  func question(of node: JSONNode) -> BotCall? {
    node["request"]?.integer.flatMap { open[$0] }
  }

  private static let sources: Set = ["module", "read", "env"]
  private static let reads: Set = ["messages", "last_messages", "next_messages", "all_messages"]
}

// MARK: - Into the journal

extension JournalCoding {
  mutating func encode(_ input: BotInput) -> [UInt8] {
    switch input {
    case .fields(let json):
      let hidden = signed.map { VisitorFields.hidingSigned(json, signed: $0) }
      return BotInput.fields(hidden ?? json).json
    case .settled(let request, let result):
      guard let call = open.removeValue(forKey: request), case .success(let answer) = result else {
        return input.json
      }
      if Self.sources.contains(call.word) {
        let digest = call.word == "env" ? nil : TurnDigest.hash(answer)
        return Self.settled(request) { $0.member("again", digest.map { String($0, radix: 16) } ?? "") }
      }
      guard answer.count >= Self.long else { return input.json }
      defer { feed = answer }
      return Self.settled(request) { Difference(of: answer, from: feed).write(to: &$0) }
    default: return input.json
    }
  }

  private static func settled(_ request: Int, _ body: (inout JSONWriter) -> Void) -> [UInt8] {
    var writer = JSONWriter()
    writer.object {
      $0.member("input", "settled")
      $0.member("request", request)
      body(&$0)
    }
    return writer.bytes
  }
}

// MARK: - Out of the journal

extension JournalCoding {
  /// Reads an input; nil for what is none.
  ///
  /// - Parameter answer: Asks the host anew.
  /// - Throws: ``ScriptFailure`` when a file is no longer what the bot has read, or is not to be had.
  mutating func decode(
    _ node: JSONNode, answer: (BotCall) -> Result<[UInt8], ActionError>
  ) throws(ScriptFailure) -> BotInput? {
    guard let request = node["request"]?.integer, node["input"]?.string == "settled" else {
      guard case .fields(let json) = BotInput(json: node) else { return BotInput(json: node) }
      return .fields(VisitorFields.showingSigned(json, signed: signed ?? [:]))
    }
    let call = open.removeValue(forKey: request)
    if let digest = node["again"]?.string {
      guard let call else { return nil }
      return .settled(request: request, .success(try Self.again(call, digest, answer(call))))
    }
    guard let difference = Difference(json: node) else { return BotInput(json: node) }
    guard let bytes = difference.applied(to: feed) else { return nil }
    feed = bytes
    return .settled(request: request, .success(bytes))
  }

  private static func again(
    _ call: BotCall, _ digest: String, _ answer: Result<[UInt8], ActionError>
  ) throws(ScriptFailure) -> [UInt8] {
    switch answer {
    case .failure(let error):
      throw ScriptFailure(
        kind: .script, message: "the visit cannot go on: \(error.detail ?? error.description)")
    case .success(let bytes):
      guard digest.isEmpty || String(TurnDigest.hash(bytes), radix: 16) == digest else {
        throw ScriptFailure(
          kind: .script,
          message: "the visit cannot go on: \(call.word == "read" ? "the file" : "the module") "
            + "\"\(call[0].string ?? "")\" has changed since the bot has read it")
      }
      return bytes
    }
  }
}

/// A text as the difference from an earlier one: what both begin and end with, and what stands between.
private struct Difference {
  private let prefix: Int
  private let suffix: Int
  private let middle: [UInt8]

  init(of text: [UInt8], from old: [UInt8]) {
    var prefix = zip(text, old).prefix { $0 == $1 }.count
    let rest = min(text.count, old.count) - prefix
    var suffix = zip(text.reversed(), old.reversed()).prefix { $0 == $1 }.prefix(rest).count
    // The middle is text too: it begins and ends between characters.
    while prefix > 0, prefix < text.count, text[prefix] & 0xC0 == 0x80 { prefix -= 1 }
    while suffix > 0, text[text.count - suffix] & 0xC0 == 0x80 { suffix -= 1 }
    self.prefix = prefix
    self.suffix = suffix
    middle = Array(text[prefix..<text.count - suffix])
  }

  init?(json: JSONNode) {
    guard let prefix = json["prefix"]?.integer, let suffix = json["suffix"]?.integer,
      let middle = json["middle"]?.string, prefix >= 0, suffix >= 0
    else { return nil }
    self.prefix = prefix
    self.suffix = suffix
    self.middle = Array(middle.utf8)
  }

  func write(to object: inout JSONWriter) {
    object.member("prefix", prefix)
    object.member("suffix", suffix)
    object.member("middle", String(decoding: middle, as: UTF8.self))
  }

  /// nil when the earlier text is not the one that the difference was taken from.
  func applied(to old: [UInt8]) -> [UInt8]? {
    guard prefix <= old.count, suffix <= old.count else { return nil }
    return old[..<prefix] + middle + old[(old.count - suffix)...]
  }
}
