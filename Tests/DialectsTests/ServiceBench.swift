import Chat
import Dialects
import JSON

/// A service with a manual clock, and what came out of it.
struct ServiceBench {
  typealias Effect = WebimService.Effect

  var service: WebimService
  var now = 1_700_000_000.0
  private(set) var lastExchange = 0
  /// Answers by exchange.
  private(set) var answers: [Int: WireResponse] = [:]
  /// Exchanges in the order of their answers.
  private(set) var answered: [Int] = []
  private(set) var events: [DeskEvent] = []
  private(set) var timers: [WebimService.TimerID: Double] = [:]

  init(seed: UInt64 = 1, _ adjust: (inout WebimService.Settings) -> Void = { _ in }) {
    var settings = WebimService.Settings()
    adjust(&settings)
    service = WebimService(settings, seed: seed)
  }

  mutating func take(_ effects: [Effect]) {
    for effect in effects {
      switch effect {
      case .answer(let exchange, let response):
        answers[exchange] = response
        answered.append(exchange)
      case .setTimer(let timer, let seconds): timers[timer] = now + seconds
      case .cancelTimer(let timer): timers[timer] = nil
      case .desk(let event): events.append(event)
      }
    }
  }

  /// Sends a request and returns its exchange.
  @discardableResult
  mutating func send(_ request: WireRequest) -> Int {
    lastExchange += 1
    take(service.requestReceived(lastExchange, request, now: now))
    return lastExchange
  }

  /// The parsed answer of a request that does not wait.
  mutating func get(_ path: String, _ query: [(String, String)] = []) -> JSONValue {
    let exchange = send(.make(path, query))
    return json(exchange)
  }

  func json(_ exchange: Int) -> JSONValue {
    guard let body = answers[exchange]?.body, let node = try? JSONNode(parsing: body) else { return .null }
    return node.value
  }

  /// Lets the clock run and fires what is due, the earliest first.
  mutating func pass(_ seconds: Double) {
    let end = now + seconds
    while let (timer, due) = timers.min(by: { $0.value < $1.value }), due <= end {
      now = max(now, due)
      timers[timer] = nil
      take(service.timerFired(timer, now: now))
    }
    now = end
  }

  mutating func abandon(_ exchange: Int) {
    take(service.exchangeAbandoned(exchange, now: now))
  }

  @discardableResult
  mutating func desk(_ command: DeskCommand) -> Result<DeskAnswer, DeskError> {
    let (result, effects) = service.perform(command, now: now)
    take(effects)
    return result
  }

  mutating func takeEvents() -> [DeskEvent] {
    defer { events = [] }
    return events
  }

  /// Starts a session and returns its page.
  mutating func enter(
    device: String = "D1", _ more: [(String, String)] = []
  ) -> ServiceBenchPage {
    let query = [
      ("event", "init"), ("device-id", device), ("platform", "ios"), ("location", "mobile"), ("since", "0"),
    ]
    return ServiceBenchPage(get("/l/v/m/init", query + more))
  }
}

/// A client's page, kept up to date by hand.
struct ServiceBenchPage {
  let initial: JSONValue
  var id: String
  var token: String
  var since: String

  init(_ answer: JSONValue) {
    initial = answer
    id = answer["fullUpdate"]?["pageId"]?.string ?? ""
    token = answer["fullUpdate"]?["authToken"]?.string ?? ""
    since = answer["revision"]?.string ?? ""
  }

  var full: JSONValue { initial["fullUpdate"] ?? .null }

  func action(
    _ action: String, _ parameters: [(String, String)], in bench: inout ServiceBench
  ) -> JSONValue {
    let exchange = bench.send(request(action, parameters))
    return bench.json(exchange)
  }

  func request(_ action: String, _ parameters: [(String, String)]) -> WireRequest {
    WireRequest(
      .post, "/l/v/m/action",
      form: [.init("action", action)] + parameters.map { .init($0.0, $0.1) } + credentials, timeout: 60)
  }

  var credentials: [WireRequest.Parameter] { [.init("page-id", id), .init("auth-token", token)] }

  /// Sends a poll and returns its exchange.
  func poll(in bench: inout ServiceBench, since: String? = nil) -> Int {
    bench.send(
      WireRequest(
        .get, "/l/v/m/delta", query: [.init("since", since ?? self.since)] + credentials, timeout: 180))
  }

  /// Fetches what there is and takes its revision; an answer without news is empty.
  mutating func fetch(in bench: inout ServiceBench) -> JSONValue {
    let exchange = bench.send(
      WireRequest(
        .get, "/l/v/m/delta",
        query: [.init("since", since), .init("respond-immediately", "1")] + credentials, timeout: 180))
    let answer = bench.json(exchange)
    if let revision = answer["revision"]?.string { since = revision }
    return answer
  }

  /// The changes of one fetch.
  mutating func changes(in bench: inout ServiceBench) -> [JSONValue] {
    fetch(in: &bench)["deltaList"]?.elements ?? []
  }

  func history(_ query: [(String, String)] = [], in bench: inout ServiceBench) -> JSONValue {
    bench.get("/l/v/m/history", query + credentials.map { ($0.name, $0.value) })["data"] ?? .null
  }

  /// Starts a chat, puts an operator into it if named, and forgets the changes.
  mutating func chat(with handle: String? = nil, in bench: inout ServiceBench) -> Int {
    _ = action("chat.start", [("client-side-id", "start-\(bench.lastExchange)")], in: &bench)
    var chat = 0
    for case .chatStarted(let started) in bench.takeEvents() { chat = started.id }
    if let handle {
      bench.desk(
        .defineOperator(
          handle: handle, name: handle.capitalizedName, title: nil, avatar: nil, robotType: nil))
      bench.desk(.accept(chat, operator: handle))
    }
    _ = fetch(in: &bench)
    return chat
  }
}

extension Result<DeskAnswer, DeskError> {
  /// The message that the desk has made.
  var message: ServiceMessage? {
    guard case .success(.message(let message)) = self else { return nil }
    return message
  }
}

extension WireRequest {
  static func make(_ path: String, _ query: [(String, String)] = []) -> WireRequest {
    WireRequest(.get, path, query: query.map { .init($0.0, $0.1) }, timeout: 60)
  }
}

extension String {
  fileprivate var capitalizedName: String { prefix(1).uppercased() + dropFirst() }
}

extension [JSONValue] {
  /// The types of changes, in order.
  var types: [String] { map { $0["objectType"]?.string ?? "?" } }

  /// The data of the first change of a type.
  func data(_ type: String) -> JSONValue? { first { $0["objectType"]?.string == type }?["data"] }

  /// The data of every message that was added.
  var messages: [JSONValue] {
    filter { $0["objectType"]?.string == "CHAT_MESSAGE" && $0["event"]?.string == "add" }
      .compactMap { $0["data"] }
  }
}
