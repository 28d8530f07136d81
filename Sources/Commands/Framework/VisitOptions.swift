/// Whom to visit: what every command that visits a service takes.
extension OptionSpec {
  package static let account = OptionSpec(
    "account", .text("NAME|URL"), "the service's account; without it a rehearsal starts inside the process")
  package static let desk = OptionSpec(
    "desk", .text("FILE"), "the desk that plays the rehearsal, in place of the built-in one")
  package static let dialect = OptionSpec(
    "dialect", .choice(["webim", "roxchat", "webim3", "edna"]), "how the service speaks", builtIn: "webim")
  package static let location = OptionSpec(
    "location", .text("NAME"), "where on the account the chat stands", builtIn: "mobile")
  package static let visitor = OptionSpec(
    "visitor", .text("NAME"),
    "who it is in transcripts and in the store: a NAME is one person in all runs (default: the bot's file)")
  package static let visitors = OptionSpec(
    "visitors", .integer(1...10_000), "visitors of each bot, side by side", builtIn: "1")
  package static let visitorFields = OptionSpec(
    "visitor-fields", .text("FILE"), "the visitor's signed fields, a JSON file")
  package static let authToken = OptionSpec(
    "auth-token", .text("TOKEN"),
    "the provided authorization token; better in VISITANT_AUTH_TOKEN, where no list of processes shows it")
  package static let header = OptionSpec(
    "header", .text("'K: V'"), "a header for every request", isRepeated: true)
  package static let cacert = OptionSpec("cacert", .text("FILE"), "certificates to trust, in PEM")
  package static let insecure = OptionSpec("insecure", .flag, "accept any certificate; the output says so")

  /// In the order of help.
  package static let whomToVisit: [OptionSpec] = [
    account, desk, dialect, location, visitor, visitors, visitorFields, authToken, header, cacert, insecure,
  ]
}

/// How a run goes: what every command that runs scripts takes.
extension OptionSpec {
  package static let noStore = OptionSpec("no-store", .flag, "keep nothing")
  package static let resume = OptionSpec(
    "resume", .flag, "go on with what the store holds of unfinished visits")
  package static let seed = OptionSpec(
    "seed", .integer(0...Int.max),
    "repeats a run: think times, random numbers, the rehearsal's ids, faults (default: drawn, printed)")
  package static let runFormat = OptionSpec(
    "format", .choice(["pretty", "json", "quiet"]), "a transcript, JSON lines, or only what went wrong",
    builtIn: "pretty")
  package static let trace = OptionSpec("trace", .flag, "print requests and answers, secrets masked")
  package static let timeLimit = OptionSpec("time-limit", .duration, "the longest visit", builtIn: "5m")
  package static let connectTime = OptionSpec(
    "connect-time", .duration, "how long to try for the first contact", builtIn: "30s")
  package static let within = OptionSpec(
    "within", .duration, "the limit of a wait that names none", builtIn: "10s")
  package static let grace = OptionSpec(
    "grace", .duration, "time to close the chats of an interrupted run", builtIn: "30s")
  package static let allowRead = OptionSpec(
    "allow-read", .text("PATH"), "let scripts read there too", isRepeated: true)
  package static let allowEnv = OptionSpec(
    "allow-env", .text("NAME"), "let scripts read this variable", isRepeated: true)
  package static let memoryPerVisitor = OptionSpec(
    "memory-per-visitor", .size, "what a visitor's script may hold", builtIn: "8M")
  package static let instructionsPerTurn = OptionSpec(
    "instructions-per-turn", .integer(1_000...Int.max), "what a script may do between two waits",
    builtIn: "10000000")

  /// Options that are known and not there yet.
  static let later = ["virtual-time", "sdk-checks"]

  /// In the order of help.
  package static let howToRun: [OptionSpec] = [
    store, noStore, resume, seed, runFormat, trace, timeLimit, connectTime, within, grace, allowRead,
    allowEnv,
    memoryPerVisitor, instructionsPerTurn,
  ]
}

/// Where a rehearsal listens.
extension OptionSpec {
  package static let port = OptionSpec(
    "port", .integer(0...65_535), "the port to listen on; 0 takes a free one", builtIn: "0")
  package static let bind = OptionSpec(
    "bind", .text("ADDRESS"), "the address to listen on", builtIn: "127.0.0.1")
  package static let hold = OptionSpec(
    "hold", .duration, "how long a poll with nothing to tell is held", builtIn: "25s")
  package static let serveTime = OptionSpec("for", .duration, "end by itself after this time")
}
