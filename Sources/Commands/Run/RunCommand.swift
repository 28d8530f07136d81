import Bot
import Dialects
import Glibc
import Hosting
import JSON
import Lua
import Rehearsal
import Script
import Transport

extension Command {
  static let run = Command(
    CommandSpec(
      name: "run", summary: "Runs bots as visitors and prints their conversations.",
      examples: [
        "visitant run bots/first_visit.lua",
        "visitant run bots/*.lua --account http://127.0.0.1:8080 --format json",
        "visitant run bots/first_visit.lua --account http://127.0.0.1:8080 --resume",
      ],
      operands: Operands("BOT.lua …", 1...10_000, "at least one bot's file"),
      groups: [OptionSpec.whomToVisit, OptionSpec.howToRun],
      statuses: [
        (.success, "every bot has ended well"),
        (.failed, "an expectation failed, an action was refused, or time ran out"),
        (.usage, "wrong usage"), (.unreachable, "the service could not be reached"),
        (.visitEnded, "the service ended a visit"), (.host, "trouble of this host: store, port, disk"),
        (.script, "a script failed"), (.interrupted, "interrupted; chats were closed first"),
      ],
      notes: [
        "Without --account a rehearsal of the service starts inside the process. All bots run side by side. "
          + "A NAME of an account, such as demo, means https://demo.webim.ru. TIME is 250ms, 90s, 2m or 1h30m; "
          + "SIZE is 64K or 2M."
      ])
  ) { arguments, terminal throws(CommandFailure) in
    let plan = try RunPlan(arguments)
    return try RunSession(plan, terminal: terminal).run()
  }
}

extension Arguments {
  /// The seed that was given, or one that is drawn: short enough to be typed again.
  func seed() -> UInt64 { integer(.seed).map { UInt64($0) } ?? UInt64.random(in: 1...999_999) }

  func dialect() throws(CommandFailure) -> String {
    let dialect = text(.dialect) ?? "webim"
    guard dialect == "webim" else {
      throw .usage("--dialect \(dialect) comes with a later version; this one speaks webim")
    }
    return dialect
  }
}

extension RunPlan {
  /// Reads what was said to `visitant run`.
  ///
  /// - Throws: ``CommandFailure`` with status 2 for wrong usage, 107 for a script that does not load.
  init(_ arguments: Arguments) throws(CommandFailure) {
    seed = arguments.seed()
    dialect = try arguments.dialect()
    access = try ScriptAccess(arguments)
    try readService(arguments)
    format = arguments.text(.runFormat).flatMap { Format(rawValue: $0) } ?? .pretty
    isTraced = arguments.isOn(.trace)
    limits.visit = arguments.seconds(.timeLimit) ?? limits.visit
    limits.connect = arguments.seconds(.connectTime) ?? limits.connect
    guard limits.visit > 0, limits.connect > 0 else {
      throw .usage("--time-limit and --connect-time are longer than nothing")
    }
    limits.grace = arguments.seconds(.grace) ?? limits.grace
    link.certificates = arguments.text(.cacert)
    link.insecure = arguments.isOn(.insecure)
    link.proxyFromEnvironment = true
    if let path = link.certificates { _ = try TextFile.read(path) }
    try readStore(arguments)
    try readSession(arguments)
    try readScripts(arguments)
  }

  private mutating func readService(_ arguments: Arguments) throws(CommandFailure) {
    let (played, visited) = (arguments.strength(.desk), arguments.strength(.account))
    guard min(played, visited) < 2 else {
      throw .usage("--desk plays the rehearsal in this process; with --account somebody else answers")
    }
    // A project's file may name both: the account to visit, and the desk of a rehearsal elsewhere.
    if played <= visited { account = try Self.account(arguments.text(.account)) }
    if account == nil, let path = arguments.text(.desk) { desk = try DeskSource(path, access: access) }
  }

  private static func account(_ text: String?) throws(CommandFailure) -> String? {
    guard let text else { return nil }
    do throws(AccountError) {
      return try Account(text).url
    } catch {
      throw .usage("--account \(error)")
    }
  }

  private mutating func readStore(_ arguments: Arguments) throws(CommandFailure) {
    let (none, resumed, named) = (
      arguments.strength(.noStore), arguments.strength(.resume), arguments.strength(.store)
    )
    guard none <= max(resumed, named) else { return }
    if none > 0 {
      guard resumed != none || named > none else {
        throw .usage("--resume needs a store; --no-store keeps none")
      }
      guard named != none || resumed > none else { throw .usage("--store and --no-store: one of them") }
    }
    isResuming = arguments.isOn(.resume)
    store = arguments.text(.store)
  }

  private mutating func readSession(_ arguments: Arguments) throws(CommandFailure) {
    session.location = arguments.text(.location) ?? "mobile"
    let (signed, provided) = (arguments.strength(.visitorFields), arguments.strength(.authToken))
    guard signed == 0 || signed != provided else {
      throw .usage("--visitor-fields and a provided token: a visitor is known by one of them")
    }
    if signed > provided, let path = arguments.text(.visitorFields) {
      session.visitorFields = String(validating: try TextFile.read(path), as: UTF8.self)
      guard session.visitorFields != nil else {
        throw .usage("--visitor-fields \(path): it is no UTF-8 text")
      }
    } else {
      session.authorizationToken =
        arguments.text(.authToken) ?? getenv("VISITANT_AUTH_TOKEN").map { String(cString: $0) }
    }
    if let fields = session.visitorFields, (try? JSONNode(parsing: fields))?.isObject != true {
      throw .usage("--visitor-fields \(arguments.text(.visitorFields) ?? ""): the file holds no JSON object")
    }
    for line in arguments.all(.header) {
      let parts = line.split(separator: ":", maxSplits: 1).map { $0.trimmingPrefix { $0 == " " } }
      guard parts.count == 2, !parts[0].isEmpty, !line.contains(where: \.isNewline) else {
        throw .usage("--header '\(line)': it is a name, a colon and a value")
      }
      guard !Self.ownHeaders.contains(parts[0].lowercased()) else {
        throw .usage("--header '\(line)': the connection itself sets \(parts[0])")
      }
      session.headers.append(WireRequest.Parameter(String(parts[0]), String(parts[1])))
    }
  }

  /// Headers that say where a request ends or goes.
  private static let ownHeaders: Set = ["content-length", "transfer-encoding", "host", "connection"]

  private mutating func readScripts(_ arguments: Arguments) throws(CommandFailure) {
    var budget = LuaBudget.run
    budget.memory = arguments.bytes(.memoryPerVisitor) ?? budget.memory
    guard budget.memory >= 128 << 10 else {
      throw .usage("--memory-per-visitor: a script needs 128K at the least")
    }
    budget.instructions = arguments.integer(.instructionsPerTurn) ?? budget.instructions
    budget.patternSteps = budget.instructions
    let within = arguments.seconds(.within) ?? 10
    let count = arguments.integer(.visitors) ?? 1
    let given = arguments.text(.visitor)
    isNamed = given != nil
    let isSingle = arguments.operands.count * count == 1
    var taken: Set<String> = []
    for path in arguments.operands {
      let bot = BotSource(name: path, text: try TextFile.read(path), budget: budget, within: within)
      try Self.load(bot, seed)
      let isNumbered = given != nil ? !isSingle : count > 1
      for _ in 0..<count {
        let name = Self.free(given ?? Self.stem(path), isNumbered: isNumbered, taken)
        taken.insert(name)
        visits.append(Visit(visitor: name, bot: bot))
      }
    }
  }

  /// The name, if it need not be numbered and nobody has it, else with the first number that is free.
  private static func free(_ name: String, isNumbered: Bool, _ taken: Set<String>) -> String {
    if !isNumbered, !taken.contains(name) { return name }
    let first = isNumbered ? 1 : 2
    return (first...first + taken.count).lazy.map { "\(name)-\($0)" }.first { !taken.contains($0) } ?? name
  }

  /// A bot that does not load is told before anybody is visited.
  private static func load(_ bot: BotSource, _ seed: UInt64) throws(CommandFailure) {
    do throws(ScriptFailure) {
      _ = try BotRunner(
        source: bot.text, name: bot.name, options: ScriptRunner.Options(budget: bot.budget, seed: seed))
    } catch {
      throw CommandFailure(.script, error.description)
    }
  }

  private static func stem(_ path: String) -> String {
    let file = path.split(separator: "/").last.map(String.init) ?? path
    return file.hasSuffix(".lua") ? String(file.dropLast(4)) : file
  }
}

extension DeskSource {
  /// A desk's file.
  init(_ path: String, access: ScriptAccess) throws(CommandFailure) {
    let folder = path.lastIndex(of: "/").map { String(path[..<$0]) } ?? "."
    self = .script(source: try TextFile.read(path), name: path, folder: folder, access: access)
  }
}

extension ScriptAccess {
  init(_ arguments: Arguments) throws(CommandFailure) {
    self.init(readable: arguments.all(.allowRead))
    for name in arguments.all(.allowEnv) {
      let value = getenv(name)
      let text = value.flatMap { String(validatingCString: $0) }
      guard value == nil || text != nil else {
        throw .usage("--allow-env \(name): its value is no UTF-8 text")
      }
      environment[name] = .some(text)
    }
  }
}
