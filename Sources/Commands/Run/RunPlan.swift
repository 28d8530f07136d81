import Dialects
import Hosting
import Rehearsal
import Script
import Transport

/// What a run is to do: its options, read and checked.
struct RunPlan: Sendable {
  struct Visit: Sendable {
    var visitor: String
    var bot: BotSource
  }

  enum Format: String, CaseIterable, Sendable {
    case pretty, json, quiet
  }

  var visits: [Visit] = []
  /// Whether the user named the visitor, who is then the same person as at earlier visits.
  var isNamed = false
  /// The service's base URL; nil for a rehearsal inside the process.
  var account: String?
  var desk = DeskSource.builtIn
  var dialect = "webim"
  var session = WebimSession.Configuration()
  var limits = VisitLimits()
  var link = LinkOptions()
  /// nil keeps nothing.
  var store: String?
  var isResuming = false
  var seed: UInt64 = 0
  var format = Format.pretty
  var isTraced = false
  /// What the user lets bots and the desk see beyond the project's folder.
  var access = ScriptAccess()

  /// The bots' files, each once, separated by spaces.
  var botNames: String {
    var names: [String] = []
    for visit in visits where !names.contains(visit.bot.name) { names.append(visit.bot.name) }
    return names.joined(separator: " ")
  }

  /// What bots have read, once for all visitors.
  private let cache = FileCache()

  /// The files that a bot may read.
  func files(for bot: String) -> ScriptFiles {
    ScriptFiles(project: ".", script: bot, access: access, cache: cache)
  }
}
