import Chat
import Dialects
import JSON
import Lua
import Script

/// What the words of a desk's script do.
extension DeskPlayer {
  func perform(_ call: ScriptCall) -> Result<JSONValue, ScriptError> {
    guard let host else { return .success(.null) }
    do throws(ScriptError) {
      return .success(call.subject == 0 ? try performDesk(call, host) : try performChat(call, host))
    } catch {
      return .failure(error)
    }
  }

  private func performDesk(_ call: ScriptCall, _ host: any DeskHost) throws(ScriptError) -> JSONValue {
    switch call.word {
    case "fault": host.add(try DeskArguments(call: call, service: host.service).fault())
    case "clear_faults": host.clearFaults()
    case "offline":
      let seconds = try DeskArguments(call: call, service: host.service).number(0, "seconds")
      host.goOffline(for: max(0, seconds))
    case "accept_next": try acceptNext(call, host)
    case "list_chats":
      let service = host.service
      return .array(service.openChats.map { DeskValues.chat($0.id, at: service) })
    case "list_visitors": return .array(host.service.deskVisitors.map(DeskValues.visitor))
    case "module", "read", "env": return try read(call)
    case "no_such_word": throw Vocabulary.desk.unknownMember(call[0].string ?? "")
    case "play_failed": playFailed(call)
    case "played": break
    default:
      var answer = JSONValue.null
      for command in try DeskInterpreter(call, at: host.service).deskCommands() {
        answer = try perform(command, of: call, host)
      }
      return answer
    }
    return .null
  }

  private func read(_ call: ScriptCall) throws(ScriptError) -> JSONValue {
    let name = call[0].string ?? ""
    guard let files else {
      throw ScriptError(
        code: "file_not_found", action: call.word,
        message: "\(call.word): this desk has no folder to read from")
    }
    switch call.word {
    case "module":
      let (source, path) = try files.module(name)
      return ["source": .string(source), "path": .string(path)]
    case "read": return .string(try files.text(name))
    default: return try files.variable(name).map(JSONValue.string) ?? .null
    }
  }

  private func performChat(_ call: ScriptCall, _ host: any DeskHost) throws(ScriptError) -> JSONValue {
    switch call.word {
    case "fields": return DeskValues.chat(call.subject, at: host.service)
    case "history":
      let service = host.service
      return .array(service.messages(of: call.subject).map { DeskValues.message($0, at: service) })
    case "no_such_word": throw Vocabulary.deskChat.unknownMember(call[0].string ?? "")
    case "played": chatPlayed(call.subject, host)
    case "play_failed": playFailed(call)
    default:
      let commands = try DeskInterpreter(call, at: host.service).chatCommands()
      var answers: [JSONValue] = []
      for command in commands { answers.append(try perform(command, of: call, host)) }
      return answers.first ?? .null
    }
    return .null
  }

  /// Hands a command to the service and takes in what it brought about.
  private func perform(
    _ command: DeskCommand, of call: ScriptCall, _ host: any DeskHost
  ) throws(ScriptError) -> JSONValue {
    switch host.perform(command) {
    case .success(let answer): return commandDone(command, answer, by: host)
    case .failure(let error):
      throw refusal(error, of: call, closedBy: host.service.chat(call.subject)?.closedBy)
    }
  }

  /// A chat that the visitor has ended is no mistake of the script: its play ends quietly on this code.
  private func refusal(
    _ error: DeskError, of call: ScriptCall, closedBy: DeskParty?
  ) -> ScriptError {
    let isOver =
      (error.code == .wrongState && (closedBy == .visitor || closedBy == .service))
      || (error.code == .unknownChat && call.subject != 0)
    return ScriptError(
      code: isOver ? "chat_over" : error.code.rawValue, action: call.word, message: "\(call.word): \(error)")
  }

  // MARK: Accepting unasked

  private func acceptNext(_ call: ScriptCall, _ host: any DeskHost) throws(ScriptError) {
    guard let handle = call[0].reference else { return }
    if host.service.operator(handle) == nil {
      let name = handle.prefix(1).uppercased() + handle.dropFirst()
      _ = try perform(
        .defineOperator(handle: handle, name: name, title: nil, avatar: nil, robotType: nil), of: call, host)
    }
    acceptingNext.append(host.service.operator(handle)?.handle ?? handle)
    if let waiting = host.service.openChats.first(where: { $0.state == .queue }) {
      acceptNext(waiting.id, host)
    }
  }

  func acceptNext(_ chat: WebimService.ChatID, _ host: any DeskHost) {
    guard !acceptingNext.isEmpty else { return }
    let handle = acceptingNext.removeFirst()
    // A chat that cannot be accepted was closed meanwhile: the visitor's doing, nothing to tell.
    _ = try? perform(.accept(chat, operator: handle), of: ScriptCall(word: "accept", subject: chat), host)
  }

  // MARK: The end of a play

  /// The last coroutine of a chat's play is about to end.
  private func chatPlayed(_ chat: WebimService.ChatID, _ host: any DeskHost) {
    // A handler may have begun meanwhile: then its end is the play's.
    if runner.coroutineCount(in: chat) <= 1 { forgetIfOver(chat, host) }
  }

  /// Forgets chats that were closed when nobody played them any more.
  func forgetClosed() {
    guard let host else { return }
    for chat in justClosed where runner.coroutineCount(in: chat) == 0 { forgetIfOver(chat, host) }
    justClosed = []
  }

  /// Forgets a chat that is closed, unless the script still listens to it: ratings, surveys and contacts come
  /// after the end.
  private func forgetIfOver(_ chat: WebimService.ChatID, _ host: any DeskHost) {
    guard host.service.chat(chat)?.closedBy != nil else { return }
    if runner.hasListeners(in: chat), host.service.isCurrent(chat) {
      lingering.insert(chat)
    } else {
      forget(chat)
    }
  }

  /// Forgets the chats that the script still listened to, once a visitor has left, or begins another chat or
  /// the same one anew.
  func forgetLingering(before event: DeskEvent, _ host: any DeskHost) {
    var begun: WebimService.ChatID?
    switch event {
    case .chatStarted(let chat): begun = chat.id
    case .visitorLeft: break
    default: return
    }
    for chat in lingering.sorted() where chat == begun || !host.service.isCurrent(chat) {
      lingering.remove(chat)
      // A play that goes on forgets the chat at its end.
      if runner.coroutineCount(in: chat) == 0 { forget(chat) }
    }
  }

  /// What is kept of a chat for the script can go, and its object with its data.
  private func forget(_ chat: WebimService.ChatID) {
    lingering.remove(chat)
    forgotten.insert(chat)
    runner.endStream(chat)
    runner.assign("chats", Array(#"{"\#(chat)":null}"#.utf8), merge: true)
  }

  private func playFailed(_ call: ScriptCall) {
    var failure = ScriptFailure(kind: .script, message: call[0].string ?? "the desk's script failed")
    if let source = call["source"]?.string, let line = call["line"]?.integer {
      failure.position = .init(source: source, line: line)
    }
    let chat = call.subject == 0 ? nil : call.subject
    host?.deskFailed(failure, visitor: chat.flatMap { host?.service.chat($0)?.visitorID }, chat: chat)
  }
}
