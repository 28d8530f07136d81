import Chat
import Dialects
import JSON
import Testing

@Suite struct ServiceDeskTests {
  @Test(
    arguments: [
      (.accept(9, operator: "anna"), .unknownChat), (.accept(1, operator: "nobody"), .unknownOperator),
      (.say(1, text: "x", quoting: nil), .wrongState), (.say(1, text: "", quoting: nil), .invalidArgument),
      (.typing(1, true), .wrongState), (.keyboard(1, text: "?", rows: []), .invalidArgument),
      (.keyboard(1, text: "?", rows: [[]]), .invalidArgument),
      (
        .keyboard(1, text: "?", rows: [[Button(id: "a", text: "A"), Button(id: "a", text: "B")]]),
        .invalidArgument
      ),
      (.keyboard(1, text: "?", rows: [[Button(id: "a", text: "A")]]), .wrongState),
      (.edit(messageID: "m1-77-x", text: "x"), .unknownMessage),
      (.delete(messageID: "VISITORS"), .wrongState),
      (.edit(messageID: "VISITORS", text: "x"), .wrongState),
      (.cancelKeyboard(messageID: "VISITORS"), .wrongState), (.markRead(1, upTo: "nothing"), .unknownMessage),
      (.invite(visitorID: "v9-x", operator: "anna", text: nil), .unknownVisitor),
      (.ban(visitorID: ""), .unknownVisitor), (.requestRating(1, operator: nil, text: nil), .wrongState),
      (.requestRating(1, operator: "anna", text: nil), .wrongState), (.cancelSurvey(1), .wrongState),
      (.robot(1, name: ""), .invalidArgument), (.limit(.messageLength, 0), .invalidArgument),
      (.defineOperator(handle: "", name: "x", title: nil, avatar: nil, robotType: nil), .invalidArgument),
    ] as [(DeskCommand, DeskError.Code)])
  func `a command that does not fit says what, why and how to mend it`(
    command: DeskCommand, code: DeskError.Code
  ) {
    var bench = ServiceBench()
    var page = bench.enter()
    _ = page.chat(in: &bench)
    bench.desk(.defineOperator(handle: "anna", name: "Anna", title: nil, avatar: nil, robotType: nil))
    _ = page.action("chat.message", [("client-side-id", "a"), ("message", "Hi")], in: &bench)
    let message = page.changes(in: &bench).messages.first?["id"]?.string ?? ""
    let error = bench.desk(naming(command, message)).failure
    #expect(error?.code == code)
    for part in [error?.object, error?.problem, error?.mend] { #expect(part?.isEmpty == false) }
    #expect(page.changes(in: &bench).isEmpty)
  }

  /// The command with the visitor's message where it says so.
  private func naming(_ command: DeskCommand, _ message: String) -> DeskCommand {
    switch command {
    case .edit("VISITORS", let text): .edit(messageID: message, text: text)
    case .delete("VISITORS"): .delete(messageID: message)
    case .cancelKeyboard("VISITORS"): .cancelKeyboard(messageID: message)
    default: command
    }
  }

  @Test(arguments: ["closed", "closed_by_operator", "closed_by_visitor"])
  func `nobody speaks in a closed chat`(state: String) {
    var bench = ServiceBench()
    var page = bench.enter()
    let chat = page.chat(with: "anna", in: &bench)
    if state == "closed_by_visitor" {
      _ = page.action("chat.close", [], in: &bench)
    } else {
      bench.desk(.close(chat, isFinal: state == "closed"))
    }
    let commands: [DeskCommand] = [
      .say(chat, text: "x", quoting: nil), .typing(chat, true), .accept(chat, operator: "anna"), .hold(chat),
      .keyboard(chat, text: "?", rows: [[Button(id: "a", text: "A")]]),
    ]
    for command in commands {
      let error = bench.desk(command).failure
      #expect(error?.code == .wrongState)
      #expect(error?.description.contains("chat \(chat) is \(state)") == true)
    }
  }

  @Test func `a chat that was followed by another is unknown`() {
    var bench = ServiceBench()
    var page = bench.enter()
    let first = page.chat(with: "anna", in: &bench)
    bench.desk(.close(first, isFinal: true))
    let second = page.chat(in: &bench)
    #expect(second != first)
    #expect(bench.desk(.info(first, text: "x")).failure?.code == .unknownChat)
    #expect(bench.desk(.info(second, text: "x")).isSuccess)
  }

  @Test func `operators come, hand over, hold and go as the wire tells it`() {
    var bench = ServiceBench()
    var page = bench.enter()
    let chat = page.chat(in: &bench)
    bench.desk(
      .defineOperator(handle: "anna", name: "Anna", title: "Parcels", avatar: "/a.png", robotType: nil))
    bench.desk(.defineOperator(handle: "boris", name: "Boris", title: nil, avatar: nil, robotType: nil))
    let steps: [(DeskCommand, [String])] = [
      (.robot(chat, name: "Robby"), ["CHAT_STATE", "CHAT_OPERATOR"]),
      (.accept(chat, operator: "anna"), ["CHAT_STATE", "CHAT_OPERATOR"]),
      (.accept(chat, operator: "anna"), []),
      (.accept(chat, operator: "boris"), ["CHAT_OPERATOR"]), (.hold(chat), ["CHAT_STATE"]),
      (.route(chat), ["CHAT_STATE", "CHAT_OPERATOR"]), (.queue(chat), ["CHAT_STATE"]),
    ]
    for (command, types) in steps {
      #expect(bench.desk(command).isSuccess)
      #expect(page.changes(in: &bench).types == types, "\(command)")
    }
    #expect(bench.enter().full["chat"]?["operator"] == .null)
  }

  @Test func `a handle keeps its number when the operator changes its name`() {
    var bench = ServiceBench()
    let define = { (name: String) in
      DeskCommand.defineOperator(handle: "anna", name: name, title: nil, avatar: nil, robotType: nil)
    }
    guard case .success(.operator(let first)) = bench.desk(define("Anna")),
      case .success(.operator(let second)) = bench.desk(define("Anna B."))
    else {
      Issue.record("the operator was not taken")
      return
    }
    #expect(first.id == second.id)
    #expect(second.name == "Anna B.")
  }

  @Test func `the desk edits and deletes its messages`() throws {
    var bench = ServiceBench()
    var page = bench.enter()
    let chat = page.chat(with: "anna", in: &bench)
    let said = try #require(bench.desk(.say(chat, text: "Hallo", quoting: nil)).message)
    _ = page.fetch(in: &bench)
    bench.desk(.edit(messageID: said.id, text: "Hello"))
    let edited = page.changes(in: &bench)
    #expect(edited.first?["event"]?.string == "upd")
    #expect(edited.first?["data"]?["text"]?.string == "Hello")
    #expect(edited.first?["data"]?["edited"]?.bool == true)
    bench.desk(.delete(messageID: said.id))
    let deleted = page.changes(in: &bench)
    #expect(deleted.first?["event"]?.string == "del")
    #expect(deleted.first?["id"]?.string == said.id)
    #expect(bench.desk(.delete(messageID: said.id)).failure?.code == .unknownMessage)
  }

  @Test func `departments, session state, language and visitor reach the page`() {
    var bench = ServiceBench()
    var page = bench.enter()
    let visitor = page.full["visitor"]?["id"]?.string ?? ""
    var sales = Department(key: "sales", name: "Sales", onlineStatus: .busyOnline, order: 3)
    sales.localizedNames = ["ru": "Продажи"]
    bench.desk(.departments([sales]))
    bench.desk(.sessionState(visitorID: visitor, .offlineMessage))
    bench.desk(.language(visitorID: visitor, "en"))
    bench.desk(.visitorFull(visitorID: visitor, fields: ["display_name": "Ann", "phone": "1"]))
    let changes = page.changes(in: &bench)
    #expect(
      changes.data("DEPARTMENT_LIST")?.elements.first == [
        "key": "sales", "name": "Sales", "online": "busy_online", "order": 3,
        "localeToName": ["ru": "Продажи"],
      ])
    #expect(changes.data("VISIT_SESSION_STATE")?.string == "offline-message")
    #expect(changes.data("VISIT_SESSION_LANG")?.string == "en")
    #expect(changes.data("VISITOR_FULL")?["fields"]?["name"]?.string == "Ann")
    #expect(changes.data("VISITOR_FULL")?["fields"]?["phone"]?.string == "1")
    _ = page.chat(in: &bench)
    #expect(bench.enter().full["chat"]?["translationOptions"]?["language"]?.string == "en")
  }

  @Test func `limits that the desk sets hold at once`() {
    var bench = ServiceBench()
    var page = bench.enter()
    _ = page.chat(in: &bench)
    bench.desk(.limit(.messageLength, 3))
    _ = page.action("chat.message", [("client-side-id", "a"), ("message", "12345")], in: &bench)
    #expect(page.changes(in: &bench).messages.first?["text"]?.string == "123")
  }
}
