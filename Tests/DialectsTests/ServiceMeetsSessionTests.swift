import Chat
import Dialects
import JSON
import TestSupport
import Testing

/// Both ends of the protocol against each other, on a link that does as it is told.
@Suite struct ServiceMeetsSessionTests {
  @Test func `a whole visit runs between the two ends`() {
    var ends = BothEnds(seed: 1)
    ends.start()
    ends.perform(.startChat(clientID: "start", Action.StartChat(firstQuestion: "Where is it?")))
    let chat = ends.chat
    #expect(ends.conversation.chatState == .queue)
    ends.desk(.robot(chat, name: "Robby"))
    #expect(ends.conversation.chatState == .chattingWithRobot)
    ends.desk(.keyboard(chat, text: "Choose", rows: [[Button(id: "track", text: "Track")]]))
    let keyboard = ends.conversation.messages.last
    #expect(keyboard?.keyboard?.state == .pending)
    ends.perform(.pressButton(button: "track", message: keyboard?.serverID ?? ""))
    #expect(ends.conversation.messages.last?.kind == .keyboardResponse)
    #expect(ends.conversation.messages.first { $0.kind == .keyboard }?.keyboard?.state == .completed)

    ends.desk(.defineOperator(handle: "anna", name: "Anna", title: nil, avatar: nil, robotType: nil))
    ends.desk(.accept(chat, operator: "anna"))
    #expect(ends.conversation.operator?.name == "Anna")
    ends.desk(.say(chat, text: "It is on its way", quoting: nil))
    let said = ends.conversation.messages.last
    #expect(ends.conversation.unreadByVisitorMessageCount == 2)
    ends.perform(.reply(clientID: "r", text: "When?", quoted: said?.serverID))
    #expect(ends.conversation.messages.last?.quote?.text == "It is on its way")
    ends.perform(.edit("r", text: "When exactly?"))
    #expect(ends.conversation.messages.last?.text == "When exactly?")
    ends.perform(.send(clientID: "x", text: "oops", hintQuestion: nil, data: nil))
    ends.perform(.delete("x"))
    #expect(!ends.conversation.messages.contains { $0.id == "x" })
    ends.perform(.setChatRead(messageID: nil))
    #expect(ends.conversation.unreadByVisitorMessageCount == 0)
    ends.perform(.rateOperator(Action.Rating(stars: 5, operatorID: "999")))
    #expect(ends.refusals == ["wrong-operator-id"])
    ends.perform(.rateOperator(Action.Rating(stars: 5)))
    #expect(ends.conversation.chat?.ratings == ["501": 5])
    ends.perform(.closeChat)
    #expect(ends.conversation.chatState == .closedByVisitor)
    #expect(ends.errors.isEmpty)
  }

  @Test func `a survey runs between the two ends`() {
    var ends = BothEnds(seed: 1)
    ends.start()
    ends.perform(.startChat(clientID: "start", Action.StartChat()))
    let questions = [
      Survey.Question(kind: .stars, text: "How?"),
      Survey.Question(kind: .radio, text: "Solved?", options: ["yes", "no"]),
    ]
    ends.desk(.survey(ends.chat, forms: [DeskForm(handle: "q", questions: questions)]))
    #expect(ends.conversation.survey?.forms.first?.questions == questions)
    for (index, value) in ["4", "1"].enumerated() {
      guard let survey = ends.conversation.survey, let form = survey.forms.first else { break }
      let position = Survey.Position(formID: form.id, question: index)
      ends.perform(.answerSurvey(surveyID: survey.id, position, value: value))
    }
    #expect(ends.conversation.survey == nil)
    #expect(ends.bench.service.statistics.surveysFinished == 1)
    #expect(ends.refusals.isEmpty)
  }

  /// Requests and answers get lost, connections break, pages are taken away: each message is there once, in
  /// order.
  @Test(arguments: 0..<30)
  func `a bad link loses no message and doubles none`(seed: UInt64) {
    var ends = BothEnds(seed: seed)
    ends.start()
    ends.lossPercent = 25
    ends.perform(.startChat(clientID: "start", Action.StartChat()))
    for index in 0..<20 {
      ends.perform(.send(clientID: "c\(index)", text: "text \(index)", hintQuestion: nil, data: nil))
      switch (index, ends.chat) {
      case (5, 1...): ends.desk(.requireReinit(visitorID: ends.visitor))
      case (10, 1...): ends.desk(.fullUpdate(visitorID: ends.visitor))
      case (_, 1...): ends.desk(.info(ends.chat, text: "seen \(index)"))
      default: break
      }
      ends.pass(3)
    }
    ends.lossPercent = 0
    ends.pass(120)
    let statistics = ends.bench.service.statistics
    #expect(statistics.messages == Dictionary(uniqueKeysWithValues: (0..<20).map { ("c\($0)", 1) }))
    #expect(statistics.chatsStarted == 1)
    let mine = ends.conversation.messages.filter { $0.kind == .visitorMessage }
    #expect(mine.map(\.id) == (0..<20).map { "c\($0)" })
    #expect(Set(ends.conversation.messages.compactMap(\.serverID)).count == ends.conversation.messages.count)
    #expect(ends.errors.isEmpty)
  }
}

/// A session with its conversation, a service, and the link between them.
private struct BothEnds {
  var bench: ServiceBench
  private(set) var conversation = Conversation()
  private(set) var refusals: [String] = []
  private(set) var errors: [SessionError] = []
  private(set) var chat = 0
  private(set) var visitor = ""
  /// How many of a hundred requests, and of a hundred answers, are lost.
  var lossPercent = 0

  private var session: WebimSession
  private var generator: SeededGenerator
  private var timers: [WebimSession.TimerID: Double] = [:]
  /// Requests that the service holds, by exchange.
  private var waiting: [Int: Int] = [:]
  private var actions: [Int: Action] = [:]
  private var lastAction = 0

  init(seed: UInt64) {
    bench = ServiceBench(seed: seed)
    var configuration = WebimSession.Configuration()
    configuration.seed = seed
    session = WebimSession(configuration, memory: WebimSession.Memory(deviceID: "D1"))
    generator = SeededGenerator(seed: seed)
  }

  mutating func start() {
    take(session.start(now: bench.now))
  }

  mutating func perform(_ action: Action) {
    lastAction += 1
    actions[lastAction] = action
    take(session.perform(lastAction, action, now: bench.now))
    pass(0.1)
  }

  mutating func desk(_ command: DeskCommand) {
    let result = bench.desk(command)
    #expect(result.isSuccess, "\(result)")
    deliver()
  }

  /// Lets both clocks run, the earlier timer first.
  mutating func pass(_ seconds: Double) {
    let end = bench.now + seconds
    while let (timer, due) = timers.min(by: { $0.value < $1.value }), due <= end {
      bench.pass(max(0, due - bench.now))
      deliver()
      guard timers[timer] == due else { continue }
      timers[timer] = nil
      take(session.timerFired(timer, now: bench.now))
    }
    bench.pass(max(0, end - bench.now))
    deliver()
  }

  private mutating func take(_ effects: [WebimSession.Effect]) {
    for effect in effects {
      switch effect {
      case .send(let id, _, let request): send(id, request)
      case .cancel(let id):
        for (exchange, request) in waiting where request == id {
          waiting[exchange] = nil
          bench.abandon(exchange)
        }
      case .setTimer(let timer, let seconds): timers[timer] = bench.now + seconds
      case .cancelTimer(let timer): timers[timer] = nil
      case .update(let update): _ = conversation.apply(update)
      case .answered(_, let refusal): if let code = refusal?.serverCode { refusals.append(code) }
      case .uncertain(let id): if let action = actions[id] { perform(action) }
      case .fatal(let error): errors.append(error)
      case .connected, .notFatal, .remember: break
      }
    }
  }

  private mutating func isLost() -> Bool { Int.random(in: 0..<100, using: &generator) < lossPercent }

  private mutating func send(_ id: Int, _ request: WireRequest) {
    guard !isLost() else {
      let failure = WireFailure(code: .refused, detail: "lost on the way", mayHaveBeenDelivered: false)
      return take(session.responseReceived(id, .failure(failure), now: bench.now))
    }
    waiting[bench.send(request)] = id
    deliver()
  }

  /// Hands on what the service has answered, the oldest first, and hears what its desk was told.
  private mutating func deliver() {
    for event in bench.takeEvents() {
      if case .chatStarted(let started) = event { chat = started.id }
      if case .visitorArrived(let arrived) = event { visitor = arrived.id }
    }
    while let exchange = waiting.keys.filter({ bench.answers[$0] != nil }).min(),
      let id = waiting.removeValue(forKey: exchange), let response = bench.answers[exchange]
    {
      let failure = WireFailure(code: .closed, detail: "lost on the way back", mayHaveBeenDelivered: true)
      let result: Result<WireResponse, WireFailure> = isLost() ? .failure(failure) : .success(response)
      take(session.responseReceived(id, result, now: bench.now))
    }
  }
}
