import Script
import Store

extension OptionSpec {
  package static let store = OptionSpec(
    "store", .text("FILE"), "the store to write, or to read", builtIn: ".visitant/visitant.db")
  static let ratings = OptionSpec("ratings", .flag, "the ratings that operators were given")
  static let surveys = OptionSpec("surveys", .flag, "the answers to surveys")
  static let runs = OptionSpec("runs", .flag, "the runs of visitant")
  static let reportFormat = OptionSpec(
    "format", .choice(Report.Format.allCases.map(\.rawValue)), "for people, as JSON lines, or for a table",
    builtIn: "pretty")
}

extension Command {
  static let history = Command(
    CommandSpec(
      name: "history", summary: "Reads the store: visitors, conversations, ratings, surveys and runs.",
      examples: ["visitant history", "visitant history alice", "visitant history --ratings --format csv"],
      operands: Operands("[VISITOR]", 0...1, "at most one visitor"),
      groups: [[.ratings, .surveys, .runs], [.store, .reportFormat]],
      statuses: [
        (.success, "read"), (.usage, "wrong usage, no such store or visitor"),
        (.host, "the store is damaged, newer or locked"),
      ],
      notes: [
        "Without an option it lists the visitors, or prints the conversation of the one that is named. "
          + "With --ratings or --surveys a VISITOR narrows the list. It may read while a run writes.",
        "As CSV, texts are what people wrote, also where they begin with = + - or @: let a spreadsheet import the "
          + "columns as text, or it takes them for formulas. Control characters are replaced.",
      ])
  ) { arguments, terminal throws(CommandFailure) in
    try History(arguments, terminal).print()
    return .success
  }
}

/// One look into a store.
struct History {
  private enum View {
    case visitors, conversation, ratings, surveys, runs
  }

  private let view: View
  private let visitor: String?
  private let format: Report.Format
  private let reader: StoreReader
  private let terminal: Terminal

  init(_ arguments: Arguments, _ terminal: Terminal) throws(CommandFailure) {
    visitor = arguments.operands.first
    let options: [(OptionSpec, View)] = [(.ratings, .ratings), (.surveys, .surveys), (.runs, .runs)]
    let asked = options.filter { arguments.isOn($0.0) }
    guard asked.count < 2 else {
      throw .usage("\(asked.map { "--\($0.0.name)" }.joined(separator: " and ")): one of them at a time")
    }
    view = asked.first?.1 ?? (visitor == nil ? .visitors : .conversation)
    if view == .runs, let visitor {
      throw .usage("--runs lists all runs; it takes no visitor, but here is \(visitor)")
    }
    format = arguments.text(.reportFormat).flatMap { Report.Format(rawValue: $0) } ?? .pretty
    self.terminal = terminal
    let path = arguments.text(.store) ?? ""
    reader = try Self.reading { () throws(StoreError) in try StoreReader(path) }
  }

  func print() throws(CommandFailure) {
    let found = try visitors()
    switch view {
    case .visitors: report(visitors: found).print(as: format, to: terminal)
    case .conversation: try printConversations(of: found)
    case .ratings: try ratings().print(as: format, to: terminal)
    case .surveys: try surveyAnswers().print(as: format, to: terminal)
    case .runs: try runs().print(as: format, to: terminal)
    }
  }

  /// All visitors, or those of the name that was given.
  private func visitors() throws(CommandFailure) -> [VisitorSummary] {
    let all = try Self.reading { () throws(StoreError) in try reader.visitors() }
    guard let visitor else { return all }
    let found = all.filter { $0.key.visitor == visitor }
    guard found.isEmpty else { return found }
    let nearest = NearestWord.find(visitor, among: all.map(\.key.visitor))
    throw .usage("store \(reader.path): it knows no visitor \(visitor)", nearest: nearest)
  }

  private static func reading<T>(_ body: () throws(StoreError) -> T) throws(CommandFailure) -> T {
    do throws(StoreError) {
      return try body()
    } catch {
      throw CommandFailure(error)
    }
  }
}

// MARK: - Lists

extension History {
  private func report(visitors: [VisitorSummary]) -> Report {
    Report(
      columns: [
        "visitor", "account", "dialect", "location", "bot", "visits", "messages", "last_visit", "ended",
        "status",
      ],
      rows: visitors.map { visitor in
        [
          .text(visitor.key.visitor), .text(visitor.key.account), .text(visitor.key.dialect),
          .text(visitor.key.location), .text(visitor.bot), .integer(visitor.visits),
          .integer(visitor.messages),
          .moment(visitor.startedAt), .text(visitor.end?.reason ?? "unfinished"),
          visitor.end.map { .integer($0.status) } ?? .none,
        ]
      },
      whenEmpty: "No visitor yet.")
  }

  private func ratings() throws(CommandFailure) -> Report {
    let rows = try Self.reading { () throws(StoreError) in try reader.ratings() }
    return Report(
      columns: ["at", "visitor", "kind", "operator", "operator_id", "value", "note"],
      rows: rows.filter { visitor == nil || $0.visitor == visitor }.map { entry in
        [
          .moment(entry.row.at), .text(entry.visitor), .text(entry.row.kind), .text(entry.row.operatorName),
          .text(entry.row.operatorID), .integer(entry.row.value), .text(entry.row.note),
        ]
      },
      whenEmpty: "No rating yet.")
  }

  private func surveyAnswers() throws(CommandFailure) -> Report {
    let rows = try Self.reading { () throws(StoreError) in try reader.surveyAnswers() }
    return Report(
      columns: ["at", "visitor", "survey", "form", "question", "answer"],
      rows: rows.filter { visitor == nil || $0.visitor == visitor }.map { entry in
        [
          .moment(entry.row.at), .text(entry.visitor), .text(entry.row.survey), .text(entry.row.form),
          .text(entry.row.question), .text(entry.row.answer),
        ]
      },
      whenEmpty: "No answer yet.")
  }

  private func runs() throws(CommandFailure) -> Report {
    let runs = try Self.reading { () throws(StoreError) in try reader.runs() }
    return Report(
      columns: ["run", "command", "account", "bots", "visitors", "seed", "started", "ended", "status"],
      rows: runs.map { run in
        [
          .integer(Int(run.id)), .text(run.start.command), .text(run.start.account), .text(run.start.bots),
          .integer(run.start.visitors), .text(String(run.start.seed)), .moment(run.start.at),
          run.end.map { .moment($0.at) } ?? .none, run.end.map { .integer($0.status) } ?? .none,
        ]
      },
      whenEmpty: "No run yet.")
  }
}

// MARK: - Conversations

extension History {
  private func printConversations(of visitors: [VisitorSummary]) throws(CommandFailure) {
    var rows: [[Report.Cell]] = []
    for (index, visitor) in visitors.enumerated() {
      let messages = try Self.reading { () throws(StoreError) in try reader.messages(of: visitor) }
      if format == .pretty {
        if index > 0 { terminal.say("") }
        try printPretty(messages, of: visitor)
      } else {
        rows += messages.map { cells(of: $0, visitor) }
      }
    }
    guard format != .pretty else { return }
    Report(
      columns: [
        "at", "visitor", "account", "chat", "from", "sender", "kind", "text", "id", "server_id",
      ], rows: rows, whenEmpty: ""
    ).print(as: format, to: terminal)
  }

  private func cells(of message: MessageRow, _ visitor: VisitorSummary) -> [Report.Cell] {
    [
      .moment(seconds(message)), .text(visitor.key.visitor), .text(visitor.key.account),
      .text(message.chatID),
      .text(message.origin), .text(message.sender), .text(message.kind), .text(message.text),
      .text(message.id),
      .text(message.serverID),
    ]
  }

  private func printPretty(_ messages: [MessageRow], of visitor: VisitorSummary) throws(CommandFailure) {
    let key = visitor.key
    terminal.say(
      terminal.styled(Report.harmless(key.visitor), .bold)
        + Report.harmless(" on \(key.account) (\(key.dialect), \(key.location))"))
    for chat in try Self.reading({ () throws(StoreError) in try reader.chats(of: visitor) }) {
      let until = chat.closedAt.map { " until \(Moment.clock($0))" } ?? ""
      terminal.say(
        terminal.styled(
          Report.harmless("chat \(chat.id), \(Moment.day(chat.openedAt))\(until), \(chat.state)"), .dim))
    }
    guard !messages.isEmpty else { return terminal.say("No message yet.") }
    let width = min(24, messages.map { name(of: $0, visitor).count }.max() ?? 0)
    for message in messages {
      let name = name(of: message, visitor)
      let padding = String(repeating: " ", count: max(0, width - name.count))
      let colour: Terminal.Style =
        message.origin == "visitor" ? .cyan : message.origin == "system" ? .dim : .green
      terminal.say(
        terminal.styled(Moment.clock(seconds(message)), .dim) + "  " + terminal.styled(name, colour) + padding
          + "  "
          + Report.harmless(message.text))
    }
  }

  private func name(of message: MessageRow, _ visitor: VisitorSummary) -> String {
    guard message.sender.isEmpty else { return Report.harmless(message.sender) }
    return message.origin == "visitor"
      ? Report.harmless(visitor.key.visitor) : Report.harmless(message.origin)
  }

  private func seconds(_ message: MessageRow) -> Double { Double(message.timestamp) / 1_000_000 }
}
