package import Lua

/// Runs the coroutines of one script: their asks, their handlers in order, their waits and timers.
///
/// What bots and desks share. The host tells what has happened (``deliver(_:arguments:)``, ``settle(_:_:)``,
/// ``timerFired(_:)``, …) and then calls ``run(now:)``, which gives back what the script wants.
/// Deterministic: the same calls in the same order give the same effects.
///
///     what happened ──▶ queue ──▶ handlers, then waits ──▶ coroutine runs until it asks ──▶ effects
///                         ▲                                        │
///                         └── stands while the host answers a fetch ┘
package final class ScriptRunner {
  /// A coroutine of the script, numbered from 1 in the order of their starts.
  package typealias Coroutine = Int

  package enum Kind: Equatable, Sendable {
    /// Runs the file itself.
    case load
    case main
    /// Started by the script's own `spawn`.
    case spawned
    /// Of this listener.
    case handler(String)
  }

  package struct Options: Sendable {
    package var budget: LuaBudget
    package var seed: UInt64
    /// The limit of a wait that names none, in seconds.
    package var within: Double

    package init(budget: LuaBudget = .run, seed: UInt64 = 0, within: Double = 10) {
      self.budget = budget
      self.seed = seed
      self.within = within
    }
  }

  /// A chunk of the host's own, run before the script: see `LuaState.loadPrelude`.
  package struct Prelude: Sendable {
    package var name: String
    package var source: [UInt8]
    /// A JSON array.
    package var arguments: [UInt8]

    package init(name: String, source: [UInt8], arguments: [UInt8] = Array("[]".utf8)) {
      self.name = name
      self.source = source
      self.arguments = arguments
    }
  }

  /// Words that the runner answers itself, a turn: a script that says more is a runaway that no count of
  /// instructions would end, since each word begins a new one.
  static let wordsPerTurn = 10_000
  /// How many bytes of an answer count as a further word.
  static let bytesPerWord = 4096

  let lua: LuaState
  let vocabulary: Vocabulary
  let options: Options
  private let main: LuaReference

  var now = 0.0
  /// Whether the limits of waits run.
  var isConnected = true
  /// Whether the script has failed or was ended; nothing of it runs any more.
  package internal(set) var isEnded = false
  var fibers: [Int32: Fiber] = [:]
  /// The coroutine that waits for a request's answer or timer.
  var owners: [Int: Int32] = [:]
  /// The coroutines that wait for occurrences of a stream.
  var waiters: [Int: Set<Int32>] = [:]
  /// The coroutines that were started for a stream.
  var residents: [Int: Set<Int32>] = [:]
  /// By stream and name.
  var handlers: [Int: [String: [Handler]]] = [:]
  var log = OccurrenceLog()
  var queue: [Work] = []
  /// The request whose answer everything waits for.
  var fetching: Int?
  /// Streams in which something has changed since conditions were looked at.
  var changed: Set<Int> = []
  /// Coroutines whose condition was looked at after the last change.
  var upToDate: Set<Int32> = []
  var effects: [ScriptEffect] = []
  var digest = TurnDigest()
  var wordsLeft = ScriptRunner.wordsPerTurn
  /// What filters may still cost in this turn.
  var patternStepsLeft: Int
  var lastRequest = 0
  var lastCoroutine = 0
  var lastHandler = 0

  /// Builds the state, runs the preludes and compiles the script.
  ///
  /// The preludes of a host follow the shared one; together they define `subject(number)`, which gives the
  /// object that handlers of a stream get first.
  ///
  /// - Throws: ``ScriptFailure`` when the text is no Lua or does not fit its budget.
  package init(
    source: [UInt8], name: String, preludes: [Prelude], vocabulary: Vocabulary, options: Options
  ) throws(ScriptFailure) {
    self.vocabulary = vocabulary
    self.options = options
    patternStepsLeft = options.budget.patternSteps
    do throws(LuaError) {
      lua = try LuaState(budget: options.budget, seed: options.seed)
      for prelude in [Prelude.shared] + preludes {
        try lua.loadPrelude(prelude.source, name: prelude.name, arguments: prelude.arguments)
      }
      main = try lua.load(source, name: name)
    } catch {
      throw ScriptFailure(error)
    }
  }
}

// MARK: - What the host tells

extension ScriptRunner {
  /// Runs the file itself; its coroutine returns what the file returns.
  package func load() {
    queue.append(.load(main))
  }

  /// Starts a coroutine of a function that the script has given, and lets the function go; it gets the
  /// stream's object.
  package func start(_ function: LuaReference, kind: Kind, stream: Int = 0) {
    queue.append(.start(function, kind, stream: stream))
  }

  /// Gives each event of this name in this stream to a function, from now on.
  package func addHandler(_ function: LuaReference, for name: String, stream: Int = 0) {
    lastHandler += 1
    handlers[stream, default: [:]][name, default: []].append(Handler(id: lastHandler, function: function))
  }

  /// Whether anything of the script listens to this name, so that the host need not write what nobody reads.
  package func hasHandlers(for name: String, stream: Int) -> Bool {
    !self.handlers(for: name, stream: stream).isEmpty
  }

  /// Whether a stream has handlers of its own, or coroutines of any stream that wait for it.
  package func hasListeners(in stream: Int) -> Bool {
    waiters[stream] != nil || handlers[stream]?.values.contains { !$0.isEmpty } == true
  }

  /// Tells what has happened: first to handlers, then to waits.
  ///
  /// - Parameter arguments: JSON values for the listener's arguments, in the vocabulary's order.
  package func deliver(_ occurrence: Occurrence, arguments: [[UInt8]] = []) {
    queue.append(.occurrence(occurrence, arguments))
  }

  /// Answers a call: with a JSON value, or why not. An answer that nobody waits for is ignored.
  package func settle(_ request: Int, _ result: Result<[UInt8], ScriptError>) {
    // A word costs what its answer weighs: a long feed read in a loop spends the turn as well as many short
    // words.
    if case .success(let value) = result { wordsLeft -= value.count / Self.bytesPerWord }
    let work = Work.settle(request, result)
    if request == fetching { queue.insert(work, at: 0) } else { queue.append(work) }
  }

  /// Tells that a timer's time has come; one that was cancelled is ignored.
  package func timerFired(_ request: Int) {
    queue.append(.timer(request))
  }

  /// Tells whether the conversation is connected: limits of waits stand while it is not.
  package func connectionChanged(isConnected: Bool) {
    queue.append(.connection(isConnected))
  }

  /// Replaces a value of the prelude table, or sets its members; see `LuaState.assign`.
  package func assign(_ name: String, _ json: [UInt8], merge: Bool) {
    queue.append(.assign(name, json, merge: merge))
  }

  /// Tells that the time since the last call of ``run(now:)`` was spent without the script, which is
  /// connected now: limits of waits go on where they stood, and every timer is set anew.
  package func resumeClock() {
    queue.append(.resumed(since: now))
  }

  /// How many coroutines live in a stream.
  package func coroutineCount(in stream: Int) -> Int { residents[stream]?.count ?? 0 }

  /// Ends a stream: its coroutines, handlers and what has happened there are gone.
  package func endStream(_ stream: Int) {
    queue.append(.endStream(stream))
  }

  /// Runs the script until everything of it waits, and gives back what it wants.
  ///
  /// - Parameter now: Seconds since the epoch.
  package func run(now: Double) -> [ScriptEffect] {
    // What the host answers at once comes back at the same moment: it is the same turn that goes on.
    if now > self.now {
      wordsLeft = Self.wordsPerTurn
      patternStepsLeft = options.budget.patternSteps
    }
    self.now = max(self.now, now)
    lua.now = self.now
    repeat { drainQueue() } while lookAtConditions()
    defer { effects = [] }
    return effects
  }

  /// What was asked for since the last call.
  package func takeDigest() -> TurnDigest {
    defer { digest = TurnDigest() }
    return digest
  }
}

// MARK: - What the host asks

extension ScriptRunner {
  /// Whether a coroutine of such a kind lives or is about to start.
  package func isRunning(_ kinds: (Kind) -> Bool) -> Bool {
    fibers.values.contains { kinds($0.kind) }
      || queue.contains { work in
        switch work {
        case .start(_, let kind, _): return kinds(kind)
        case .handler(_, let name, _, _, _): return kinds(.handler(name))
        default: return false
        }
      }
  }

  /// What coroutines have asked of the host and not got yet, in the order of their requests.
  package var openCalls: [(request: Int, role: WordSpec.Role, call: ScriptCall)] {
    fibers.values.compactMap { fiber in
      guard case .calling(let request, let role, let call, _) = fiber.suspension else { return nil }
      return (request, role, call)
    }.sorted { $0.request < $1.request }
  }

  /// Where a coroutine asked last, for failures that know no line.
  package var lastPosition: LuaPosition? {
    fibers.values.max { $0.number < $1.number }?.position
  }

  /// The script's frames, innermost first, where the coroutine of an open request stands.
  package func traceback(ofRequest request: Int) -> String {
    owners[request].map { lua.traceback(of: $0) } ?? ""
  }

  /// Whether something is queued behind a fetch.
  package var isStalled: Bool { fetching != nil }

  /// Bytes of the script's state.
  package var memoryInUse: Int { lua.memoryInUse }

  /// Lets the script hold more than its budget said, since it has more to do; a lower limit is ignored.
  package func raiseMemory(to bytes: Int) { lua.raiseMemory(to: bytes) }

  /// Collects all garbage, for a script that will rest for long.
  package func collectGarbage() { lua.collectGarbage() }

  /// A value of the prelude table as JSON, nil while it is as at the last call; see `LuaState.serialize`.
  package func serialize(_ name: String, label: String) throws(ScriptFailure) -> [UInt8]? {
    do throws(LuaError) {
      return try lua.serialize(preludeValue: name, label: label)
    } catch {
      throw ScriptFailure(error)
    }
  }

  /// Ends the script: nothing of it runs any more. To-be-closed variables are closed.
  package func end() {
    isEnded = true
    for id in fibers.keys.sorted() { lua.drop(id) }
    fibers = [:]
    owners = [:]
    waiters = [:]
    residents = [:]
    queue = []
    changed = []
    upToDate = []
    fetching = nil
  }
}
