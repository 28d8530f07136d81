import Dialects
import JSON
import Transport

/// A visitor's application by hand: raw requests, and a picture of the chat made of the answers.
///
/// It knows just enough to be a peer: it polls, opens its session anew when told to, and repeats an action
/// whose answer was lost.
final class WireVisitor {
  struct Message: Equatable {
    var id: String
    var clientID: String
    var kind: String
    var name: String
    var text: String
    var quoted: String?
    var isRead: Bool
  }

  let device: String
  private(set) var isOpen = false
  private(set) var messages: [Message] = []
  private(set) var chatState: String?
  private(set) var operatorName: String?
  private(set) var isOperatorTyping = false
  private(set) var hasSeenTyping = false
  private(set) var survey: JSONValue?
  private(set) var rating: Int?
  private(set) var keyboardState: String?
  /// The error that ended the session.
  private(set) var fatal: String?
  /// What actions were answered with: `ok` or the error's code.
  private(set) var answers: [String] = []
  /// Every object type of a delta, in order.
  private(set) var deltas: [String] = []
  private(set) var opened = 0
  private let link: any Link
  private let loop: any Loop
  private var page = ""
  private var token = ""
  private var since = "0"
  private var lastClientID = 0
  private var hasLeft = false

  init(device: String, link: any Link, loop: any Loop) {
    self.device = device
    self.link = link
    self.loop = loop
  }

  func texts(of kind: String) -> [String] { messages.filter { $0.kind == kind }.map(\.text) }

  /// The newest keyboard's message.
  var keyboard: Message? { messages.last { $0.kind == "keyboard" } }

  func leave() {
    hasLeft = true
    link.close()
  }

  var credentials: [(String, String)] { [("page-id", page), ("auth-token", token)] }

  // MARK: Session

  func open() {
    get(
      "/l/v/m/init",
      [
        ("event", "init"), ("device-id", device), ("platform", "ios"), ("location", "mobile"),
        ("title", "Test"), ("since", "0"), ("respond-immediately", "1"),
      ], or: { $0.open() }
    ) { visitor, answer in
      visitor.opened += 1
      visitor.take(answer)
    }
  }

  private func poll() {
    get(
      "/l/v/m/delta", [("since", since), ("ts", "1"), ("page-id", page), ("auth-token", token)],
      or: { $0.poll() }
    ) { $0.take($1) }
  }

  private func take(_ answer: JSONValue) {
    if let error = answer["error"]?.string {
      if error == "reinit-required" { return open() }
      fatal = error
      return
    }
    if let revision = answer["revision"] {
      since = revision.string ?? revision.integer.map(String.init) ?? "0"
    }
    if let full = answer["fullUpdate"] {
      takeFull(full)
    } else {
      for delta in answer["deltaList"]?.elements ?? [] { takeDelta(delta) }
    }
    poll()
  }

  private func takeFull(_ full: JSONValue) {
    page = full["pageId"]?.string ?? page
    token = full["authToken"]?.string ?? token
    takeSurvey(full["survey"] ?? .null)
    isOpen = true
    if let chat = full["chat"], chat != .null { takeChat(chat) }
  }

  private func takeChat(_ chat: JSONValue) {
    chatState = chat["state"]?.string
    operatorName = chat["operator"]?["fullname"]?.string
    messages = (chat["messages"]?.elements ?? []).map(message)
    if case .object(let ratings)? = chat["operatorIdToRate"] {
      rating = ratings.compactMap { $0.value["rating"]?.integer }.last ?? rating
    }
  }

  private func takeDelta(_ delta: JSONValue) {
    let type = delta["objectType"]?.string ?? ""
    let data = delta["data"] ?? .null
    deltas.append(type)
    switch type {
    case "CHAT": data == .null ? (chatState = "closed") : takeChat(data)
    case "CHAT_STATE": chatState = data.string
    case "CHAT_OPERATOR": operatorName = data["fullname"]?.string
    case "CHAT_OPERATOR_TYPING":
      isOperatorTyping = data.bool ?? false
      hasSeenTyping = hasSeenTyping || isOperatorTyping
    case "CHAT_MESSAGE": takeMessage(delta, data)
    case "MESSAGE_READ": markRead(delta["id"]?.string)
    case "SURVEY": takeSurvey(data)
    case "OPERATOR_RATE": rating = data["rating"]?.integer
    default: break
    }
  }

  private func takeSurvey(_ value: JSONValue) {
    if value.members.isEmpty { survey = nil } else { survey = value }
  }

  private func takeMessage(_ delta: JSONValue, _ data: JSONValue) {
    switch delta["event"]?.string {
    case "add": messages.append(message(data))
    case "upd":
      guard let index = messages.firstIndex(where: { $0.id == data["id"]?.string }) else { return }
      messages[index] = message(data)
    default: messages.removeAll { $0.id == delta["id"]?.string }
    }
  }

  private func message(_ data: JSONValue) -> Message {
    if data["kind"]?.string == "keyboard" { keyboardState = data["data"]?["state"]?.string }
    return Message(
      id: data["id"]?.string ?? "", clientID: data["clientSideId"]?.string ?? "",
      kind: data["kind"]?.string ?? "", name: data["name"]?.string ?? "", text: data["text"]?.string ?? "",
      quoted: data["quote"]?["message"]?["text"]?.string, isRead: data["read"]?.bool ?? true)
  }

  private func markRead(_ id: String?) {
    guard let index = messages.firstIndex(where: { $0.id == id }) else { return }
    messages[index].isRead = true
  }

  // MARK: Actions

  /// Asks for an action until it is answered.
  func act(_ action: String, _ parameters: [(String, String)] = []) {
    let form = [("action", action), ("page-id", page), ("auth-token", token)] + parameters
    let request = HTTPRequest(
      method: .post, target: "/l/v/m/action",
      headers: [HTTPHeader(name: "Content-Type", value: "application/x-www-form-urlencoded")],
      body: FormCoding.encode(form.map { WireRequest.Parameter($0.0, $0.1) }))
    send(request, on: .action, or: { $0.act(action, parameters) }) { visitor, answer in
      let error = answer["error"]?.string ?? answer["data"]?["error"]?.string
      if error == "reinit-required" {
        visitor.later { $0.act(action, parameters) }
      } else {
        visitor.answers.append(error ?? "ok")
      }
    }
  }

  @discardableResult
  func say(_ text: String, quoting message: Message? = nil) -> String {
    let id = newClientID()
    if chatState == nil || chatState?.hasPrefix("closed") == true { start() }
    var parameters = [("client-side-id", id), ("message", text)]
    if let message { parameters.append(("quote", #"{"ref":{"msgId":"\#(message.id)"}}"#)) }
    act("chat.message", parameters)
    return id
  }

  func start() {
    act("chat.start", [("client-side-id", newClientID()), ("force-online", "1")])
  }

  func press(_ button: String) {
    act("chat.keyboard_response", [("button-id", button), ("request-message-id", keyboard?.id ?? "")])
  }

  func answerSurvey(form: Int, question: Int, _ value: String) {
    act(
      "survey.answer",
      [
        ("survey-id", survey?["id"]?.string ?? ""), ("form-id", String(form)),
        ("question-id", String(question)), ("answer", value),
      ])
  }

  private func newClientID() -> String {
    lastClientID += 1
    let tail = String(lastClientID, radix: 16) + device.utf8.map { String($0, radix: 16) }.joined()
    return String(("0123456789abcdef0123456789abcdef" + tail).suffix(32))
  }

  // MARK: Requests

  private func get(
    _ path: String, _ query: [(String, String)], or again: @escaping (WireVisitor) -> Void,
    _ then: @escaping (WireVisitor, JSONValue) -> Void
  ) {
    let encoded = FormCoding.encode(query.map { WireRequest.Parameter($0.0, $0.1) })
    let target = "\(path)?\(String(decoding: encoded, as: UTF8.self))"
    send(HTTPRequest(target: target), on: .poll, or: again, then)
  }

  /// Repeats what got no answer, or none that can be read.
  private func send(
    _ request: HTTPRequest, on lane: Lane, or again: @escaping (WireVisitor) -> Void,
    _ then: @escaping (WireVisitor, JSONValue) -> Void
  ) {
    _ = link.send(request, on: lane) { [weak self] result in
      guard let self, !hasLeft else { return }
      if case .success(let response) = result, response.status == 200,
        let node = try? JSONNode(parsing: response.body), node.isObject
      {
        then(self, node.value)
      } else {
        later(again)
      }
    }
  }

  private func later(_ work: @escaping (WireVisitor) -> Void) {
    _ = loop.schedule(after: 0.25) { [weak self] in
      guard let self, !hasLeft else { return }
      work(self)
    }
  }
}
