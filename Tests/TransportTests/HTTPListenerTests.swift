import Testing

@testable import Transport

@Suite(.timeLimit(.minutes(2)))
struct HTTPListenerTests {
  @Test func `a taken address is named`() async throws {
    try await rehearse(.loopback) { stage in
      let port = try stage.server().port
      let error = #expect(throws: ListenError.self) {
        try HTTPListener(loop: stage.loop, port: port, responder: stage.responder)
      }
      #expect(error?.code == .taken)
      #expect(
        error?.description == "cannot listen on 127.0.0.1 port \(port): another process listens there")
    }
  }

  @Test(arguments: [("nonsense", 0), ("192.0.2.1", 0), ("127.0.0.1", 70_000), ("127.0.0.1", -1)])
  func `what is no address of this machine is refused`(address: String, port: Int) async throws {
    try await rehearse(.memory) { stage in
      let error = #expect(throws: ListenError.self) {
        try HTTPListener(loop: stage.loop, address: address, port: port, responder: stage.responder)
      }
      #expect(error?.code == .badAddress)
      #expect(error?.address == address && error?.port == port)
    }
  }

  @Test(arguments: ["127.0.0.1", "127.0.0.2", "localhost", "::1"])
  func `its URL leads to it`(address: String) async throws {
    try await rehearse(.loopback) { stage in
      let listener = try HTTPListener(loop: stage.loop, address: address, responder: stage.responder)
      defer { listener.close() }
      let answer = try await stage.get("/here", over: stage.addLink(base: listener.url))
      #expect(answer.text == "/here")
      #expect(listener.accepted == 1)
    }
  }

  @Test func `a port is free again once its listener has closed`() async throws {
    try await rehearse(.loopback) { stage in
      let first = try HTTPListener(loop: stage.loop, responder: stage.responder)
      let link = stage.addLink(base: first.url)
      _ = try await stage.get("/", over: link)
      first.close()
      let second = try HTTPListener(loop: stage.loop, port: first.port, responder: stage.responder)
      defer { second.close() }
      let answer = try await stage.get("/again", over: link)
      #expect(answer.text == "/again")
    }
  }

  @Test func `closing it ends what is held`() async throws {
    try await rehearse(.loopback) { stage in
      let polls = (0..<100).map { _ in
        stage.start(HTTPRequest(target: "/hold"), on: .poll, over: stage.addLink())
      }
      try await stage.until { stage.responder.held.count == 100 }
      try stage.server().close()
      try await stage.until { polls.allSatisfy { $0.results.count == 1 } }
      #expect(polls.allSatisfy { $0.results.first?.error?.code == .closed })
      #expect(stage.responder.abandoned == 100)
      #expect(try stage.server().connections == 0)
      stage.responder.releaseAll()
    }
  }

  @Test func `it may be closed from within a request`() async throws {
    try await rehearse(.loopback) { stage in
      let listener = try stage.server()
      stage.responder.onRequest = { [unowned listener] _ in listener.close() }
      let answer = try await stage.get("/")
      #expect(answer.response != nil || answer.error?.code == .closed)
      try await stage.until { listener.connections == 0 }
    }
  }

  @Test func `abandoned polls do not pile up`() async throws {
    try await rehearse(.loopback) { stage in
      let listener = try stage.server()
      for round in 1...5 {
        let links = (0..<200).map { _ in stage.addLink() }
        let polls = links.map { ($0, stage.start(HTTPRequest(target: "/hold"), on: .poll, over: $0)) }
        try await stage.until { stage.responder.held.count == 200 * round }
        for (link, poll) in polls { if let id = poll.id { link.cancel(id) } }
        try await stage.until { listener.connections == 0 }
        #expect(stage.responder.abandoned == 200 * round)
      }
      // Answers that come after the peer has gone are no trouble.
      stage.responder.releaseAll()
      let answer = try await stage.get("/still")
      #expect(answer.text == "/still")
    }
  }

  @Test func `a peer that vanishes while it is held is noticed`() async throws {
    try await rehearse(.loopback) { stage in
      let listener = try stage.server()
      let peer = RawConnection(loop: stage.loop, port: listener.port)
      peer.send("GET /hold HTTP/1.1\r\nHost: a\r\n\r\n")
      try await stage.until { stage.responder.held.count == 1 }
      peer.close()
      try await stage.until { stage.responder.abandoned == 1 && listener.connections == 0 }
    }
  }

  @Test func `a body beyond the limit is refused`() async throws {
    try await rehearse(.loopback) { stage in
      let body = [UInt8](repeating: 1, count: ServedExchange.maxBodyBytes + 1)
      let answer = try await stage.ask(HTTPRequest(method: .post, target: "/echo", body: body))
      #expect(answer.response?.status == 413)
      #expect(stage.responder.requests.isEmpty)
    }
  }

  @Test(arguments: [1000, 4000, 8000, 9000])
  func `a long query is taken`(count: Int) async throws {
    try await rehearse(.loopback) { stage in
      let headers = (0..<20).map { HTTPHeader(name: "X-Header-\($0)", value: "some value of a header") }
      let query = (0..<(count / 10)).map { "a\($0 % 10)=bcdefg" }.joined(separator: "&")
      let answer = try await stage.ask(HTTPRequest(target: "/x?\(query)", headers: headers))
      #expect(answer.text == "/x?\(query)")
    }
  }

  @Test func `a line beyond the limit is refused, and the next request is not`() async throws {
    try await rehearse(.loopback) { stage in
      let answer = try await stage.get("/" + String(repeating: "a", count: 40_000))
      #expect([414, 431].contains(answer.response?.status))
      let next = try await stage.get("/next")
      #expect(next.text == "/next")
    }
  }

  @Test(arguments: ["PUT", "DELETE", "HEAD", "FOO"])
  func `another method is told what is allowed`(method: String) async throws {
    try await rehearse(.loopback) { stage in
      let peer = RawConnection(loop: stage.loop, port: try stage.server().port)
      peer.send("\(method) / HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\n\r\n")
      try await stage.until { peer.text.contains("\r\n\r\n") }
      #expect(peer.text.hasPrefix("HTTP/1.1 405 "))
      #expect(peer.text.contains("Allow: GET, POST\r\n"))
      #expect(stage.responder.requests.isEmpty)
    }
  }

  @Test(arguments: [(true, "Connection: close\r\n"), (false, "")])
  func `a connection is kept unless its peer asks for its end`(ends: Bool, header: String) async throws {
    try await rehearse(.loopback) { stage in
      let peer = RawConnection(loop: stage.loop, port: try stage.server().port)
      peer.send("GET /one HTTP/1.1\r\nHost: a\r\n\(header)\r\n")
      try await stage.until { peer.text.hasSuffix("/one") }
      if ends {
        try await stage.until { peer.hasEnded }
      } else {
        peer.send("GET /two HTTP/1.1\r\nHost: a\r\n\r\n")
        try await stage.until { peer.text.hasSuffix("/two") }
        #expect(!peer.hasEnded)
      }
    }
  }

  @Test func `requests that come in one piece are answered one after another`() async throws {
    try await rehearse(.loopback) { stage in
      let peer = RawConnection(loop: stage.loop, port: try stage.server().port)
      let three = ["/hold", "/two", "/three"].map { "GET \($0) HTTP/1.1\r\nHost: a\r\n\r\n" }
      peer.send(three.joined())
      try await stage.until { stage.responder.held.count == 1 }
      stage.responder.release()
      try await stage.until { peer.text.hasSuffix("/three") }
      #expect(stage.responder.requests.map(\.target) == ["/hold", "/two", "/three"])
    }
  }

  @Test(arguments: [
    "garbage", "GET", "\u{1}\u{2}\u{3}", "GET / HTTP/9.9", "POST / HTTP/1.1\r\nContent-Length: x",
  ])
  func `what is no request disturbs nobody`(line: String) async throws {
    try await rehearse(.loopback) { stage in
      let peer = RawConnection(loop: stage.loop, port: try stage.server().port)
      peer.send(line + "\r\n\r\n")
      try await stage.until { peer.hasEnded || !peer.received.isEmpty }
      let answer = try await stage.get("/fine")
      #expect(answer.text == "/fine")
      #expect(stage.responder.requests.map(\.target) == ["/fine"])
    }
  }

  @Test func `a second reply to one request does nothing`() async throws {
    try await rehearse(.loopback) { stage in
      let poll = stage.start(HTTPRequest(target: "/hold"), on: .poll)
      try await stage.until { stage.responder.held.count == 1 }
      let reply = stage.responder.held[0]
      stage.responder.release()
      reply(.dropped)
      try await stage.until { !poll.results.isEmpty }
      reply(.dropped)
      #expect(poll.results.first?.text == "released")
      let next = try await stage.get("/next", on: .poll)
      #expect(next.text == "/next")
      #expect(try stage.server().accepted == 1)
    }
  }
}
