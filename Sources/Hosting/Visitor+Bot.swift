import Bot
import Chat
import Dialects
import JSON
import Lua
import Script
import Store
import Transport

extension Visitor {
  /// Does what the bot wants.
  func perform(_ effect: BotEffect) {
    switch effect {
    case .perform(let request, let call):
      draft.asked(request, call)
      ask(request, call)
    case .fetch(let request, let call):
      draft.asked(request, call)
      feed(.settled(request: request, answer(call)))
    case .setTimer(let request, let seconds): setBotTimer(request, after: seconds)
    case .cancelTimer(let request): botTimers.removeValue(forKey: request).map(loop.cancel)
    case .log(let text, _): tell(.log(text))
    case .check(let name, let passed, let position):
      tell(.check(name: name, passed: passed, position: position?.description ?? spec.bot.name))
    case .metric(let name, let value, let unit): tell(.metric(name: name, value: value, unit: unit ?? ""))
    case .stepEnded(let name, let seconds): tell(.step(name: name, seconds: seconds))
    case .state(let json): draft.state = json
    case .finished: botEnded(.finished)
    case .failed(let failure): botEnded(.failed(failure))
    }
  }

  func setBotTimer(_ request: Int, after seconds: Double) {
    botTimers[request] = loop.schedule(after: seconds) { [weak self] in
      guard let self, !self.isOver else { return }
      self.botTimers[request] = nil
      self.feed(.timer(request: request))
    }
  }

  /// Takes an action in: into the outbox first, to the wire once that is kept.
  private func ask(_ request: Int, _ call: BotCall) {
    switch call.word {
    case "last_messages", "next_messages", "all_messages": return read(request, call)
    case "pause":
      session.pause()
      return feed(.settled(request: request, .success(Array("null".utf8))))
    case "resume":
      feed(.settled(request: request, .success(Array("null".utf8))))
      return perform(session.resume(now: loop.now))
    case "destroy":
      let isClearing = call["clear_visitor_data"]?.bool ?? false
      feed(.settled(request: request, .success(Array("null".utf8))))
      return perform(session.destroy(clearingVisitorData: isClearing, now: loop.now))
    default: break
    }
    switch call.resolve(in: conversation, newClientID: { clientID(of: request) }) {
    case nil: feed(.settled(request: request, answer(call)))
    case .failure(let error):
      tell(.refused(error))
      feed(.settled(request: request, .failure(error)))
    case .success(let action):
      tell(.action(action))
      takeIn(request, action)
    }
  }

  private func takeIn(_ request: Int, _ action: Action) {
    settlement.begin(id: request, action, in: conversation, now: loop.now)
    actions[request] = action
    draft.add(request, action)
    if let message = action.message(at: loop.now, in: conversation) { apply(.sending(message)) }
  }

  /// A client id that no other request of any visit has: 32 hexadecimal digits.
  private func clientID(of request: Int) -> String {
    var generator = SplitMix64(seed: spec.salt ^ UInt64(request) &* 0x9E37_79B9_7F4A_7C15)
    return generator.identifier
  }
}

extension Action {
  /// The message that stands in the feed while the action is under way.
  fileprivate func message(at now: Double, in conversation: Conversation) -> Message? {
    let timestamp = Int64(now * 1_000_000)
    switch self {
    case .send(let id, let text, _, _):
      return Message(id: id, kind: .visitorMessage, text: text, timestamp: timestamp, sendStatus: .sending)
    case .reply(let id, let text, let quoted):
      var message = Message(
        id: id, kind: .visitorMessage, text: text, timestamp: timestamp, sendStatus: .sending)
      var quote = Quote(state: .pending)
      quote.messageID = quoted
      message.quote = quote
      return message
    default: return nil
    }
  }
}
