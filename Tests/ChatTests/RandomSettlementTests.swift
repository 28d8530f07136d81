import Chat
import TestSupport
import Testing

/// Whatever happens around them, actions end exactly once.
@Suite struct RandomSettlementTests {
  @Test(arguments: 0..<40 as Range<UInt64>)
  func `each action is settled exactly once`(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    var conversation = Conversation()
    var settlement = Settlement(isConnected: generator.oneIn(2))
    var begun: Set<Int> = []
    var settled: [Int] = []
    var now = 1_700_000_000.0
    for id in 0..<200 {
      now += Double(generator.integer(0...3000)) / 1000
      switch generator.integer(0...5) {
      case 0, 1:
        settlement.begin(id: id, generator.action(), in: conversation, now: now)
        begun.insert(id)
      case 2:
        let answered = generator.integer(0...id)
        let result: Result<Void, ActionError> =
          generator.oneIn(3) ? .failure(generator.actionError()) : .success(())
        settled += settlement.answered(id: answered, result, in: conversation).map(\.id)
      case 3: settlement.connectionChanged(isConnected: generator.oneIn(2), now: now)
      case 4: settled += settlement.expire(now: now).map(\.id)
      default: settled += settlement.apply(conversation.apply(generator.update()), in: conversation).map(\.id)
      }
      #expect(Set(settled).isDisjoint(with: settlement.ids))
    }
    settlement.connectionChanged(isConnected: true, now: now)
    while let deadline = settlement.deadline(now: now) {
      now = deadline
      settled += settlement.expire(now: now).map(\.id)
    }
    #expect(settled.count == begun.count)
    #expect(Set(settled) == begun)
  }

  @Test(arguments: 0..<20 as Range<UInt64>)
  func `a comparison with any state ends with a word`(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    var conversation = Conversation()
    for _ in 0..<200 {
      conversation.apply([generator.update()])
      let action = generator.action()
      if case .refused(let error) = Settlement.reconcile(action, with: conversation) {
        #expect(error.action == action.name)
      }
      if case .success(.pressButton(let button, _)) = conversation.press("B", onMessage: generator.word()) {
        #expect(button == "b")
      }
    }
  }
}
