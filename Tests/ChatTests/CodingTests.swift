import Chat
import JSON
import TestSupport
import Testing

@Suite struct CodingTests {
  @Test(arguments: 0..<10 as Range<UInt64>)
  func `every value of the model comes back from the store equal`(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    for _ in 0..<40 {
      try roundTrip(generator.message())
      try roundTrip(generator.survey())
      try roundTrip(generator.department())
      try roundTrip(generator.person())
      try roundTrip(generator.action())
      try roundTrip(generator.event())
      try roundTrip(generator.actionError())
      try roundTrip(generator.sessionError())
    }
  }

  private func roundTrip<Value: JSONCoded & Equatable>(_ value: Value) throws {
    let json = value.json()
    #expect(try Value(json: JSONNode(parsing: json)) == value, "\(String(decoding: json, as: UTF8.self))")
  }

  @Test(arguments: 0..<10 as Range<UInt64>)
  func `what a script is given can be read too`(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    for _ in 0..<40 {
      // Whether a robot wrote what is no message of an operator's is the store's to know.
      let message = with(generator.message()) {
        $0.raw = nil
        $0.isFromRobot = $0.origin == .robot
      }
      let read = try Message(json: JSONNode(parsing: message.json(.script)))
      #expect(try #require(read).looksLike(message))
      let event = generator.event()
      #expect(try ChatEvent(json: JSONNode(parsing: event.json(.script)))?.name == event.name)
    }
  }

  @Test(arguments: 0..<10 as Range<UInt64>)
  func `no mutation of stored text makes reading trap, and what is read can be stored`(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    for _ in 0..<100 {
      var bytes = generator.oneIn(2) ? generator.event().json() : generator.action().json()
      let place = generator.integer(0...bytes.count - 1)
      bytes[place] = UInt8(ascii: generator.pick(["0", "\"", "n", "-", ":"], or: "0"))
      guard let node = try? JSONNode(parsing: bytes) else { continue }  // most are no JSON any more
      if let event = ChatEvent(json: node) { try roundTrip(event) }
      if let action = Action(json: node) { try roundTrip(action) }
      _ = (Message(json: node), Conversation(json: node))
    }
  }

  @Test func `a message is written in the words of the handbook`() {
    var message = Sample.keyboard("k", at: 1_700_000_000_250_000, .completed)
    message.keyboard?.response = ("b-no", "s-r")
    message.keyboard?.rows = [[Button(id: "b-no", text: "No", kind: .url("https://example.org"))]]
    message.isFromRobot = true
    message.data = #"{"extra": [1]}"#
    message.raw = "{}"
    let button =
      #"{"id":"b-no","text":"No","type":"url","url":"https://example.org","active":true,"state":"showing","hide_after_response":false}"#
    #expect(
      String(decoding: message.json(.script), as: UTF8.self)
        == #"{"id":"k","server_id":"s-k","type":"keyboard","from":"robot","sender_name":"Name","text":"text","#
        + #""time":1700000000.25,"timestamp_us":1700000000250000,"read":false,"edited":false,"can_be_edited":false,"#
        + #""can_be_replied":false,"can_visitor_react":false,"can_visitor_change_reaction":false,"send_status":"sent","#
        + #""keyboard":{"state":"completed","buttons":[\#(button)],"rows":[[\#(button)]],"#
        + #""response":{"button_id":"b-no","message_id":"s-r"}},"attachments":[],"data":{"extra":[1]}}"#)
  }

  @Test(arguments: [
    (
      ChatEvent.chatState(from: .queue, to: .chatting),
      #"{"name":"chat_state","previous":"queue","current":"chatting"}"#
    ),
    (.unreadByOperator(since: nil), #"{"name":"unread_by_operator"}"#),
    (.unreadCount(3), #"{"name":"unread_count","value":3}"#),
    (.rated(operatorID: "501", stars: 5), #"{"name":"rated","operator_id":"501","rating":5}"#),
    (
      .operatorChanged(from: nil, to: Sample.anna),
      #"{"name":"operator","current":{"id":"501","name":"Anna"}}"#
    ),
    (.locationSettings(from: nil, to: #"{"a":1}"#), #"{"name":"location_settings","current":{"a":1}}"#),
    (
      .fatalError(SessionError(code: .visitorBanned, serverCode: "visitor_banned")),
      #"{"name":"fatal_error","error":{"code":"visitor_banned","server_code":"visitor_banned","message":"visitor_banned (the service said \"visitor_banned\")"}}"#
    ),
  ])
  func `an event's arguments have the names of the handlers' table`(event: ChatEvent, json: String) {
    #expect(String(decoding: event.json(.script), as: UTF8.self) == json)
  }
}
