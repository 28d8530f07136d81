internal import Chat
internal import JSON
internal import Lua
package import Script

/// The script of one visitor as a machine: inputs in, effects out, the same for the same inputs.
///
///     var effects = runner.receive(.fields(fields), now: now)
///     effects += runner.receive(.start, now: now)
///     // … perform, and give back what happened:
///     effects = runner.receive(.settled(request: 1, .success(message)), now: now)
///
/// Each input is one turn; its digest stands in the journal beside it. After a crash, a fresh runner is given
/// the journal with ``replay(_:at:expecting:)`` and then ``goLive(now:)``.
///
///     waiting ──start──▶ loading ──the file has returned──▶ running ──▶ stopping ──▶ ended
///                                                              └──an error nobody caught──▶ ended
///
/// The visit ends when `run` and all that it has spawned have returned; without `run`, when the chat has
/// closed and all handlers have returned, or after `destroy`; at a `stop`. `on_stop` handlers have the last
/// word.
package final class BotRunner {
  private enum Phase: Equatable {
    case waiting
    case loading
    case running(hasMain: Bool)
    case stopping
    case ended
  }

  /// The name that the bot's table gives, else the file's.
  package private(set) var name: String
  /// What the last turn asked for, to be kept in the journal beside its input.
  package private(set) var digest = ""

  private let file: String
  private let runner: ScriptRunner
  private var phase = Phase.waiting
  /// What came before the script could take it.
  private var early: [BotInput] = []
  /// Whether the chat has closed.
  private var isOver = false
  private var isDestroyed = false
  private var destroying: Set<Int> = []
  private var effects: [BotEffect] = []
  private var hasState = false

  /// Compiles a bot.
  ///
  /// - Parameters:
  ///   - source: The text of the file.
  ///   - name: What errors call it, such as `bots/first_visit.lua`.
  /// - Throws: ``ScriptFailure`` when the text is no Lua, or does not fit its budget.
  package init(
    source: [UInt8], name: String, options: ScriptRunner.Options = ScriptRunner.Options()
  ) throws(ScriptFailure) {
    self.name = name
    file = name
    runner = try ScriptRunner(
      source: source, name: name, preludes: [.bot], vocabulary: .bot, options: options)
  }

  /// Bytes of the script's state.
  package var memoryInUse: Int { runner.memoryInUse }

  /// Collects all garbage, for a visitor that will rest for long.
  package func collectGarbage() { runner.collectGarbage() }

  /// Feeds one input and runs the script until it waits.
  ///
  /// - Parameter now: Seconds since the epoch; never less than at the last input.
  package func receive(_ input: BotInput, now: Double) -> [BotEffect] {
    defer {
      effects = []
      digest = runner.takeDigest().description
    }
    guard phase != .ended else { return [] }
    take(input, now: now)
    run(now)
    finishIfDone(now)
    return effects
  }

  /// Feeds one journalled input.
  ///
  /// - Returns: Its effects, which have been done already.
  /// - Throws: ``ScriptFailure`` when the script now asks for something else than `digest` tells, or fails.
  @discardableResult
  package func replay(
    _ input: BotInput, at now: Double, expecting digest: String
  ) throws(ScriptFailure) -> [BotEffect] {
    let effects = receive(input, now: now)
    for case .failed(let failure) in effects { throw failure }
    guard self.digest != digest else { return effects }
    let journal = TurnDigest(digest) ?? TurnDigest()
    let script = TurnDigest(self.digest) ?? TurnDigest()
    guard let difference = script.difference(from: journal) else { return effects }
    phase = .ended
    runner.end()
    throw ScriptFailure(
      kind: .script, message: "the script has left its journal: \(difference.message)",
      position: difference.line.map { LuaPosition(source: file, line: $0) })
  }

  /// What stands open after a replay.
  package struct Outstanding {
    /// Actions that were asked for and not settled, in the order of their requests.
    package var performing: [(request: Int, call: BotCall)] = []
    /// Questions to the host that were not answered: answer them before any other input.
    package var fetching: [(request: Int, call: BotCall)] = []
    /// The turn of ``BotInput/resumed``, with the timers to set.
    package var effects: [BotEffect] = []
  }

  /// Ends a replay: the timers are set anew, limits of waits go on where they stood, `visitor.resumed` is
  /// true.
  ///
  /// This is the turn of ``BotInput/resumed`` at `now`: keep it in the journal with ``digest``.
  package func goLive(now: Double) -> Outstanding {
    var outstanding = Outstanding()
    for open in runner.openCalls {
      if open.role == .fetch {
        outstanding.fetching.append((open.request, open.call))
      } else {
        outstanding.performing.append((open.request, open.call))
      }
    }
    outstanding.effects = receive(.resumed, now: now)
    return outstanding
  }
}

// MARK: - Inputs

extension BotRunner {
  private func take(_ input: BotInput, now: Double) {
    switch (phase, input) {
    case (.waiting, .start):
      phase = .loading
      runner.load()
    case (.waiting, .event), (.loading, .event): early.append(input)
    case (.waiting, .stop), (.loading, .stop):
      runner.end()
      finish()
    case (_, .start): break
    case (_, .fields(let json)): runner.assign("fields", json, merge: true)
    case (_, .event(let event)): take(event, now: now)
    case (_, .settled(let request, let result)): settle(request, result)
    case (_, .timer(let request)): runner.timerFired(request)
    case (_, .resumed):
      runner.resumeClock()
      runner.assign("fields", Array(#"{"resumed":true}"#.utf8), merge: true)
    case (_, .stop(let reason)): stop(reason, now: now)
    }
  }

  private func take(_ event: ChatEvent, now: Double) {
    switch event {
    case .connection(let isConnected): runner.connectionChanged(isConnected: isConnected)
    case .chatState(let old, let new) where old.isClosed != new.isClosed: isOver = new.isClosed
    default: break
    }
    runner.deliver(event.occurrence(at: now), arguments: arguments(of: event))
  }

  /// Written only where somebody listens.
  private func arguments(of event: ChatEvent) -> [[UInt8]] {
    let isHeard = runner.hasHandlers(for: event.name, stream: 0) || runner.hasHandlers(for: "any", stream: 0)
    return isHeard ? event.arguments : []
  }

  private func settle(_ request: Int, _ result: Result<[UInt8], ActionError>) {
    let isEnd = destroying.remove(request) != nil
    switch result {
    case .success(let value):
      if isEnd {
        isDestroyed = true
        // It will not be connected again: limits of waits must not stand for that.
        runner.connectionChanged(isConnected: true)
      }
      runner.settle(request, .success(value))
    case .failure(let error):
      // What a prelude asked on the script's behalf is no word that the script knows.
      let isHosts = Vocabulary.bot.hostWords.contains { $0.name == error.action }
      let message = isHosts ? error.detail ?? error.description : error.description
      runner.settle(
        request,
        .failure(
          ScriptError(
            code: error.code, serverCode: error.serverCode, action: error.action, detail: error.detail,
            message: message)))
    }
  }

  private func stop(_ reason: String, now: Double) {
    guard phase != .stopping else { return }
    phase = .stopping
    let word = JSONValue.string(reason).bytes
    runner.deliver(
      Occurrence(at: now, name: "stop", summary: "stop: \(reason)", value: word), arguments: [word])
  }
}

// MARK: - Effects

extension BotRunner {
  private func run(_ now: Double) {
    guard phase != .ended else { return }
    for effect in runner.run(now: now) { take(effect, now: now) }
  }

  private func take(_ effect: ScriptEffect, now: Double) {
    switch effect {
    case .call(let request, let role, let call):
      if call.word == "destroy" { destroying.insert(request) }
      effects.append(role == .fetch ? .fetch(request: request, call) : .perform(request: request, call))
    case .setTimer(let request, let after): effects.append(.setTimer(request: request, after: after))
    case .cancelTimer(let request): effects.append(.cancelTimer(request: request))
    case .note(let note): effects.append(BotEffect(note))
    case .returned(_, let values): if phase == .loading { loaded(values, now: now) }
    case .failed(let failure): fail(failure)
    }
  }

  /// The file has returned: its handlers listen, the script begins, and what came meanwhile follows.
  private func loaded(_ values: [UInt8], now: Double) {
    let script: BotScript
    do throws(ScriptFailure) {
      script = try BotScript(returned: values, file: file)
    } catch {
      return fail(error)
    }
    name = script.name ?? file
    phase = .running(hasMain: script.run != nil)
    for handler in script.handlers { runner.addHandler(handler.function, for: handler.listener) }
    runner.deliver(Occurrence(at: now, name: "start", summary: "start", value: Array("true".utf8)))
    if let function = script.run { runner.start(function, kind: .main) }
    let waiting = early
    early = []
    for input in waiting { take(input, now: now) }
    run(now)
  }

  /// Looks whether the visit has come to its end, and tells `visitor.state` where it has changed.
  private func finishIfDone(_ now: Double) {
    if case .running(let hasMain) = phase, !runner.isStalled {
      let isAtWork = runner.isRunning { kind in
        switch kind {
        case .main: true
        // Without a function to come to its end, a destroyed visit is over.
        case .spawned: hasMain || !isDestroyed
        case .handler: !hasMain
        case .load: false
        }
      }
      if !isAtWork, hasMain || isOver || isDestroyed {
        stop(isDestroyed ? "destroyed" : hasMain ? "finished" : "closed", now: now)
        run(now)
      }
    }
    guard phase != .ended else { return }
    tellState()
    if phase == .stopping, !runner.isStalled, !runner.isRunning({ $0 == .handler("stop") }) { finish() }
  }

  private func tellState() {
    do throws(ScriptFailure) {
      guard let state = try runner.serialize("state", label: "visitor.state") else { return }
      let isFirst = !hasState
      hasState = true
      if !isFirst || (state != Array("{}".utf8) && state != Array("[]".utf8)) {
        effects.append(.state(state))
      }
    } catch {
      var failure = error
      failure.position = failure.position ?? runner.lastPosition
      fail(failure)
    }
  }

  private func finish() {
    phase = .ended
    runner.end()
    effects.append(.finished)
  }

  private func fail(_ failure: ScriptFailure) {
    guard phase != .ended else { return }
    phase = .ended
    runner.end()
    effects.append(.failed(failure))
  }
}

extension BotEffect {
  fileprivate init(_ note: ScriptNote) {
    switch note {
    case .log(let text, let position): self = .log(text, position)
    case .check(let name, let passed, let position): self = .check(name: name, passed: passed, position)
    case .metric(let name, let value, let unit): self = .metric(name: name, value: value, unit: unit)
    case .stepEnded(let name, let duration): self = .stepEnded(name: name, duration: duration)
    }
  }
}
