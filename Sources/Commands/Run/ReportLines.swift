import Chat
import Hosting
import JSON
import Script

/// A run's happenings for machines: one JSON object a line, as `--format json` prints them.
///
/// Every object has `v` (the schema's version), `at` (seconds since the epoch), `type` (`start`, `event`,
/// `action`, `log`, `check`, `step`, `metric`, `trace`, `error`, `stop`, `summary`) and `event` (the name of
/// what happened); what belongs to one visitor has `visitor`, `index` and `bot`. The README has the members of
/// each; `detail` is an event as a script's `on_any` gets it, an action, or an error.
enum ReportLines {
  static let version = 1

  static func line(_ report: VisitReport) -> [UInt8] {
    var writer = JSONWriter()
    writer.object { object in
      head(&object, report)
      body(&object, report.what)
    }
    return writer.bytes
  }

  private static func body(_ object: inout JSONWriter, _ what: VisitReport.What) {
    switch what {
    case .started(let isResumed):
      name(&object, "start", "start")
      object.member("resumed", isResumed)
    case .event(let event):
      object.member("type", "event")
      object.member("event", event.name)
      object.member("detail") { $0.raw(event.json(.script)) }
    case .action(let action):
      name(&object, "action", action.name)
      object.member("detail") { $0.raw(action.json(.script)) }
    case .refused(let error):
      name(&object, "error", "refused")
      object.member("detail") { $0.raw(error.json(.script)) }
    case .log(let text):
      name(&object, "log", "log")
      object.member("text", text)
    case .check(let check, let passed, let position):
      name(&object, "check", "check")
      object.member("name", check)
      object.member("passed", passed)
      object.member("position", position)
    case .step(let step, let seconds):
      name(&object, "step", "step")
      object.member("name", step)
      object.member("seconds", seconds)
    case .metric(let metric, let value, let unit):
      name(&object, "metric", "metric")
      object.member("name", metric)
      object.member("value", value)
      object.member("unit", unit)
    case .trace(let text):
      name(&object, "trace", "trace")
      object.member("text", text)
    case .stopped(let outcome): stop(&object, outcome)
    }
  }

  private static func head(_ object: inout JSONWriter, _ report: VisitReport) {
    object.member("v", version)
    object.member("at", report.at)
    object.member("visitor", report.visitor)
    object.member("index", report.index)
    object.member("bot", report.bot)
  }

  private static func name(_ object: inout JSONWriter, _ type: String, _ event: String) {
    object.member("type", type)
    object.member("event", event)
  }

  private static func stop(_ object: inout JSONWriter, _ outcome: VisitOutcome) {
    name(&object, "stop", outcome.name)
    object.member("status", outcome.status)
    switch outcome {
    case .failed(let failure):
      object.member("kind", failure.kind.rawValue)
      object.member("message", failure.description)
      object.member("report", failure.report)
      object.member("traceback", failure.traceback)
    case .ended(let error): object.member("message", error.description)
    case .unreachable(let trouble), .storeFailed(let trouble): object.member("message", trouble)
    case .finished, .timeLimit, .interrupted: break
    }
  }

  /// The run's last line.
  static func summary(at now: Double, _ summary: RunSummary) -> [UInt8] {
    var writer = JSONWriter()
    writer.object { object in
      object.member("v", version)
      object.member("at", now)
      name(&object, "summary", "summary")
      object.member("seed", String(summary.seed))
      object.member("visitors", summary.visitors)
      object.member("finished", summary.finished)
      object.member("failed", summary.visitors - summary.finished)
      object.member("checks_passed", summary.checksPassed)
      object.member("checks_failed", summary.checksFailed)
      object.member("seconds", summary.seconds)
      object.member("status", summary.status)
    }
    return writer.bytes
  }
}

/// What a run came to.
struct RunSummary: Equatable, Sendable {
  var seed: UInt64
  var visitors: Int
  var finished = 0
  var checksPassed = 0
  var checksFailed = 0
  var seconds = 0.0
  var status = 0
}
