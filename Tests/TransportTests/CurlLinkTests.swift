import Testing

@testable import Transport

private let ok = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"

@Suite(.timeLimit(.minutes(2)))
struct CurlLinkTests {
  @Test func `a visitor has one connection for its poll and one for its actions`() async throws {
    try await rehearse(.loopback) { stage in
      for number in 0..<50 {
        let poll = stage.start(HTTPRequest(target: "/poll/\(number)"), on: .poll)
        let action = try await stage.ask(HTTPRequest(method: .post, target: "/echo"), on: .action)
        try await stage.until { !poll.results.isEmpty }
        #expect(action.response?.status == 200 && poll.results.first?.response?.status == 200)
      }
      #expect(try stage.server().accepted == 2)
      #expect(try stage.server().connections == 2)
    }
  }

  @Test func `visitors never share a connection, idle or not`() async throws {
    try await rehearse(.loopback) { stage in
      for _ in 0..<200 {
        let link = stage.addLink()
        let answer = try await stage.get("/", on: .poll, over: link)
        #expect(answer.response?.status == 200)
      }
      #expect(try stage.server().accepted == 200)
      #expect(try stage.server().connections == 200)
    }
  }

  @Test func `an idle action connection closes, the poll's stays`() async throws {
    var options = LinkOptions()
    options.idleActionSeconds = 0.05
    try await rehearse(.loopback, options) { stage in
      let listener = try stage.server()
      for round in 1...3 {
        _ = try await stage.get("/", on: .poll)
        _ = try await stage.get("/", on: .action)
        try await stage.until { listener.connections == 1 }
        #expect(listener.accepted == 1 + round)
      }
    }
  }

  @Test func `an action sent while its idle connection closes is not lost`() async throws {
    var options = LinkOptions()
    options.idleActionSeconds = 0
    try await rehearse(.loopback, options) { stage in
      for number in 0..<100 {
        let answer = try await stage.ask(HTTPRequest(method: .post, target: "/echo/\(number)"))
        #expect(answer.response?.status == 200)
      }
      #expect(stage.responder.requests.count == 100)
      #expect(try stage.server().accepted > 1)
    }
  }

  @Test func `a closed link closes its connections, busy or idle`() async throws {
    try await rehearse(.loopback) { stage in
      let listener = try stage.server()
      let links = (0..<20).map { _ in stage.addLink() }
      for link in links { _ = try await stage.get("/", on: .action, over: link) }
      let polls = links.map { stage.start(HTTPRequest(target: "/hold"), on: .poll, over: $0) }
      try await stage.until { stage.responder.held.count == 20 }
      #expect(listener.connections == 40)
      for link in links { link.close() }
      try await stage.until { listener.connections == 0 && stage.responder.abandoned == 20 }
      #expect(polls.allSatisfy { $0.results.count == 1 })
    }
  }

  @Test(arguments: [HTTPMethod.get, .post])
  func `a kept connection that the server has closed is replaced unseen`(method: HTTPMethod) async throws {
    try await rehearse(.loopback) { stage in
      let server = try RawServer(loop: stage.loop) { connection, _ in connection.send(ok) }
      defer { server.close() }
      let link = stage.addLink(base: server.url)
      for round in 1...3 {
        let answer = try await stage.ask(HTTPRequest(method: method, target: "/"), over: link)
        #expect(answer.text == "ok")
        #expect(server.connections.count == round)
        server.connections.last?.close()
      }
    }
  }

  @Test func `a question on a kept connection that ends without an answer is asked once more`() async throws {
    try await rehearse(.loopback) { stage in
      let server = try RawServer(loop: stage.loop) { connection, number in
        if connection.text.contains("/second"), number == 0 {
          connection.close()
        } else {
          connection.send(ok)
        }
      }
      defer { server.close() }
      let link = stage.addLink(base: server.url)
      _ = try await stage.get("/first", over: link)
      let second = try await stage.get("/second", over: link)
      #expect(second.text == "ok")
      #expect(server.text.components("GET /second") == 2)
    }
  }

  @Test func `an action on a kept connection that ends without an answer is told, not repeated`() async throws
  {
    try await rehearse(.loopback) { stage in
      let server = try RawServer(loop: stage.loop) { connection, number in
        if connection.text.contains("/second"), number == 0 {
          connection.close()
        } else {
          connection.send(ok)
        }
      }
      defer { server.close() }
      let link = stage.addLink(base: server.url)
      _ = try await stage.get("/first", over: link)
      let second = try await stage.ask(
        HTTPRequest(method: .post, target: "/second", body: bytes(1000)), over: link)
      #expect(second.error?.code == .closed)
      #expect(second.error?.mayHaveBeenDelivered == true)
      #expect(server.text.components("POST /second") == 1)
      let third = try await stage.ask(HTTPRequest(method: .post, target: "/third"), over: link)
      #expect(third.text == "ok")
    }
  }

  @Test func `nobody listens there`() async throws {
    try await rehearse(.loopback) { stage in
      let port = SilentPort()
      let answer = try await stage.get("/", over: stage.addLink(base: "http://127.0.0.1:\(port.number)"))
      #expect(answer.error?.code == .refused)
      #expect(answer.error?.mayHaveBeenDelivered == false)
      #expect(answer.error?.description.contains("\(port.number)") == true)
    }
  }

  @Test func `a name without an address`() async throws {
    try await rehearse(.loopback) { stage in
      // Longer than a name's part may be: no resolver asks anybody for it.
      let name = String(repeating: "a", count: 80) + ".invalid"
      let answer = try await stage.get("/", over: stage.addLink(base: "http://\(name)"))
      #expect(answer.error?.code == .unresolved)
      #expect(answer.error?.host == name)
      #expect(answer.error?.mayHaveBeenDelivered == false)
    }
  }

  @Test func `a server without TLS where there should be some`() async throws {
    try await rehearse(.loopback) { stage in
      let listener = try stage.server()
      let base = "https://127.0.0.1:\(listener.port)"
      let answer = try await stage.get("/", over: stage.addLink(base: base))
      #expect(answer.error?.code == .tls)
      #expect(answer.error?.mayHaveBeenDelivered == false)
    }
  }

  @Test func `an answer beyond the limit is cut off`() async throws {
    var options = LinkOptions()
    options.maxResponseBytes = 10_000
    try await rehearse(.loopback, options) { stage in
      let fits = try await stage.get("/size/10000")
      #expect(fits.response?.body.count == 10_000)
      let tooLong = try await stage.get("/size/10001")
      #expect(tooLong.error?.code == .tooLarge)
    }
  }

  @Test(arguments: ["", "/", "/prefix", "/prefix/"])
  func `a base URL may have a path`(path: String) async throws {
    try await rehearse(.loopback) { stage in
      let listener = try stage.server()
      let answer = try await stage.get("/a/../b?c=d", over: stage.addLink(base: listener.url + path))
      #expect(answer.text == (path.contains("prefix") ? "/prefix/a/../b?c=d" : "/a/../b?c=d"))
    }
  }

  @Test(arguments: [
    HTTPRequest(target: "no slash"),
    HTTPRequest(target: "/a b"),
    HTTPRequest(target: "/", headers: [HTTPHeader(name: "X-A", value: "1\r\nX-B: 2")]),
    HTTPRequest(target: "/", headers: [HTTPHeader(name: "X-A: 1\r\nX-B", value: "2")]),
    HTTPRequest(target: "/", headers: [HTTPHeader(name: "", value: "2")]),
  ])
  func `a request that would break the wire does not leave`(request: HTTPRequest) async throws {
    try await rehearse(.loopback) { stage in
      let answer = try await stage.ask(request)
      #expect(answer.error?.code == .other)
      #expect(answer.error?.mayHaveBeenDelivered == false)
      #expect(stage.responder.requests.isEmpty)
      let next = try await stage.get("/next")
      #expect(next.text == "/next")
    }
  }

  @Test(arguments: ["garbage\r\n\r\n", "\0\u{1}\u{2}", "HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhalf"])
  func `what is no answer is an error`(bytes: String) async throws {
    try await rehearse(.loopback) { stage in
      let server = try RawServer(loop: stage.loop) { connection, _ in
        connection.send(bytes)
        connection.close()
      }
      defer { server.close() }
      let answer = try await stage.get("/", over: stage.addLink(base: server.url))
      #expect(answer.error?.mayHaveBeenDelivered == true)
    }
  }

  @Test func `an answer may come in pieces, after a word of patience`() async throws {
    try await rehearse(.loopback) { stage in
      let server = try RawServer(loop: stage.loop) { connection, _ in
        connection.send("HTTP/1.1 100 Continue\r\nX-Not: this\r\n\r\nHTTP/1.1 200 OK\r\n")
        connection.send("Transfer-Encoding: chunked\r\nX-This:  one \r\n\r\n3\r\nabc\r\n")
        connection.send("2\r\nde\r\n0\r\n\r\n")
      }
      defer { server.close() }
      let answer = try await stage.get("/", over: stage.addLink(base: server.url))
      #expect(answer.text == "abcde")
      #expect(answer.response?.headers["X-This"] == "one")
      #expect(answer.response?.headers["X-Not"] == nil)
    }
  }

  @Test func `a loop may end with requests on their way`() async throws {
    for _ in 0..<20 {
      let loop = PollLoop()
      loop.start()
      let responder = await loop.perform { Unshared(ScriptedResponder()) }
      let links = await loop.perform {
        // The guard: everything here is made and used on the loop's thread, and then by nobody.
        guard let listener = try? HTTPListener(loop: loop, responder: responder.value) else {
          return Unshared<(HTTPListener?, [CurlLink])>((nil, []))
        }
        let links = (0..<10).map { _ in CurlLink(loop: loop, base: listener.url) }
        for link in links {
          _ = link.send(HTTPRequest(target: "/hold"), on: .poll) { _ in }
          _ = link.send(HTTPRequest(target: "/now"), on: .action) { _ in }
        }
        return Unshared<(HTTPListener?, [CurlLink])>((listener, links))
      }
      loop.stop()
      #expect(links.value.1.count == 10)
    }
  }
  @Test func `one slash at the end of a base is left out, and no more`() async throws {
    try await rehearse(.loopback) { stage in
      for (end, target) in [("/p", "/p/x"), ("/p/", "/p/x"), ("/p//", "/p//x"), ("", "/x"), ("/", "/x")] {
        let link = stage.addLink(base: try stage.server().url + end)
        #expect(try await stage.get("/x", over: link).text == target)
      }
    }
  }
}

/// A value that only one thread at a time uses; the test says why.
struct Unshared<Value>: @unchecked Sendable {
  let value: Value

  init(_ value: Value) {
    self.value = value
  }
}

extension String {
  /// How often `part` stands in it.
  func components(_ part: String) -> Int {
    var count = 0
    var rest = self[...]
    while !rest.isEmpty {
      if rest.hasPrefix(part) { count += 1 }
      rest = rest.dropFirst()
    }
    return count
  }
}
