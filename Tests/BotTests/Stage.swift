import Bot
import Chat
import JSON
import Lua
import Script

/// A bot on a stage: the test plays the service and the clock.
struct Stage {
  let runner: BotRunner
  var now = 1000.0
  /// Everything that the bot has wanted so far.
  private(set) var effects: [BotEffect] = []
  /// What it was given, with the digests of its turns: a journal.
  private(set) var journal: [(input: BotInput, at: Double, digest: String)] = []

  static let name = "bots/test.lua"

  init(_ source: String, seed: UInt64 = 1, budget: LuaBudget = .run) throws {
    runner = try BotRunner(
      source: Array(source.utf8), name: Stage.name,
      options: ScriptRunner.Options(budget: budget, seed: seed))
  }

  /// A bot that is a function of `visitor`.
  init(run body: String, seed: UInt64 = 1, budget: LuaBudget = .run) throws {
    try self.init("return function(visitor)\n\(body)\nend", seed: seed, budget: budget)
  }

  @discardableResult
  mutating func give(_ input: BotInput) -> [BotEffect] {
    let turn = runner.receive(input, now: now)
    journal.append((input, now, runner.digest))
    effects += turn
    return turn
  }

  @discardableResult
  mutating func start() -> [BotEffect] { give(.start) }

  @discardableResult
  mutating func event(_ event: ChatEvent, after seconds: Double = 0) -> [BotEffect] {
    now += seconds
    return give(.event(event))
  }

  /// Settles the latest action or question with a JSON value.
  @discardableResult
  mutating func settle(_ value: JSONValue = .null) -> [BotEffect] {
    give(.settled(request: openRequest, .success(value.bytes)))
  }

  @discardableResult
  mutating func refuse(_ code: String, server: String? = nil, action: String = "say") -> [BotEffect] {
    give(
      .settled(
        request: openRequest, .failure(ActionError(code: code, serverCode: server, action: action))))
  }

  /// Lets the timer that was set last fire, after its time.
  @discardableResult
  mutating func fireTimer() -> [BotEffect] {
    guard let timer = timers.last else { return [] }
    now += timer.after
    return give(.timer(request: timer.request))
  }

  /// The request of the latest call.
  var openRequest: Int {
    for effect in effects.reversed() {
      if case .perform(let request, _) = effect { return request }
      if case .fetch(let request, _) = effect { return request }
    }
    return 0
  }

  /// The timers that are set and not cancelled, in their order.
  var timers: [(request: Int, after: Double)] {
    var set: [(request: Int, after: Double)] = []
    for effect in effects {
      if case .setTimer(let request, let after) = effect { set.append((request, after)) }
      if case .cancelTimer(let request) = effect { set.removeAll { $0.request == request } }
    }
    let fired = journal.compactMap { entry in
      if case .timer(let request) = entry.input { return request }
      return nil
    }
    return set.filter { !fired.contains($0.request) }
  }
}

extension [BotEffect] {
  var calls: [BotCall] {
    compactMap { effect in
      switch effect {
      case .perform(_, let call), .fetch(_, let call): call
      default: nil
      }
    }
  }

  var words: [String] { calls.map(\.word) }

  var logs: [String] {
    compactMap { effect in
      if case .log(let text, _) = effect { return text }
      return nil
    }
  }

  var failure: ScriptFailure? {
    for case .failed(let failure) in self { return failure }
    return nil
  }

  var states: [String] {
    compactMap { effect in
      if case .state(let json) = effect { return String(decoding: json, as: UTF8.self) }
      return nil
    }
  }

  var isFinished: Bool { last == .finished }

  var hasEnded: Bool { isFinished || failure != nil }
}

/// A message as the service tells it.
func message(
  _ text: String, from origin: Message.Origin = .operator, id: String? = nil, by name: String = "Anna",
  buttons: [Button] = []
) -> Message {
  let kind: Message.Kind =
    switch origin {
    case .visitor: .visitorMessage
    case .system: .info
    case .operator, .robot: buttons.isEmpty ? .operatorMessage : .keyboard
    }
  var message = Message(id: id ?? "m-\(text)", kind: kind, senderName: name, text: text, timestamp: 1)
  message.isFromRobot = origin == .robot
  if !buttons.isEmpty { message.keyboard = Keyboard(rows: [buttons]) }
  return message
}

func added(_ text: String, from origin: Message.Origin = .operator, id: String? = nil) -> ChatEvent {
  .messageAdded(message(text, from: origin, id: id), previous: nil)
}
