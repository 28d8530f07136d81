import Chat
import Dialects
import JSON
import Testing

@Suite struct ServiceConfigTests {
  @Test(
    arguments: [
      [("jsonp", "false")], [], [("jsonp", "false?page-id=p"), ("auth-token", "t")],
    ] as [[(String, String)]])
  func `the configuration is an object whatever the query says`(query: [(String, String)]) {
    var bench = ServiceBench()
    let answer = bench.get("/api/visitor/v1/configs/mobile", query)
    for key in [
      "web_and_mobile_quoting", "visitor_message_editing", "max_visitor_upload_file_size",
      "allowed_upload_file_types", "rate_operator",
    ] {
      #expect(answer["accountConfig"]?[key] != nil, "\(key)")
    }
    #expect(answer["locationSettings"]?["chat"] != nil)
  }

  /// Clients drop a fixed number of characters at the front and two at the end.
  @Test(
    arguments: [
      (29, [], "/x/js/v/all-settings-mobile.js"), (29, [], "/x/js/v/all-settings-other.js"),
      (31, [("X-Roxchat-Sdk-Version", "3.0.7")], "/x/js/v/all-settings-mobile.js"),
      (31, [("User-Agent", "iOS: Roxchat-Client 3.0.7")], "/x/js/v/all-settings-mobile.js"),
    ] as [(Int, [(String, String)], String)])
  func `the settings script can be cut to JSON as its clients do`(
    front: Int, headers: [(String, String)], path: String
  ) throws {
    var bench = ServiceBench()
    var request = WireRequest.make(path)
    request.headers = headers.map { .init($0.0, $0.1) }
    let exchange = bench.send(request)
    let body = try #require(bench.answers[exchange]?.body)
    let json = try JSONNode(parsing: Array(body.dropFirst(front).dropLast(2)))
    #expect(json["accountConfig"]?["rate_operator"]?.bool == true)
  }

  @Test func `what the desk sets is in the next configuration`() {
    var bench = ServiceBench()
    bench.desk(.accountConfig(key: "rate_operator", value: false))
    bench.desk(.locationSettings(["chat": ["visitorFields": [:]]]))
    let answer = bench.get("/api/visitor/v1/configs/mobile")
    #expect(answer["accountConfig"]?["rate_operator"]?.bool == false)
    #expect(answer["locationSettings"] == ["chat": ["visitorFields": [:]]])
    #expect(bench.desk(.locationSettings(7)).failure?.code == .invalidArgument)
  }

  @Test func `capabilities name the two endpoints that clients use`() {
    var bench = ServiceBench()
    let endpoints = bench.get("/api/visitor/meta")["endpoints"]
    #expect(endpoints?["history_mobile"]?["url"]?.string == "/l/v/m/history")
    #expect(endpoints?["configs"]?["url"]?.string == "/api/visitor/v1/configs")
  }

  @Test(arguments: ["/l/v/m/get-online-status", "/l/v/get-online-status"])
  func `the online status needs no session`(path: String) {
    var bench = ServiceBench()
    #expect(bench.get(path, [("location", "mobile")]) == ["onlineOperators": true, "onlineStatus": "online"])
    bench.desk(.onlineStatus(.busyOffline))
    #expect(bench.get(path) == ["onlineOperators": false, "onlineStatus": "busy_offline"])
  }

  @Test(arguments: [
    ("/l/v/m/upload", "setting_disabled", 200), ("/l/v/file-delete", "setting_disabled", 200),
    ("/l/v/m/download/g/name.txt", "setting_disabled", 404), ("/nowhere", "unknown-method", 404),
    ("/x/js/v/all-settings-mobile.css", "unknown-method", 404), ("", "unknown-method", 404),
  ])
  func `what is not served says so`(path: String, code: String, status: Int) {
    var bench = ServiceBench()
    let exchange = bench.send(.make(path))
    #expect(bench.answers[exchange]?.status == status)
    #expect(bench.json(exchange)["error"]?.string == code)
    #expect(bench.json(exchange)["description"]?.string?.isEmpty == false)
  }

  @Test(
    arguments: [
      (nil, "argument-missing"), ("", "argument-missing"), ("chat.dance", "unknown-method"),
      ("sticker", "setting_disabled"), ("chat.react_message", "setting_disabled"), ("set_push_token", nil),
      ("widget.update", nil), ("file_upload_progress", nil), ("chat.set_prechat_fields", nil),
    ] as [(String?, String?)])
  func `an action is known, refused, or taken without a consequence`(action: String?, code: String?) {
    var bench = ServiceBench()
    let page = bench.enter()
    var request = page.request("", [])
    request.form.removeAll { $0.name == "action" }
    if let action { request.form.append(.init("action", action)) }
    let exchange = bench.send(request)
    #expect(bench.json(exchange)["error"]?.string == code)
  }

  @Test func `an action may come by query`() {
    var bench = ServiceBench()
    let page = bench.enter()
    let query = page.credentials.map { ($0.name, $0.value) }
    let answer = bench.get("/l/v/m/action", query + [("action", "chat.start"), ("client-side-id", "c")])
    #expect(answer["result"]?.string == "ok")
    #expect(bench.service.statistics.chatsStarted == 1)
  }

  @Test func `a greeting is announced as wanted before a chat`() {
    var bench = ServiceBench { $0.greeting = "Hello!" }
    let full = bench.enter().full
    #expect(full["showHelloMessage"]?.bool == true)
    #expect(full["chatStartAfterMessage"]?.bool == true)
    #expect(full["helloMessageDescr"]?.string == "Hello!")
  }
}
