import Chat
import Dialects
import JSON
import Lua
import Script

/// What the words of a desk's script do.
extension DeskPlayer {
  func perform(_ call: ScriptCall) -> Result<JSONValue, ScriptError> {
    do throws(ScriptError) {
      return .success(call.subject == 0 ? try performDesk(call) : try performChat(call))
    } catch {
      return .failure(error)
    }
  }

  private func performDesk(_ call: ScriptCall) throws(ScriptError) -> JSONValue {
    let arguments = DeskArguments(call: call, roster: roster)
    switch call.word {
    case "fault": host?.add(try arguments.fault())
    case "clear_faults": host?.clearFaults()
    case "offline": host?.goOffline(for: max(0, try arguments.number(0, "seconds")))
    case "accept_next": try acceptNext(call)
    case "list_chats":
      return .array(
        roster.chats.values.filter { $0.closedBy == nil }.map(\.id).sorted().map(roster.chatValue))
    case "list_visitors": return .array(roster.visitors.map(DeskValues.visitor))
    case "module", "read", "env": return try read(call)
    case "no_such_word": throw Vocabulary.desk.unknownMember(call[0].string ?? "")
    case "play_failed": playFailed(call)
    case "played": break
    default:
      var answer = JSONValue.null
      for command in try DeskInterpreter(call, roster: roster).deskCommands() {
        answer = try perform(command, of: call)
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
      return ["source": .string(String(decoding: source, as: UTF8.self)), "path": .string(path)]
    case "read": return .string(String(decoding: try files.text(name), as: UTF8.self))
    default: return try files.variable(name).map(JSONValue.string) ?? .null
    }
  }

  private func performChat(_ call: ScriptCall) throws(ScriptError) -> JSONValue {
    switch call.word {
    case "fields": return roster.chatValue(call.subject)
    case "history":
      return .array(
        (roster.chat(call.subject)?.messages ?? []).map { roster.messageValue($0, in: call.subject) })
    case "no_such_word": throw Vocabulary.deskChat.unknownMember(call[0].string ?? "")
    case "played": return .bool(chatPlayed(call.subject))
    case "play_failed": playFailed(call)
    default:
      let commands = try DeskInterpreter(call, roster: roster).chatCommands()
      var answers: [JSONValue] = []
      for command in commands { answers.append(try perform(command, of: call)) }
      return answers.first ?? .null
    }
    return .null
  }

  /// Hands a command to the service and takes in what it brought about.
  func perform(_ command: DeskCommand, of call: ScriptCall) throws(ScriptError) -> JSONValue {
    guard let host else { return .null }
    switch host.perform(command) {
    case .success(let answer): return commandDone(command, answer, in: call.subject)
    case .failure(let error): throw refusal(error, of: call)
    }
  }

  /// A chat that the visitor has ended is no mistake of the script: its play ends quietly on this code.
  private func refusal(_ error: DeskError, of call: ScriptCall) -> ScriptError {
    let closedBy = roster.chat(call.subject)?.closedBy
    let isOver =
      (error.code == .wrongState && (closedBy == .visitor || closedBy == .service))
      || (error.code == .unknownChat && call.subject != 0)
    return ScriptError(
      code: isOver ? "chat_over" : error.code.rawValue, action: call.word, message: error.description)
  }

  // MARK: Accepting unasked

  private func acceptNext(_ call: ScriptCall) throws(ScriptError) {
    guard let handle = DeskArguments.id(of: call[0]) else { return }
    if roster.operator(handle) == nil {
      let name = handle.prefix(1).uppercased() + handle.dropFirst()
      _ = try perform(
        .defineOperator(handle: handle, name: name, title: nil, avatar: nil, robotType: nil), of: call)
    }
    acceptingNext.append(roster.operator(handle)?.handle ?? handle)
    let waiting = roster.chats.values.filter { $0.state == .queue && $0.closedBy == nil }.map(\.id).min()
    if let waiting { acceptNext(waiting) }
  }

  func acceptNext(_ chat: WebimService.ChatID) {
    guard !acceptingNext.isEmpty else { return }
    let handle = acceptingNext.removeFirst()
    // A chat that cannot be accepted was closed meanwhile: the visitor's doing, nothing to tell.
    _ = try? perform(.accept(chat, operator: handle), of: ScriptCall(word: "accept", subject: chat))
  }

  // MARK: The end of a play

  /// A chat's coroutine has ended; with the chat closed, what is kept of it for the script can go.
  ///
  /// - Returns: Whether it goes.
  private func chatPlayed(_ chat: WebimService.ChatID) -> Bool {
    guard roster.chat(chat)?.closedBy != nil else { return false }
    forgotten.insert(chat)
    roster.forgetMessages(of: chat)
    runner.endStream(chat)
    return true
  }

  private func playFailed(_ call: ScriptCall) {
    var failure = ScriptFailure(kind: .script, message: call[0].string ?? "the desk's script failed")
    if let source = call["source"]?.string, let line = call["line"]?.integer {
      failure.position = .init(source: source, line: line)
    }
    let chat = call.subject == 0 ? nil : call.subject
    host?.deskFailed(failure, visitor: chat.flatMap { roster.chat($0)?.visitorID }, chat: chat)
  }
}
