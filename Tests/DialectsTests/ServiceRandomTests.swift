import Chat
import Dialects
import Glibc
import JSON
import TestSupport
import Testing

/// Seeded disorder: whatever comes, the service answers each exchange once, names its reason and keeps its
/// promises.
@Suite struct ServiceRandomTests {
  private static let codes = Set(ErrorCode.all.map(\.word))

  @Test(arguments: 0..<20)
  func `requests of any shape never trap, and each refusal names a reason of the table`(seed: UInt64) {
    var disorder = Disorder(seed: seed)
    for _ in 0..<500 { disorder.step() }
    let bench = disorder.bench
    var answered: Set<Int> = []
    for exchange in bench.answered {
      #expect(answered.insert(exchange).inserted, "an exchange was answered twice")
      let answer = bench.json(exchange)
      #expect(answer != .null)
      guard let code = answer["error"]?.string ?? answer["data"]?["error"]?.string else { continue }
      #expect(Self.codes.contains(code), "\(code)")
      if code == "argument-missing" { #expect(answer["argumentName"]?.string != nil) }
    }
    for (_, count) in bench.service.statistics.messages { #expect(count == 1) }
  }

  /// A client that only applies changes must arrive at what a full update says.
  @Test(arguments: 0..<20)
  func `changes and snapshots tell the same story`(seed: UInt64) throws {
    var disorder = Disorder(seed: seed)
    var mirror = Mirror(disorder.page.full)
    for step in 0..<300 {
      disorder.step()
      guard step % 7 == 0 else { continue }
      let answer = disorder.page.fetch(in: &disorder.bench)
      try #require(answer["error"] == nil, "the page is lost")
      mirror.apply(answer)
    }
    mirror.apply(disorder.page.fetch(in: &disorder.bench))
    var since = WireRequest.make("/l/v/m/delta", [("since", "0")])
    since.query += disorder.page.credentials
    let exchange = disorder.bench.send(since)
    let full = disorder.bench.json(exchange)["fullUpdate"] ?? .null
    #expect(mirror.state == full["chat"]?["state"]?.string)
    #expect(mirror.session == full["state"]?.string)
    #expect(mirror.operatorID == full["chat"]?["operator"]?["id"]?.integer)
    #expect(mirror.unread == full["chat"]?["unreadByVisitorMsgCnt"]?.integer ?? 0)
    #expect(mirror.historyRevision == full["historyRevision"]?.integer)
    #expect(mirror.survey == full["survey"]?["id"]?.string)
    #expect(mirror.messages == Mirror.messages(full["chat"]))
    // And so does the history, fetched from the beginning.
    var known: [String: JSONValue] = [:]
    var revision = "0"
    for _ in 0..<100 {
      let page = disorder.page.history([("since", revision)], in: &disorder.bench)
      for message in page["messages"]?.elements ?? [] {
        let id = message["id"]?.string ?? ""
        known[id] = message["deleted"]?.bool == true ? nil : message
      }
      revision = page["revision"]?.string ?? ""
      guard page["hasMore"]?.bool == true else { break }
    }
    for (id, message) in mirror.messages { #expect(known[id] == message) }
  }

  /// In a process of its own: other tests grow at the same time. The address sanitizer holds back what was freed,
  /// which would be weighed too.
  @Test(.enabled(if: !isUnderAddressSanitizer))
  func `an idle visitor costs little memory`() async {
    await #expect(processExitsWith: .success) {
      let count = 2000
      var service = WebimService(seed: 1)
      var pages: Set<String> = []
      let before = residentBytes()
      for index in 0..<count {
        let query = [("device-id", "device-\(index)"), ("location", "mobile")]
        let effects = service.requestReceived(2 * index, .make("/l/v/m/init", query), now: 1)
        let answers = effects.compactMap { if case .answer(_, let answer) = $0 { answer } else { nil } }
        let page = ServiceBenchPage(try JSONNode(parsing: try #require(answers.first).body).value)
        try #require(!page.id.isEmpty, "\(page.initial.text)")
        pages.insert(page.id)
        var poll = WireRequest.make("/l/v/m/delta", [("since", "1")])
        poll.query += page.credentials
        let held = service.requestReceived(2 * index + 1, poll, now: 1)
        let isAnswered = held.contains { if case .answer = $0 { true } else { false } }
        #expect(!isAnswered, "a poll was not held")
      }
      #expect(pages.count == count)
      let each = (residentBytes() - before) / count
      #expect((1..<20_000).contains(each))
      #expect(service.statistics.messages.isEmpty)
    }
  }
}

/// Whether the process was built with the address sanitizer.
private let isUnderAddressSanitizer = dlsym(nil, "__asan_init") != nil

/// Memory of this process that is in RAM.
private func residentBytes() -> Int {
  let file = open("/proc/self/statm", O_RDONLY)
  guard file >= 0 else { return 0 }
  defer { close(file) }
  var bytes = [UInt8](repeating: 0, count: 128)
  let count = read(file, &bytes, bytes.count)
  let words = String(decoding: bytes.prefix(max(count, 0)), as: UTF8.self).split(separator: " ")
  return (words.dropFirst().first.flatMap { Int($0) } ?? 0) * Int(getpagesize())
}

/// What a client would know that has only listened.
private struct Mirror {
  var state: String?
  var session: String?
  var operatorID: Int?
  var unread = 0
  var historyRevision: Int?
  var survey: String?
  var messages: [String: JSONValue] = [:]

  init(_ full: JSONValue) { replace(full) }

  static func messages(_ chat: JSONValue?) -> [String: JSONValue] {
    let elements = chat?["messages"]?.elements ?? []
    return Dictionary(elements.map { ($0["id"]?.string ?? "", $0) }) { first, _ in first }
  }

  private mutating func replace(_ full: JSONValue) {
    session = full["state"]?.string
    historyRevision = full["historyRevision"]?.integer
    survey = full["survey"]?["id"]?.string
    replace(chat: full["chat"])
  }

  private mutating func replace(chat: JSONValue?) {
    state = chat?["state"]?.string
    operatorID = chat?["operator"]?["id"]?.integer
    unread = chat?["unreadByVisitorMsgCnt"]?.integer ?? 0
    messages = Self.messages(chat)
  }

  mutating func apply(_ answer: JSONValue) {
    if let full = answer["fullUpdate"] { return replace(full) }
    for change in answer["deltaList"]?.elements ?? [] { apply(change: change) }
  }

  private mutating func apply(change: JSONValue) {
    let data = change["data"]
    let id = change["id"]?.string ?? ""
    switch change["objectType"]?.string {
    case "CHAT": replace(chat: data)
    case "CHAT_STATE":
      state = data?.string
      if state == "closed" { operatorID = nil }
    case "CHAT_OPERATOR": operatorID = data?["id"]?.integer
    case "VISIT_SESSION_STATE": session = data?.string
    case "UNREAD_BY_VISITOR": unread = data?["msgCnt"]?.integer ?? -1
    case "HISTORY_REVISION": historyRevision = data?["revision"]?.integer
    case "SURVEY": survey = data?["id"]?.string
    case "MESSAGE_READ":
      guard let message = messages[id] else { break }
      messages[id] = .object(
        message.members.map { $0.key == "read" ? .init("read", .bool(true)) : $0 })
    case "CHAT_MESSAGE":
      switch change["event"]?.string {
      case "add": messages[id] = data
      case "upd": if messages[id] != nil { messages[id] = data }
      default: messages[id] = nil
      }
    default: break
    }
  }
}

/// A visitor, a desk and a network that do anything at all.
private struct Disorder {
  var bench = ServiceBench()
  var page: ServiceBenchPage
  private var generator: SeededGenerator
  private var messages: [String] = []
  private var chat = 0
  private var survey = ""

  init(seed: UInt64) {
    generator = SeededGenerator(seed: seed)
    bench = ServiceBench(seed: seed) {
      $0.historyPageSize = 3
      $0.deltasKept = 40
      $0.holdSeconds = 5
    }
    page = bench.enter()
    bench.desk(.defineOperator(handle: "anna", name: "Anna", title: nil, avatar: nil, robotType: nil))
  }

  mutating func step() {
    bench.now += Double.random(in: 0..<1, using: &generator)
    switch Int.random(in: 0..<10, using: &generator) {
    case 0..<5: visitorActs()
    case 5..<9: deskActs()
    default: bench.pass(Double.random(in: 0..<8, using: &generator))
    }
    for event in bench.takeEvents() {
      switch event {
      case .chatStarted(let started): chat = started.id
      case .message(_, let message): messages.append(message.id)
      default: break
      }
    }
    if messages.count > 8 { messages.removeFirst() }
  }

  private mutating func pick<Element>(_ elements: [Element]) -> Element {
    elements[Int.random(in: 0..<elements.count, using: &generator)]
  }

  private mutating func number() -> String {
    pick(["0", "1", "2", "-1", "21", "22", "501", "9999999999999", "x", ""])
  }

  private mutating func visitorActs() {
    let actions = [
      "chat.start", "chat.message", "chat.message", "chat.message", "chat.delete_message",
      "chat.keyboard_response", "chat.visitor_typing", "chat.read_by_visitor", "chat.close",
      "chat.operator_rate_select", "chat.resolution_survey_select", "survey.answer", "survey.cancel",
      "chat.cont_resp", "sticker", "dance",
    ]
    var request = page.request(pick(actions), parameters())
    if Int.random(in: 0..<20, using: &generator) == 0 {
      request.path = pick([
        "/l/v/m/history", "/l/v/m/delta", "/l/v/m/init", "/l/v/m/search-messages", "/", "/x/js/v/",
      ])
    }
    if Int.random(in: 0..<10, using: &generator) == 0 { mutate(&request) }
    bench.send(request)
  }

  private mutating func parameters() -> [(String, String)] {
    let id = pick(["a", "b", "c", "d", "e"])
    let all: [(String, String)] = [
      ("client-side-id", id), ("message", pick(["Hi", "Ho", "", "  ", "\u{1F600}\u{0}"])),
      ("button-id", pick(["yes", "no"])), ("request-message-id", messages.isEmpty ? "m" : pick(messages)),
      ("message_id", messages.isEmpty ? "m" : pick(messages)), ("typing", pick(["1", "false", "maybe"])),
      ("rate", number()), ("operator_id", number()), ("thread_id", pick([number(), String(chat)])),
      ("answer", number()), ("survey-id", pick([survey, "other"])), ("form-id", number()),
      ("question-id", number()),
      ("visitor-fields", pick(["{}", "[", #"{"a":"b"}"#])),
      ("quote", pick([#"{"ref":{"msgId":"a"}}"#, "{}", "x"])), ("data", pick(["{}", "1", ""])),
      ("force-start", pick(["1", "true", "2"])), ("query", pick(["H", ""])), ("since", number()),
      ("before-ts", number()), ("device-id", pick(["D1", "D2", ""])),
    ]
    // Optional ones come now and then.
    return all.filter { parameter in
      let isOften = !["quote", "data", "message_id", "force-start", "thread_id", "visitor-fields"].contains(
        parameter.0)
      return Int.random(in: 0..<10, using: &generator) < (isOften ? 9 : 3)
    }
  }

  /// Breaks a request somewhere.
  private mutating func mutate(_ request: inout WireRequest) {
    guard !request.form.isEmpty else { return }
    let index = Int.random(in: 0..<request.form.count, using: &generator)
    switch Int.random(in: 0..<4, using: &generator) {
    case 0: request.form.remove(at: index)
    case 1: request.form[index].value = String(request.form[index].value.dropLast())
    case 2: request.form[index].value += pick(["\u{FFFF}", "{", "\"", "-", "99999999999999999999999"])
    default: request.form[index].name = pick(["", "page-id", "action", "message"])
    }
  }

  private mutating func deskActs() {
    let visitor = page.full["visitor"]?["id"]?.string ?? ""
    let message = messages.isEmpty ? "m" : pick(messages)
    let commands: [DeskCommand] = [
      .accept(chat, operator: "anna"), .robot(chat, name: "Robby"), .hold(chat), .route(chat), .queue(chat),
      .invite(visitorID: visitor, operator: "anna", text: "Help?"), .close(chat, isFinal: false),
      .close(chat, isFinal: true), .typing(chat, true), .say(chat, text: "Said", quoting: nil),
      .say(chat, text: "Said", quoting: message), .info(chat, text: "Info"),
      .edit(messageID: message, text: pick(["One", "Two"])), .delete(messageID: message),
      .markRead(chat, upTo: pick([nil, message])),
      .keyboard(chat, text: "?", rows: [[Button(id: "yes", text: "Yes"), Button(id: "no", text: "No")]]),
      .hideKeyboard(messageID: message, button: nil), .selectButton(messageID: message, button: "yes"),
      .cancelKeyboard(messageID: message), .requestRating(chat, operator: nil, text: "Rate"),
      .requestContacts(chat, text: "Mail?"), .survey(chat, forms: Self.forms), .cancelSurvey(chat),
      .sessionState(visitorID: visitor, .firstQuestion), .fullUpdate(visitorID: visitor),
      .onlineStatus(pick([.online, .offline])), .departments([]),
    ]
    switch bench.desk(pick(commands)) {
    case .success(.message(let message)): messages.append(message.id)
    case .success(.survey(let id)): survey = id
    case .success(.chat(let id)): chat = id
    case .success: break
    case .failure(let error): #expect(!error.description.isEmpty)
    }
  }

  private static let forms = [
    DeskForm(
      handle: "quality",
      questions: [
        Survey.Question(kind: .stars, text: "?"),
        Survey.Question(kind: .radio, text: "?", options: ["a", "b"]),
      ]), DeskForm(handle: "words", questions: [Survey.Question(kind: .comment, text: "?")]),
  ]
}
