import Bot
import Chat
import Dialects
import Store
import Transport

extension Visitor {
  /// The request under which an interrupted visit closes its chat; a bot's requests count from 1.
  static let closingRequest = -1

  /// Ends the visit: the bot hears of it, the store keeps it, then the connections close.
  func stop(_ outcome: VisitOutcome) {
    guard phase == .connecting || phase == .live else { return }
    let hadBegun = phase == .live
    step {
      phase = .stopping(outcome)
      if hadBegun, outcome != .finished { feed(.stop(reason: outcome.name)) }
      finish()
    }
  }

  /// Ends the visit within the grace: the bot has its last words, for half of it at most, then the chat is
  /// closed.
  package func interrupt() {
    guard phase == .live, session.isConnected else { return stop(.interrupted) }
    step {
      beginInterrupt()
      feed(.stop(reason: VisitOutcome.interrupted.name))
    }
  }

  func beginInterrupt() {
    phase = .stopping(.interrupted)
    closesChat = true
    let grace = spec.limits.grace
    limitTimers += [
      loop.schedule(after: grace / 2) { [weak self] in self?.botEnded(.interrupted) },
      loop.schedule(after: grace) { [weak self] in self?.finish() },
    ]
  }

  /// The bot will ask for nothing more, or has had its time.
  func botEnded(_ outcome: VisitOutcome) {
    guard closesChat else { return stop(outcome) }
    closesChat = false
    guard conversation.hasChat, !conversation.chatState.isClosed else { return finish() }
    step {
      settlement.begin(id: Self.closingRequest, .closeChat, in: conversation, now: loop.now)
      actions[Self.closingRequest] = .closeChat
      tell(.action(.closeChat))
      perform(session.perform(Self.closingRequest, .closeChat, now: loop.now))
    }
  }

  /// Keeps the end; what cannot be resumed is marked so.
  func finish() {
    guard case .stopping(let outcome) = phase else { return }
    switch outcome {
    case .unreachable, .storeFailed: close(outcome)
    case .finished, .failed, .ended, .timeLimit, .interrupted:
      step { draft.end = VisitEnd(at: loop.now, reason: outcome.name, status: outcome.status) }
    }
  }

  func connectTimePassed() {
    guard phase == .connecting else { return }
    let trouble = lastTrouble.isEmpty ? "no answer" : lastTrouble
    stop(.unreachable("\(spec.account): \(trouble), for \(Int(spec.limits.connect)) s"))
  }

  func visitTimePassed() {
    stop(.timeLimit(spec.limits.visit, connected: phase == .live))
  }
}
