import Testing
import Transport

@Suite(.timeLimit(.minutes(2)))
struct LinkTests {
  @Test(arguments: Ground.allCases)
  func `a request reaches the far end as it was, and its answer comes back`(ground: Ground) async throws {
    try await rehearse(ground) { stage in
      let request = HTTPRequest(
        method: .post, target: "/echo?a=b%20c&d=%D1%8F",
        headers: [
          HTTPHeader(name: "X-Word", value: "привет"),
          HTTPHeader(name: "Content-Type", value: "application/x-www-form-urlencoded"),
        ], body: Array("text=hello&empty=".utf8))
      let answer = try await stage.ask(request)
      #expect(answer.response?.status == 200)
      #expect(answer.text == "text=hello&empty=")
      #expect(answer.response?.headers["x-echo"] == "привет")
      let got = try #require(stage.responder.requests.first)
      #expect(got.method == .post)
      #expect(got.target == request.target)
      #expect(got.headers["content-type"] == "application/x-www-form-urlencoded")
      #expect(got.body == request.body)
      #expect(got.headers["accept"] == nil)
      #expect(got.headers["expect"] == nil)
    }
  }

  @Test(arguments: Ground.allCases, [0, 1, 50_000, 300_000])
  func `bodies of any size come whole, both ways`(ground: Ground, count: Int) async throws {
    try await rehearse(ground) { stage in
      let down = try await stage.get("/size/\(count)", on: .poll)
      #expect(down.response?.body == bytes(count))
      let up = try await stage.ask(HTTPRequest(method: .post, target: "/echo", body: bytes(count)))
      #expect(up.response?.body == bytes(count))
    }
  }

  @Test(arguments: Ground.allCases, [200, 204, 301, 404, 413, 500, 502])
  func `an answer of any status is an answer`(ground: Ground, status: Int) async throws {
    try await rehearse(ground) { stage in
      let answer = try await stage.get("/status/\(status)")
      #expect(answer.response?.status == status)
    }
  }

  @Test(arguments: Ground.allCases)
  func `a request can be held while the other lane goes on`(ground: Ground) async throws {
    try await rehearse(ground) { stage in
      let poll = stage.start(HTTPRequest(target: "/hold"), on: .poll)
      for number in 0..<5 { #expect(try await stage.get("/\(number)").text == "/\(number)") }
      #expect(poll.results.isEmpty)
      stage.responder.release()
      try await stage.until { !poll.results.isEmpty }
      #expect(poll.results.first?.text == "released")
      #expect(stage.responder.abandoned == 0)
    }
  }

  @Test(arguments: Ground.allCases)
  func `a lane carries its requests in order, one at a time`(ground: Ground) async throws {
    try await rehearse(ground) { stage in
      let first = stage.start(HTTPRequest(target: "/hold/1"))
      let second = stage.start(HTTPRequest(target: "/hold/2"))
      let third = stage.start(HTTPRequest(target: "/3"))
      try await stage.until { stage.responder.held.count == 1 }
      stage.responder.release()
      try await stage.until { stage.responder.held.count == 1 }
      #expect(!first.results.isEmpty && second.results.isEmpty && third.results.isEmpty)
      stage.responder.release()
      try await stage.until { !third.results.isEmpty }
      #expect(stage.responder.requests.map(\.target) == ["/hold/1", "/hold/2", "/3"])
    }
  }

  @Test(arguments: Ground.allCases, Lane.allCases)
  func `a cancelled request is abandoned at the far end and never told`(
    ground: Ground, lane: Lane
  ) async throws {
    try await rehearse(ground) { stage in
      let held = stage.start(HTTPRequest(target: "/hold"), on: lane)
      let waiting = stage.start(HTTPRequest(target: "/never"), on: lane)
      let last = stage.start(HTTPRequest(target: "/last"), on: lane)
      try await stage.until { stage.responder.held.count == 1 }
      stage.link.cancel(try #require(waiting.id))
      stage.link.cancel(try #require(held.id))
      stage.link.cancel(try #require(held.id))
      try await stage.until { stage.responder.abandoned == 1 && !last.results.isEmpty }
      stage.responder.release()
      #expect(try await stage.get("/after", on: lane).text == "/after")
      #expect(held.results.isEmpty && waiting.results.isEmpty)
      #expect(stage.responder.requests.map(\.target) == ["/hold", "/last", "/after"])
      #expect(stage.responder.abandoned == 1)
    }
  }

  @Test(arguments: Ground.allCases, ["/drop", "/cut/50000/20000", "/cut/10/0", "/cut/10/9"])
  func `a connection that closes too early is told as closed`(ground: Ground, target: String) async throws {
    try await rehearse(ground) { stage in
      let error = try #require(try await stage.ask(HTTPRequest(method: .post, target: target)).error)
      #expect(error.code == .closed)
      #expect(error.mayHaveBeenDelivered)
      #expect(error.description.hasPrefix(ground == .memory ? "memory: " : "127.0.0.1: "))
      #expect(try await stage.get("/next").text == "/next")
    }
  }

  @Test(arguments: Ground.allCases)
  func `what is not a mere question is never sent twice by itself`(ground: Ground) async throws {
    try await rehearse(ground) { stage in
      #expect(try await stage.ask(HTTPRequest(method: .post, target: "/echo")).response?.status == 200)
      let error = try #require(try await stage.ask(HTTPRequest(method: .post, target: "/drop")).error)
      #expect(error.code == .closed && error.mayHaveBeenDelivered)
      #expect(stage.responder.requests.map(\.target) == ["/echo", "/drop"])
    }
  }

  @Test(arguments: Ground.allCases)
  func `a request has its time and no more, from its turn in the lane on`(ground: Ground) async throws {
    try await rehearse(ground) { stage in
      let held = stage.start(HTTPRequest(target: "/hold", timeout: 3), on: .poll)
      let waiting = stage.start(HTTPRequest(target: "/next", timeout: 2.9), on: .poll)
      try await stage.until { !held.results.isEmpty && stage.responder.abandoned == 1 }
      #expect(held.results.first?.error?.code == .timedOut)
      #expect(held.results.first?.error?.mayHaveBeenDelivered == true)
      try await stage.until { !waiting.results.isEmpty }
      #expect(waiting.results.first?.text == "/next")
      #expect(stage.responder.requests.map(\.target) == ["/hold", "/next"])
    }
  }

  @Test(arguments: Ground.allCases)
  func `what is held on one lane holds no other`(ground: Ground) async throws {
    try await rehearse(ground) { stage in
      for lane in Lane.allCases {
        let held = stage.start(HTTPRequest(target: "/hold"), on: lane)
        for other in Lane.allCases where other != lane {
          let answer = try await stage.get("/free", on: other)
          #expect(answer.text == "/free")
        }
        if let id = held.id { stage.link.cancel(id) }
      }
    }
  }

  @Test(arguments: Ground.allCases)
  func `a closed link ends what is under way and refuses the rest`(ground: Ground) async throws {
    try await rehearse(ground) { stage in
      let held = stage.start(HTTPRequest(target: "/hold"), on: .poll)
      let waiting = stage.start(HTTPRequest(target: "/never"), on: .poll)
      try await stage.until { stage.responder.held.count == 1 }
      stage.link.close()
      #expect(held.results.isEmpty, "nothing is told within the call")
      let late = stage.start(HTTPRequest(target: "/late"))
      try await stage.until { !late.results.isEmpty && stage.responder.abandoned == 1 }
      #expect(held.results.first?.error?.code == .cancelled)
      #expect(held.results.first?.error?.mayHaveBeenDelivered == true)
      #expect(waiting.results.first?.error?.mayHaveBeenDelivered == false)
      #expect(late.results.first?.error?.code == .cancelled)
      #expect(stage.responder.requests.count == 1)
    }
  }

  @Test(arguments: Ground.allCases)
  func `a completion may send, cancel and close`(ground: Ground) async throws {
    try await rehearse(ground) { stage in
      let (link, responder) = (stage.link, stage.responder)
      let held = stage.start(HTTPRequest(target: "/hold"), on: .poll)
      var ends = 0
      _ = link.send(HTTPRequest(target: "/1"), on: .action) { _ in
        _ = link.send(HTTPRequest(target: "/2"), on: .action) { _ in
          if let id = held.id { link.cancel(id) }
          _ = link.send(HTTPRequest(target: "/3"), on: .action) { _ in ends += 1 }
          link.close()
          ends += 1
        }
      }
      try await stage.until { ends == 2 && responder.abandoned == 1 }
      #expect(responder.requests.map(\.target).sorted() == ["/1", "/2", "/hold"])
    }
  }

  @Test(arguments: Ground.allCases)
  func `a thousand polls are held at once`(ground: Ground) async throws {
    try await rehearse(ground) { stage in
      let polls = (0..<1000).map { _ in
        stage.start(HTTPRequest(target: "/hold"), on: .poll, over: stage.addLink())
      }
      try await stage.until { stage.responder.held.count == 1000 }
      stage.responder.releaseAll()
      try await stage.until { polls.allSatisfy { $0.results.first?.text == "released" } }
      #expect(stage.responder.abandoned == 0)
      if let listener = stage.listener { #expect(listener.accepted == 1000) }
    }
  }
}
