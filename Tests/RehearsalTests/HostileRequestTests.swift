import Rehearsal
import TestSupport
import Testing
import Transport

/// Requests that no honest client sends.
struct HostileRequestTests {
  private static let paths = [
    "/l/v/m/init", "/l/v/m/delta", "/l/v/m/action", "/l/v/m/history", "/l/v/m/upload", "/api/visitor/meta",
    "/api/visitor/v1/configs/mobile", "/l/v/m/search-messages", "/l/v/m/get-online-status", "/", "",
    "/l/v/m/download/x/y", "/l/v/file-delete", "/l/v/m/auth", "/l/v/m/info", "nonsense", "/%zz%",
  ]

  private static let names = [
    "event", "action", "page-id", "auth-token", "since", "client-side-id", "message", "rate", "operator_id",
    "survey-id", "form-id", "question-id", "answer", "button-id", "request-message-id", "quote", "device-id",
    "visitor", "visitor-ext", "before-ts", "typing", "message-draft", "thread_id", "visitor-fields",
  ]

  private static let values = [
    "init", "chat.start", "chat.message", "chat.close", "chat.operator_rate_select", "survey.answer",
    "chat.keyboard_response", "chat.delete_message", "chat.read_by_visitor", "1", "0", "-1", "true",
    "99999999999999999999", "{}", #"{"fields":{"id":"x"}}"#, "[[[[", "null", "\u{0}", "%", "+", "é", "NaN",
    #"{"ref":{"msgId":5}}"#, "",
  ]

  @Test(arguments: 1...4)
  func `no request makes the service stumble, and honest visitors go on`(seed: Int) async throws {
    let desk = """
      desk:operator{ id = "otto", name = "Otto" }
      desk:on_chat(function(chat)
        chat:accept("otto")
        chat:survey{ { type = "stars", text = "How?" } }
        while true do chat:say("echo " .. chat:wait_message().text) end
      end)
      """
    try await rehearse(desk: desk, hold: 0.5, seed: UInt64(seed)) { theatre in
      var generator = SeededGenerator(seed: UInt64(seed))
      let honest = try theatre.visitor("honest")
      try await theatre.until { honest.isOpen }
      let link = try theatre.link()
      let answered = Tally()
      for _ in 0..<1_250 {
        let lane = Lane.allCases.randomElement(using: &generator) ?? .action
        _ = link.send(Self.request(&generator, honest.credentials), on: lane) { _ in answered.count += 1 }
      }
      try await theatre.until { answered.count == 1_250 }
      honest.say("still here")
      try await theatre.until { honest.texts(of: "operator").contains("echo still here") }
      #expect(theatre.failures.isEmpty)
    }
  }

  private static func request(
    _ generator: inout SeededGenerator, _ credentials: [(String, String)]
  ) -> HTTPRequest {
    let path = paths.randomElement(using: &generator) ?? "/"
    var pairs = (0..<Int.random(in: 0...6, using: &generator)).map { _ in
      (names.randomElement(using: &generator) ?? "", values.randomElement(using: &generator) ?? "")
    }
    // Some come from a page that exists.
    if Bool.random(using: &generator), pairs.allSatisfy({ $0.1 != "chat.close" }) {
      pairs += credentials.filter { _ in Bool.random(using: &generator) }
    }
    var bytes = Array(pairs.map { "\($0.0)=\($0.1)" }.joined(separator: "&").utf8)
    for _ in 0..<Int.random(in: 0...3, using: &generator) where !bytes.isEmpty {
      bytes[Int.random(in: bytes.indices, using: &generator)] = UInt8.random(in: 0...255, using: &generator)
    }
    let text = String(decoding: bytes, as: UTF8.self)
    guard Bool.random(using: &generator) else { return HTTPRequest(target: "\(path)?\(text)", timeout: 5) }
    let types = ["application/x-www-form-urlencoded", "multipart/form-data; boundary=x", "text/plain", ""]
    return HTTPRequest(
      method: .post, target: path,
      headers: [HTTPHeader(name: "Content-Type", value: types.randomElement(using: &generator) ?? "")],
      body: bytes, timeout: 5)
  }
}

/// A count that completions raise, on one thread.
private final class Tally {
  var count = 0
}
