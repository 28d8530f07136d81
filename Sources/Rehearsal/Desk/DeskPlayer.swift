import Chat
import Dialects
import JSON
import Lua
import Script
import Transport

/// Plays a desk: tells its script what visitors did, and does what the script says.
///
/// One Lua state for all chats, a coroutine for each. An error ends the chat's play that raised it, a spent
/// budget ends the desk.
final class DeskPlayer {
  /// Words of one chat in one turn: a script that says more without waiting would go on for ever.
  static let wordsPerTurn = 2_000

  weak var host: (any DeskHost)?
  /// Operators who take the chats to come, one each.
  var acceptingNext: [String] = []
  /// Chats that are closed and that nothing of the script has to do with any more.
  var forgotten: Set<WebimService.ChatID> = []
  /// Chats that are closed and that no coroutine plays any more, but that the script still listens to.
  var lingering: Set<WebimService.ChatID> = []
  /// Chats that have closed in this turn.
  var justClosed: [WebimService.ChatID] = []
  let runner: ScriptRunner
  let files: ScriptFiles?
  private let loop: any Loop
  private let memoryPerChat: Int
  private var timers: [Int: LoopTimer] = [:]
  private var wordsSaid: [Int: Int] = [:]
  private var hasBegun = false
  private var isEnded = false

  init(
    desk: DeskSource, loop: any Loop, settings: RehearsalSettings, seed: UInt64
  ) throws(ScriptFailure) {
    self.loop = loop
    memoryPerChat = settings.memoryPerChat
    files = desk.files
    runner = try ScriptRunner(
      source: desk.text, name: desk.name,
      preludes: [
        ScriptRunner.Prelude(
          name: "desk.lua", source: PackageResources.desk_lua, arguments: DeskPlayer.preludeArguments)
      ], vocabulary: .deskWords,
      options: ScriptRunner.Options(budget: settings.budget, seed: seed, within: settings.within))
  }

  /// The names that the prelude makes methods, fields and handlers of.
  private static var preludeArguments: [UInt8] {
    JSONValue.array([Vocabulary.desk.deskNames, Vocabulary.deskChat.deskNames]).bytes
  }

  /// Runs the desk's file; its function begins when the file has returned it.
  func start() {
    runner.load()
    turn()
  }

  func stop() {
    isEnded = true
    runner.end()
    for timer in timers.values { loop.cancel(timer) }
    timers = [:]
  }

  /// Takes an event in; the script hears of it at the next ``turn()``.
  ///
  /// - Returns: The visitor it is about.
  func eventReceived(_ event: DeskEvent) -> String? {
    guard let host else { return event.visitor }
    forgetLingering(before: event, host)
    if isHeard(event) {
      let occurrence = event.occurrence(at: loop.now, service: host.service)
      runner.deliver(occurrence, arguments: event.arguments(occurrence))
    }
    switch event {
    case .chatStarted(let chat):
      runner.raiseMemory(to: (host.service.chatCount - forgotten.count) * memoryPerChat)
      acceptNext(chat.id, host)
    case .closed(let chat, _, _): justClosed.append(chat)
    default: break
    }
    return event.visitor ?? event.chat.flatMap { host.service.chat($0)?.visitorID }
  }

  /// Whether anything of the script may look at the event: no coroutine was started for a chat that is over.
  private func isHeard(_ event: DeskEvent) -> Bool {
    guard !isEnded else { return false }
    guard let chat = event.chat, forgotten.contains(chat) else { return true }
    if case .chatStarted = event {
      forgotten.remove(chat)
      return true
    }
    return runner.hasListeners(in: chat) || runner.hasHandlers(for: event.name, stream: chat)
      || runner.hasHandlers(for: "any", stream: chat)
  }

  /// Runs the script until everything of it waits.
  func turn() {
    wordsSaid = [:]
    while !isEnded {
      let effects = runner.run(now: loop.now)
      if effects.isEmpty {
        guard !justClosed.isEmpty else { return }
        forgetClosed()
      }
      for effect in effects { handle(effect) }
    }
  }

  private func handle(_ effect: ScriptEffect) {
    switch effect {
    case .call(let request, _, let call): answer(request, call)
    case .setTimer(let request, let seconds): setTimer(request, after: seconds)
    case .cancelTimer(let request): timers.removeValue(forKey: request).map(loop.cancel)
    case .note(let note): tell(note)
    case .returned(_, let values): begin(values)
    case .failed(let failure): fail(failure)
    }
  }

  private func setTimer(_ request: Int, after seconds: Double) {
    timers[request] = loop.schedule(after: seconds) { [weak self] in
      guard let self, !isEnded else { return }
      timers[request] = nil
      runner.timerFired(request)
      turn()
    }
  }

  private func tell(_ note: ScriptNote) {
    guard case .log(let text, _) = note else { return }
    host?.deskDid(.log(text), visitor: nil, chat: nil)
  }

  func fail(_ failure: ScriptFailure) {
    host?.deskFailed(failure, visitor: nil, chat: nil)
    stop()
  }

  /// The desk's file has returned: its function is the desk. Later returns are of other coroutines.
  private func begin(_ values: [UInt8]) {
    guard !hasBegun else { return }
    hasBegun = true
    let value = (try? JSONNode(parsing: values))?.elements.first?.value
    guard let function = value?["$function"]?.integer.flatMap(Int32.init(exactly:)) else {
      fail(
        ScriptFailure(
          kind: .script, message: "a desk's file returns a function: return function(desk) … end"))
      return
    }
    runner.start(LuaReference(id: function), kind: .main)
  }

  private func answer(_ request: Int, _ call: ScriptCall) {
    wordsSaid[call.subject, default: 0] += 1
    guard wordsSaid[call.subject, default: 0] <= Self.wordsPerTurn else {
      fail(
        ScriptFailure(
          wordsSpent: Self.wordsPerTurn, "a turn of a chat", position: call.position,
          traceback: runner.traceback(ofRequest: request)))
      return
    }
    switch perform(call) {
    case .success(let value): runner.settle(request, .success(value.bytes))
    case .failure(let error): runner.settle(request, .failure(error))
    }
  }
}
