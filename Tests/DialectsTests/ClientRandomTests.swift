import Chat
import Dialects
import JSON
import TestSupport
import Testing

/// A service that answers anything at all.
@Suite struct ClientRandomTests {
  static let items: [String] =
    (ClientDeltaTests.chat + ClientDeltaTests.others).map(\.item) + [
      ClientDeltaTests.item(
        "CHAT_MESSAGE", "add",
        #"{"id":"m-1","kind":"keyboard","name":"B","text":"?","ts":1,"data":{"state":"pending","buttons":[[{"id":"a","text":"A"}]]}}"#
      ),
      ClientDeltaTests.item(
        "CHAT_MESSAGE", "upd",
        #"{"id":"m-2","kind":"file_visitor","name":"B","text":"[{\"guid\":\"g\"}]","ts_m":5,"data":{"file":{"desc":{}}},"quote":{"state":"filled","message":{"kind":"operator","ts":3}}}"#
      ),
      ClientDeltaTests.item("HISTORY_REVISION", "upd", #"{"revision":13}"#),
      ClientDeltaTests.item(
        "CHAT", "upd",
        #"{"id":9,"state":"chatting","operator":{"id":5,"fullname":"A"},"creationTs":1.5,"operatorIdToRate":{"5":{"operatorId":5,"rating":2}},"messages":[{"id":"m-1","kind":"info","name":"","text":"","ts":1}]}"#
      ),
      ClientDeltaTests.item(
        "CHAT", "upd",
        #"{"id":9,"state":"chatting","readByVisitor":false,"unreadByVisitorMsgCnt":1,"unreadByVisitorSinceTs":1.5,"unreadByOperatorSinceTs":2,"messages":[{"id":"m-1","kind":"operator","name":"","text":"","ts":1},{"id":"m-2","kind":"operator","name":"","text":"","ts":2}]}"#
      ),
      ClientDeltaTests.item(
        "SURVEY", "upd",
        #"{"id":"sv","config":{"id":3,"descriptor":{"forms":[{"id":21,"questions":[{"type":"stars","text":"?"}]}]}},"current_question":{"form_id":21,"question_id":0}}"#
      ),
    ]

  static let valid: [String] =
    items.map { #"{"revision":43,"deltaList":[\#($0)]}"# } + [
      #"{"revision":"41","fullUpdate":\#(ClientDriver.openChat)}"#,
      #"{"revision":9,"fullUpdate":\#(ClientDriver.fullUpdate)}"#,
      #"{"result":"ok","data":{"hasMore":true,"revision":"57","messages":[{"id":"m-1","kind":"visitor","name":"","text":"","ts":1},{"id":"m-2","deleted":true}]}}"#,
      #"{"endpoints":{"history_mobile":{"url":"/h"},"configs":{"url":"/c"}}}"#,
      #"{"accountConfig":{"web_and_mobile_quoting":true},"locationSettings":{"chat":{}},"routingRules":[{"visitorField":"id","visitorFieldValue":"1","locationKey":"x"}]}"#,
      #"{"result":"ok"}"#, "{}",
    ]

  /// Something else in place of a few bytes or of a value.
  static func mutate(_ text: String, _ random: inout SeededGenerator) -> [UInt8] {
    var bytes = Array(text.utf8)
    for _ in 0...Int.random(in: 0..<4, using: &random) where !bytes.isEmpty {
      let index = Int.random(in: 0..<bytes.count, using: &random)
      switch Int.random(in: 0..<6, using: &random) {
      case 0: bytes[index] = UInt8.random(in: 0...255, using: &random)
      case 1: bytes.remove(at: index)
      case 2: bytes.removeSubrange(index...)
      case 3: bytes.insert(contentsOf: bytes[index...].prefix(20), at: index)
      case 4:
        let colon = bytes[index...].firstIndex(of: UInt8(ascii: ":")) ?? bytes.count - 1
        let values = [
          "null,", "[],", "{},", "1e308,", "-9223372036854775808,", "9223372036854775807,",
          "99999999999999999999,", "-9223372036854.775808,", "9223372036854.775,", "-1,",
          #""\ud800","#, "-0.0,", "true,", #"[[[[{"a":[]}]]]],"#, #""","#,
        ]
        bytes.insert(contentsOf: values[Int.random(in: 0..<values.count, using: &random)].utf8, at: colon + 1)
      default:
        let digits = bytes.indices.filter { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(bytes[$0]) }
        guard let digit = digits.randomElement(using: &random) else { continue }
        bytes.replaceSubrange(digit...digit, with: Array("9223372036854775807".utf8))
      }
    }
    return bytes
  }

  static func mutateValue(_ value: JSONValue, _ random: inout SeededGenerator) -> JSONValue {
    let odd: [JSONValue] = [
      .null, true, 0, -1, "", "x", [], [:], 1e308, 0.5, .integer(.max), .integer(.min), "9", [.null],
      -9_223_372_036_854.775808, 9_223_372_036_854.775, ["a": .null],
    ]
    if Int.random(in: 0..<12, using: &random) == 0 {
      return odd[Int.random(in: 0..<odd.count, using: &random)]
    }
    switch value {
    case .array(let elements): return .array(elements.map { mutateValue($0, &random) })
    case .object(let members):
      return .object(members.map { JSONValue.Member($0.key, mutateValue($0.value, &random)) })
    default: return value
    }
  }

  static func answer(_ lane: WebimSession.Lane, _ random: inout SeededGenerator) throws -> WireResponse {
    // An unknown word ends a session when a poll or an init is refused by it.
    let words = ["reinit-required", "server-not-ready"] + (lane == .action ? ["no-chat"] : [])
    let text = valid[Int.random(in: 0..<valid.count, using: &random)]
    let statuses = [200, 200, 200, 200, 400, 404, 500, 502, 401]
    let body: [UInt8] =
      switch Int.random(in: 0..<4, using: &random) {
      case 0: Array(text.utf8)
      case 1: mutate(text, &random)
      case 2: try mutateValue(JSONNode(parsing: text).value, &random).bytes
      default: Array(#"{"error":"\#(words.randomElement(using: &random) ?? "")"}"#.utf8)
      }
    return WireResponse(status: statuses[Int.random(in: 0..<statuses.count, using: &random)], body: body)
  }

  @Test(arguments: 0..<20 as Range<UInt64>)
  func `ten thousand mutated answers trap nowhere and end no visit but by a word`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    var driver = ClientDriver()
    var conversation = Conversation()
    driver.connect(ClientDriver.openChat)
    for _ in 0..<500 {
      if driver.fatal != nil {
        driver = ClientDriver()
        driver.connect(ClientDriver.openChat)
      }
      let mutated =
        try Bool.random(using: &random)
        ? Self.mutate(Self.valid[Int.random(in: 0..<Self.valid.count, using: &random)], &random)
        : Self.mutateValue(
          JSONNode(parsing: Self.valid[Int.random(in: 0..<Self.valid.count, using: &random)]).value, &random
        ).bytes
      if driver.open.isEmpty { driver.advance(31) }
      guard let entry = driver.open.randomElement(using: &random) else { continue }
      driver.log = []
      driver.respond(entry, .success(WireResponse(body: mutated)))
      Self.fold(driver.updates, into: &conversation)
      if driver.fatal != nil { #expect(String(decoding: mutated, as: UTF8.self).contains(#""error""#)) }
    }
  }

  /// What a visitor does with updates: nothing that a peer says may trap there either.
  static func fold(_ updates: [Update], into conversation: inout Conversation) {
    var settlement = Settlement()
    for (id, action) in ClientErrorTests.actions.map(\.action).enumerated() {
      settlement.begin(id: id, action, in: conversation, now: 0)
    }
    for update in updates {
      let events = conversation.apply(update)
      _ = settlement.apply(events, in: conversation)
      for (_, action) in ClientErrorTests.actions { _ = Settlement.reconcile(action, with: conversation) }
    }
  }

  /// The service answers in no time; only the visitor's own pauses pass the clock's seconds.
  @Test(arguments: 0..<20 as Range<UInt64>)
  func `no answers make the visitor run hot`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    var configuration = WebimSession.Configuration()
    configuration.seed = seed
    var memory = WebimSession.Memory(deviceID: "D1")
    memory.visitSessionID = "vs-0001"  // who is known is not given up for garbage
    var driver = ClientDriver(configuration, memory: memory)
    driver.start()
    let begin = driver.now
    var nextID = 1
    while driver.now < begin + 30, driver.fatal == nil {
      if Int.random(in: 0..<50, using: &random) == 0, driver.session.isConnected {
        driver.perform(nextID, ClientErrorTests.actions[nextID % ClientErrorTests.actions.count].action)
        nextID += 1
      }
      if let entry = driver.open.randomElement(using: &random) {
        if Int.random(in: 0..<5, using: &random) == 0 {
          let failure = WireFailure(
            code: .closed, detail: "cut", mayHaveBeenDelivered: Bool.random(using: &random))
          driver.respond(entry, .failure(failure))
        } else {
          driver.respond(entry, .success(try Self.answer(entry.lane, &random)))
        }
      } else {
        let next = driver.timers.values.min() ?? driver.now
        driver.advance(max(0.001, next - driver.now))
      }
    }
    let seconds = Dictionary(grouping: driver.sent) { Int($0.time - begin) }
    #expect(seconds.values.allSatisfy { $0.count < 60 }, "\(seconds.mapValues(\.count))")
    #expect(driver.fatal == nil)
  }

  /// The same answer for ever, in no time.
  @Test(arguments: ["/init", "/delta", "/history", "/action"], valid.indices.filter { $0 % 7 == 0 })
  func `no answer given for ever makes the visitor run hot`(path: String, index: Int) {
    var driver = ClientDriver()
    driver.connect(ClientDriver.openChat)
    if path == "/init" { driver.take(driver.session.deliveryDoubted([], now: driver.now)) }
    if path == "/history" {
      driver.delta(ClientDeltaTests.item("HISTORY_REVISION", "upd", #"{"revision":99}"#))
    }
    driver.perform(1, .closeChat)
    let begin = driver.now
    let count = driver.sent.count
    // What tells something is followed at once, up to a thousand times a second.
    var answers = 0
    while driver.now < begin + 2, answers < 5000 {
      if let entry = driver.pending(path) {
        driver.respond(entry, .success(WireResponse(body: Array(Self.valid[index].utf8))))
        answers += 1
      } else if let entry = driver.pending("/init") {
        driver.respond(
          entry,
          .success(
            WireResponse(body: Array(#"{"revision":5,"fullUpdate":\#(ClientDriver.fullUpdate)}"#.utf8))))
      } else {
        driver.advance(max(0.001, (driver.timers.values.min() ?? driver.now) - driver.now))
      }
    }
    #expect(driver.sent.count - count <= 3 * 1000)
  }
}
