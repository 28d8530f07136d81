import Chat
import Dialects
import TestSupport

/// A session and the service over a link that delays, refuses, cuts and garbles by seed; one clock for both.
struct ClientServiceLink {
  enum Flight {
    case request(ClientDriver.Sent)
    case answer(ClientDriver.Sent, Result<WireResponse, WireFailure>)
  }

  var driver: ClientDriver
  var bench: ServiceBench
  var conversation = Conversation()
  var events: [ChatEvent] = []
  /// Events of the desk, all of them.
  var desk: [DeskEvent] = []
  /// The share of requests that meet a fault.
  var faults = 0.0
  /// While it lasts every request is refused.
  var outageUntil = 0.0
  private var actions: [Int: Action] = [:]
  private var random: SeededGenerator
  private var flights: [(time: Double, flight: Flight)] = []
  private var exchanges: [Int: ClientDriver.Sent] = [:]
  private var taken = (sent: 0, log: 0, answered: 0)

  init(seed: UInt64, _ adjust: (inout WebimService.Settings) -> Void = { _ in }) {
    random = SeededGenerator(seed: seed)
    var configuration = WebimSession.Configuration()
    configuration.seed = seed
    // Who has been here before: its first init may be garbled, too.
    var memory = WebimSession.Memory(deviceID: "D1")
    memory.visitSessionID = "vs-0001"
    driver = ClientDriver(configuration, memory: memory)
    bench = ServiceBench(seed: seed, adjust)
    driver.start()
    pump()
  }

  mutating func perform(_ id: Int, _ action: Action) {
    actions[id] = action
    driver.perform(id, action)
    pump()
  }

  mutating func command(_ command: DeskCommand) {
    bench.desk(command)
    pump()
  }

  /// Lets the clock of both run, whatever is due first.
  mutating func pass(_ seconds: Double) {
    let end = driver.now + seconds
    while let next = nextTime, next <= end { step(to: next) }
    driver.now = end
    bench.now = end
  }

  private var nextTime: Double? {
    [flights.map(\.time).min(), driver.timers.values.min(), bench.timers.values.min()].compactMap { $0 }.min()
  }

  private mutating func step(to time: Double) {
    let now = max(time, driver.now)
    bench.pass(max(0, now - bench.now))
    driver.advance(max(0, now - driver.now))
    bench.now = now
    driver.now = now
    let due = flights.filter { $0.time <= now }.sorted { $0.time < $1.time }
    flights.removeAll { $0.time <= now }
    for (_, flight) in due {
      switch flight {
      case .request(let entry): arrive(entry)
      case .answer(let entry, let result):
        if driver.open.contains(entry) { driver.respond(entry, result) }
      }
    }
    pump()
  }

  private mutating func arrive(_ entry: ClientDriver.Sent) {
    guard driver.open.contains(entry) else { return }
    let exchange = bench.send(entry.request)
    exchanges[exchange] = entry
  }

  /// Moves what either end has just put out.
  private mutating func pump() {
    for entry in driver.sent[taken.sent...] { launch(entry) }
    taken.sent = driver.sent.count
    for exchange in bench.answered[taken.answered...] {
      guard let entry = exchanges.removeValue(forKey: exchange), let answer = bench.answers[exchange] else {
        continue
      }
      back(entry, answer)
    }
    taken.answered = bench.answered.count
    for (exchange, entry) in exchanges where !driver.open.contains(entry) {
      exchanges[exchange] = nil
      bench.abandon(exchange)
    }
    desk += bench.takeEvents()
    let log = driver.log[taken.log...]
    taken.log = driver.log.count
    for effect in log {
      switch effect {
      case .update(let update):
        events += conversation.apply(update)
      case .uncertain(let id): reconcile(id)
      default: break
      }
    }
    if taken.sent < driver.sent.count || taken.log < driver.log.count { pump() }
  }

  /// What the service has not done is done again, under a number of its own.
  private mutating func reconcile(_ id: Int) {
    guard let action = actions[id] else { return }
    if case .repeat = Settlement.reconcile(action, with: conversation) { perform(id + 1000, action) }
  }

  // MARK: The network

  private mutating func launch(_ entry: ClientDriver.Sent) {
    let delay = Double.random(in: 0...0.05, using: &random)
    if driver.now < outageUntil || isFaulty {
      let failure = WireFailure(code: .refused, detail: "refused", mayHaveBeenDelivered: false)
      flights.append((driver.now + delay, .answer(entry, .failure(failure))))
    } else {
      flights.append((driver.now + delay, .request(entry)))
    }
  }

  private mutating func back(_ entry: ClientDriver.Sent, _ answer: WireResponse) {
    var result: Result<WireResponse, WireFailure> = .success(answer)
    if isFaulty || driver.now < outageUntil {
      switch Int.random(in: 0..<4, using: &random) {
      case 0: result = .failure(WireFailure(code: .closed, detail: "cut", mayHaveBeenDelivered: true))
      case 1: result = .success(WireResponse(status: 502, body: Array("<html>".utf8)))
      case 2: result = .success(WireResponse(body: Array(answer.body.dropLast(1))))
      default: result = .success(WireResponse(body: Array("%&!".utf8)))
      }
    }
    let delay = Double.random(in: 0...0.05, using: &random)
    flights.append((driver.now + delay, .answer(entry, result)))
  }

  private var isFaulty: Bool {
    mutating get { Double.random(in: 0..<1, using: &random) < faults }
  }
}
