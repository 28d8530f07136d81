import Chat
import Dialects
import JSON
import Testing

@Suite struct ServiceSessionTests {
  @Test(
    arguments: [
      ("/l/v/m/init", [("event", "init")]), ("/l/v/m/init", []), ("/l/v/m/delta", [("event", "init")]),
    ] as [(String, [(String, String)])])
  func `a session starts on both paths with everything a client needs`(
    path: String, more: [(String, String)]
  ) {
    var bench = ServiceBench()
    let answer = bench.get(path, [("device-id", "D"), ("respond-immediately", "true")] + more)
    #expect(answer["revision"]?.string == "1")
    #expect(answer["deltaList"] == nil)
    let full = answer["fullUpdate"] ?? .null
    for key in ["pageId", "authToken", "visitSessionId", "state", "onlineStatus", "helloMessageDescr"] {
      #expect(full[key]?.string != nil, "\(key)")
    }
    #expect(full["visitor"]?["id"]?.string != nil)
    #expect(full["visitor"]?["fields"]?["name"]?.string == "Visitor")
    #expect(full["visitorFull"]?["id"] == full["visitor"]?["id"])
    #expect(full["state"]?.string == "idle")
    #expect(full["historyRevision"]?.integer == 1)
    #expect(full["chat"] == .null)
  }

  /// What the second init says, and whether it is the same visitor as the first, whose answer it may use.
  struct Return: Sendable, CustomTestStringConvertible {
    let testDescription: String
    var first: [(String, String)] = []
    let second: @Sendable (JSONValue) -> [(String, String)]
    let device: String
    let isSame: Bool
  }

  @Test(arguments: [
    Return(testDescription: "same device", second: { _ in [] }, device: "D1", isSame: true),
    Return(testDescription: "another device", second: { _ in [] }, device: "D2", isSame: false),
    Return(
      testDescription: "the visitor's object from another device",
      second: { [("visitor", $0["visitor"]?.text ?? "")] }, device: "D2", isSame: true),
    Return(
      testDescription: "the visit's id from another device",
      second: { [("visit-session-id", $0["visitSessionId"]?.string ?? "")] }, device: "D2", isSame: true),
    Return(
      testDescription: "a visitor of another run of the service",
      second: { _ in [("visitor", #"{"id":"v1-ffffff"}"#)] }, device: "D2", isSame: false),
    Return(
      testDescription: "the same provided id", first: [("visitor-ext", #"{"fields":{"id":"7"},"hash":"x"}"#)],
      second: { _ in [("visitor-ext", #"{"id":"7","display_name":"Ann","crc":"y"}"#)] }, device: "D2",
      isSame: true),
    Return(
      testDescription: "another provided id on the same device",
      first: [("visitor-ext", #"{"fields":{"id":"7"},"hash":"x"}"#)],
      second: { _ in [("visitor-ext", #"{"fields":{"id":"8"},"hash":"x"}"#)] }, device: "D1", isSame: false),
    Return(
      testDescription: "a provided visitor's object without the fields",
      first: [("visitor-ext", #"{"fields":{"id":"7"},"hash":"x"}"#)],
      second: { [("visitor", $0["visitor"]?.text ?? "")] }, device: "D2", isSame: false),
    Return(
      testDescription: "the same token", first: [("provided_auth_token", "t")],
      second: { _ in [("provided_auth_token", "t")] }, device: "D2", isSame: true),
  ])
  func `a visitor is known again by what it says`(_ case: Return) {
    var bench = ServiceBench()
    var first = bench.enter(`case`.first)
    let chat = first.chat(in: &bench)
    let second = bench.enter(device: `case`.device, `case`.second(first.full))
    #expect((second.full["visitor"]?["id"] == first.full["visitor"]?["id"]) == `case`.isSame)
    #expect(second.full["chat"]?["id"]?.integer == (`case`.isSame ? chat : nil))
    #expect((second.full["visitSessionId"] == first.full["visitSessionId"]) == `case`.isSame)
    #expect(second.id != first.id)
  }

  @Test(
    arguments: [
      ([("device-id", "")], "argument-missing", "device-id"),
      ([("device-id", "D"), ("visitor", "7")], "wrong-argument-value", "visitor"),
      ([("device-id", "D"), ("visitor-ext", "no json")], "wrong-argument-value", "visitor-ext"),
      (
        [("device-id", "D"), ("visitor-ext", #"{"fields":{"name":"x"}}"#)], "wrong-argument-value",
        "visitor-ext"
      ),
      (
        [("device-id", "D"), ("visitor-ext", #"{"fields":{"id":7}}"#)], "wrong-argument-value", "visitor-ext"
      ),
      (
        [("device-id", "D"), ("visitor-ext", #"{"fields":{"id":"7"},"hash":"x","expires":1600000000}"#)],
        "provided-visitor-expired", nil
      ),
      (
        [("device-id", "D"), ("visitor-ext", #"{"fields":{"id":"7"},"hash":"x","expires":"soon"}"#)],
        "wrong-provided-visitor-expires-value", "expires"
      ),
      (
        [("device-id", "D"), ("visitor-ext", #"{"fields":{"id":"7"},"hash":"bad"}"#)],
        "wrong-provided-visitor-hash-value", nil
      ),
      (
        [("device-id", "D"), ("visitor-ext", #"{"fields":{"id":"7"}}"#)], "wrong-provided-visitor-hash-value",
        nil
      ),
      ([("device-id", "D"), ("provided_auth_token", "t")], "provided-auth-token-not-found", nil),
    ] as [([(String, String)], String, String?)])
  func `a wrong introduction is refused by name`(query: [(String, String)], code: String, argument: String?) {
    var bench = ServiceBench {
      $0.account["check_visitor_auth"] = true
      $0.isSigned = { text, hash in text == "7" && hash == "x" }
      $0.authorizationTokens = ["other"]
    }
    let answer = bench.get("/l/v/m/init", query)
    #expect(answer["error"]?.string == code)
    #expect(answer["argumentName"]?.string == argument)
  }

  @Test func `a token that the application registers is taken`() {
    var bench = ServiceBench { $0.authorizationTokens = [] }
    let query = [("device-id", "D"), ("provided_auth_token", "t")]
    #expect(bench.get("/l/v/m/init", query)["error"]?.string == "provided-auth-token-not-found")
    bench.desk(.registerToken("t"))
    #expect(bench.get("/l/v/m/init", query)["fullUpdate"] != nil)
  }

  @Test func `fields that the hash signs are put together in the order of their names`() {
    var bench = ServiceBench {
      $0.account["check_visitor_auth"] = true
      $0.isSigned = { text, hash in text == "Ann71800000000" && hash == "x" }
    }
    let fields = #"{"fields":{"id":"7","display_name":"Ann"},"hash":"x","expires":1800000000}"#
    #expect(bench.enter([("visitor-ext", fields)]).full["visitorFull"]?["fields"]?["name"]?.string == "Ann")
  }

  @Test func `two pages of a visitor hear the same`() {
    var bench = ServiceBench()
    var phone = bench.enter()
    var tablet = bench.enter()
    let polls = [phone.poll(in: &bench), tablet.poll(in: &bench)]
    _ = phone.action("chat.start", [("client-side-id", "c")], in: &bench)
    #expect(bench.answered.suffix(2) == polls[...])
    #expect(bench.json(polls[0]) == bench.json(polls[1]))
    _ = phone.fetch(in: &bench)
    _ = tablet.fetch(in: &bench)
    _ = tablet.action("chat.message", [("client-side-id", "a"), ("message", "from the tablet")], in: &bench)
    #expect(phone.changes(in: &bench).messages.first?["text"]?.string == "from the tablet")
    #expect(tablet.changes(in: &bench).messages.first?["text"]?.string == "from the tablet")
  }

  @Test func `a visitor hears nothing of another one`() {
    var bench = ServiceBench()
    var one = bench.enter(device: "D1")
    let two = bench.enter(device: "D2")
    let poll = two.poll(in: &bench)
    let chat = one.chat(with: "anna", in: &bench)
    bench.desk(.say(chat, text: "for one", quoting: nil))
    #expect(bench.answers[poll] == nil)
    #expect(one.changes(in: &bench).messages.count == 1)
    #expect(two.history(in: &bench)["messages"]?.elements.isEmpty == true)
  }

  @Test func `the oldest page gives way when there are too many`() {
    var bench = ServiceBench { $0.pagesPerVisitor = 2 }
    let pages = [bench.enter(), bench.enter()]
    let poll = pages[0].poll(in: &bench)
    _ = bench.enter()
    #expect(bench.json(poll)["error"]?.string == "reinit-required")
    #expect(pages[1].action("chat.close", [], in: &bench)["error"]?.string == "chat-required")
  }

  @Test func `a visitor who comes back after a closed chat begins a new visit`() {
    var bench = ServiceBench()
    var page = bench.enter()
    let chat = page.chat(in: &bench)
    bench.desk(.close(chat, isFinal: true))
    bench.pass(4000)
    let again = bench.enter()
    #expect(again.full["visitor"]?["id"] == page.full["visitor"]?["id"])
    #expect(again.full["visitSessionId"] != page.full["visitSessionId"])
    #expect(again.full["state"]?.string == "idle")
    #expect(again.full["chat"]?["state"]?.string == "closed")
  }

  @Test(arguments: ["visitor_banned", "provided-visitor-expired", "account-blocked"])
  func `a visitor in disgrace hears of it everywhere`(code: String) {
    var bench = ServiceBench()
    let page = bench.enter()
    let poll = page.poll(in: &bench)
    let visitor = page.full["visitor"]?["id"]?.string ?? ""
    switch code {
    case "visitor_banned": bench.desk(.ban(visitorID: visitor))
    case "account-blocked": bench.desk(.blockAccount)
    default: bench.desk(.expireFields(visitorID: visitor))
    }
    #expect(bench.json(poll)["error"]?.string == code)
    #expect(bench.timers[.hold(poll)] == nil)
    let next = page.poll(in: &bench)
    #expect(bench.json(next)["error"]?.string == code)
    #expect(page.action("chat.start", [("client-side-id", "c")], in: &bench)["error"]?.string == code)
    #expect(bench.get("/l/v/m/init", [("device-id", "D1")])["error"]?.string == code)
    let history = bench.get("/l/v/m/history", page.credentials.map { ($0.name, $0.value) })
    #expect(history["error"]?.string == code)

    bench.desk(.restore(visitorID: visitor))
    bench.desk(.unblockAccount)
    let held = page.poll(in: &bench)
    #expect(bench.answers[held] == nil)
  }

  @Test(
    arguments: [
      ([], "argument-missing", "page-id"),
      ([("page-id", "x")], "unauthorized", "auth-token"),
      ([("page-id", "x"), ("auth-token", "y")], "reinit-required", nil),
      ([("page-id", "PAGE"), ("auth-token", "y")], "reinit-required", nil),
      ([("page-id", "PAGE"), ("auth-token", "TOKEN")], "argument-missing", "since"),
      ([("page-id", "PAGE"), ("auth-token", "TOKEN"), ("since", "x")], "wrong-argument-value", "since"),
      ([("page-id", "PAGE"), ("auth-token", "TOKEN"), ("since", "-1")], "wrong-argument-value", "since"),
    ] as [([(String, String)], String, String?)])
  func `credentials and poll arguments are checked`(
    query: [(String, String)], code: String, argument: String?
  ) {
    var bench = ServiceBench()
    let page = bench.enter()
    let real = query.map { ($0.0, $0.1 == "PAGE" ? page.id : $0.1 == "TOKEN" ? page.token : $0.1) }
    let answer = bench.get("/l/v/m/delta", real)
    #expect(answer["error"]?.string == code)
    #expect(answer["argumentName"]?.string == argument)
  }
}
