import Chat
import JSON
import TestSupport
import Testing

/// Against a truthful service: after outages, repeats and crashes the visitor knows all there is, told once.
@Suite struct DeliveryTests {
  @Test(arguments: 0..<40 as Range<UInt64>)
  func `each message is told exactly once, and in the end the feed is the service's`(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    var visit = try Visit(&generator)
    for _ in 0..<300 { try visit.step(&generator) }
    try visit.synchronize()
    let (known, existing) = (visit.conversation.messages.map(\.id), visit.service.messages.map(\.id))
    #expect(Set(known).subtracting(existing).isEmpty, "still known")
    #expect(Set(existing).subtracting(known).isEmpty, "not known")
    #expect(known == existing)
    #expect(zip(visit.conversation.messages, visit.service.messages).allSatisfy { $0.looksLike($1) })
    #expect(visit.told.filter { $0.value > 1 }.isEmpty, "told more than once")
    for message in visit.service.messages where !visit.knownBefore.contains(message.id) {
      #expect(visit.told[message.id] == 1, "\(message.id) was told \(visit.told[message.id] ?? 0) times")
    }
  }

  struct Visit {
    var service = ModelService()
    var conversation = Conversation()
    /// How often each message was told, less how often it was removed.
    var told: [String: Int] = [:]
    /// What was there before the visitor came.
    var knownBefore: Set<String> = []
    private var sent = 0
    private var inFlight: [String] = []

    init(_ generator: inout SeededGenerator) throws {
      for _ in 0..<generator.integer(0...20) { service.happen(&generator) }
      knownBefore = Set(service.messages.map(\.id))
      try synchronize()
    }

    mutating func step(_ generator: inout SeededGenerator) throws {
      switch generator.integer(0...19) {
      case 0...5: service.happen(&generator)
      case 6...11: deliver(twice: generator.oneIn(4))
      case 12, 13: send()
      case 14, 15: receive()
      case 16: service.askHistory()
      case 17: service.answerHistory().map { take($0) }
      case 18: try reconnect(crashing: generator.oneIn(2))
      default: take(service.snapshot, emptyingQueue: true)
      }
    }

    /// Brings everything across: what is in flight arrives, the state is compared, history is read to its
    /// end.
    mutating func synchronize() throws {
      try reconnect(crashing: false)
      while !inFlight.isEmpty { receive() }
      while deliver(twice: false) {}
      service.askHistory()
      service.answerHistory().map { take($0) }
    }

    private mutating func send() {
      sent += 1
      inFlight.append("v\(sent)")
      take(
        .sending(
          Message(id: "v\(sent)", kind: .visitorMessage, text: "v\(sent)", timestamp: 7, sendStatus: .sending)
        ))
    }

    private mutating func receive() {
      guard let first = inFlight.first else { return }
      inFlight.removeFirst()
      service.receive(first)
    }

    @discardableResult
    private mutating func deliver(twice: Bool) -> Bool {
      guard let update = service.deliver() else { return false }
      take(update)
      if twice { #expect(conversation.apply(update).isEmpty, "\(update) again") }
      return true
    }

    private mutating func reconnect(crashing: Bool) throws {
      service.disconnect()
      if crashing {
        conversation = try #require(Conversation(json: JSONNode(parsing: conversation.json())))
      }
      take(service.snapshot)
      service.askHistory()
    }

    /// A full update in mid-flight tells everything that was still to be delivered.
    private mutating func take(_ update: Update, emptyingQueue: Bool) {
      if emptyingQueue { while service.deliver() != nil {} }
      take(update)
    }

    private mutating func take(_ update: Update) {
      for event in conversation.apply(update) {
        switch event {
        case .messageAdded(let message, _): told[message.id, default: 0] += 1
        case .messageRemoved(let message): told[message.id, default: 0] -= 1
        default: break
        }
      }
    }
  }
}
