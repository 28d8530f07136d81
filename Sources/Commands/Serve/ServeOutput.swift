import JSON
import Lua
import Rehearsal
import Script

/// What happens at a desk, for people or for machines.
struct ServeOutput {
  let format: RunPlan.Format
  let terminal: Terminal
  let start: Double

  /// The URL is the first thing a machine or a person reads.
  func head(url: String, seed: UInt64) {
    switch format {
    case .pretty, .quiet: terminal.say(url)
    case .json:
      var writer = JSONWriter()
      writer.object { object in
        object.member("v", ReportLines.version)
        object.member("type", "listening")
        object.member("url", url)
        object.member("seed", String(seed))
      }
      terminal.say(writer.bytes)
    }
  }

  func show(_ report: RehearsalReport) {
    switch format {
    case .json: terminal.say(line(report))
    case .pretty: if let text = text(report) { terminal.say(text) }
    case .quiet:
      if case .failure(let error) = report.event {
        terminal.complain(Report.harmless("the desk failed: \(error)"))
      }
    }
  }

  func end(_ statistics: RehearsalStatistics) {
    switch format {
    case .quiet: break
    case .pretty:
      terminal.say(
        "\n\(statistics.visitors.count) visitors · \(statistics.chatsStarted) chats · "
          + "\(statistics.messages.count) messages · \(statistics.ratings.count) ratings · "
          + "\(statistics.surveyAnswers.count) survey answers · \(statistics.requests) requests")
    case .json:
      var writer = JSONWriter()
      writer.object { object in
        object.member("v", ReportLines.version)
        object.member("type", "summary")
        object.member("visitors", statistics.visitors.count)
        object.member("chats", statistics.chatsStarted)
        object.member("messages", statistics.messages.count)
        object.member("ratings", statistics.ratings.count)
        object.member("survey_answers", statistics.surveyAnswers.count)
        object.member("requests", statistics.requests)
        object.member("spoiled", statistics.spoiled)
      }
      terminal.say(writer.bytes)
    }
  }

  private func text(_ report: RehearsalReport) -> String? {
    guard let what = Self.told(report.event) else { return nil }
    let seconds = Transcript.decimal(max(0, report.at - start))
    let padding = String(repeating: " ", count: max(0, 7 - seconds.count))
    let chat = report.chat.map { "chat \($0)" } ?? report.visitor ?? "desk"
    let line = "\(padding)\(seconds)  \(chat)  \(Report.harmless(what))"
    if case .failure = report.event { return terminal.styled(line, .red) }
    return line
  }

  private static func told(_ event: RehearsalReport.Event) -> String? {
    switch event {
    case .visitorArrived: "a visitor comes"
    case .chatStarted: "a chat begins"
    case .message(let from, _, let text, _): "\(from): \(text)"
    case .messageEdited(let text, _): "(edited) \(text)"
    case .messageDeleted: "(a message is deleted)"
    case .pressed(_, let text): "the visitor presses [\(text)]"
    case .rated(let name, let stars): "\(name) is rated \(stars)"
    case .resolved(_, let answer): answer == 1 ? "resolved" : "not resolved"
    case .surveyAnswered(let question, let answer): "survey: \(question) \(answer)"
    case .surveyEnded(let isFinished): isFinished ? "the survey is filled in" : "the survey is cancelled"
    case .closed(let who): "closed by \(who)"
    case .log(let text): "log: \(text)"
    case .failure(let error): "the desk failed: \(error)"
    }
  }

  private func line(_ report: RehearsalReport) -> [UInt8] {
    var writer = JSONWriter()
    writer.object { object in
      object.member("v", ReportLines.version)
      object.member("at", report.at)
      object.member("type", "desk")
      object.member("event", report.name)
      object.member(optional: "visitor", report.visitor)
      object.member(optional: "chat", report.chat)
      switch report.event {
      case .visitorArrived, .chatStarted: break
      case .message(let from, let kind, let text, let id):
        object.member("from", from)
        object.member("kind", kind)
        object.member("text", text)
        object.member("id", id)
      case .messageEdited(let text, let id):
        object.member("text", text)
        object.member("id", id)
      case .messageDeleted(let id): object.member("id", id)
      case .pressed(let button, let text):
        object.member("button", button)
        object.member("text", text)
      case .rated(let name, let stars):
        object.member("operator", name)
        object.member("stars", stars)
      case .resolved(let name, let answer):
        object.member("operator", name)
        object.member("answer", answer)
      case .surveyAnswered(let question, let answer):
        object.member("question", question)
        object.member("answer", answer)
      case .surveyEnded(let isFinished): object.member("finished", isFinished)
      case .closed(let who): object.member("by", who)
      case .log(let text): object.member("text", text)
      case .failure(let error): object.member("message", error.description)
      }
    }
    return writer.bytes
  }
}
