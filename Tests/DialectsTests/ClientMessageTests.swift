import Chat
import Dialects
import JSON
import Testing

/// Message objects (the protocol's sections 5.5 to 5.10, 8.3 and 8.4).
@Suite struct ClientMessageTests {
  func decode(_ members: String, _ decoder: MessageDecoder = MessageDecoder()) throws -> Message? {
    decoder.decode(try JSONNode(parsing: "{\(members)}"))
  }

  static let plain = #""id":"m-1","clientSideId":"a1","name":"Kim","text":"Hi","ts":12.5"#

  @Test(arguments: Message.Kind.allCases.filter { !$0.isFile })
  func `every kind has its word`(kind: Message.Kind) throws {
    #expect(try decode(#"\#(Self.plain),"kind":"\#(kind.wire)""#)?.kind == kind)
  }

  @Test(arguments: [
    #""kind":"operator","name":"A","text":"x","ts":1"#, #""id":"1","name":"A","text":"x","ts":1"#,
    #""id":"1","kind":"for_operator","name":"A","text":"x","ts":1"#,
    #""id":"1","kind":"hologram","name":"A","text":"x","ts":1"#,
    #""id":"1","kind":"operator","text":"x","ts":1"#,
    #""id":"1","kind":"operator","name":null,"text":"x","ts":1"#,
    #""id":"1","kind":"operator","name":"A","ts":1"#, #""id":"1","kind":"operator","name":"A","text":"x""#,
    #""id":1,"kind":"operator","name":"A","text":"x","ts":1"#,
    #""id":"1","kind":"operator","name":"A","text":"x","ts":1e300"#,
  ])
  func `a message without a needed member is dropped`(members: String) throws {
    #expect(try decode(members) == nil)
  }

  @Test func `ids, times and marks are read as the table says`() throws {
    let message = try #require(
      try decode(
        #"\#(Self.plain),"kind":"visitor","ts_m":13000001,"authorId":5.0,"chatId":"9","avatar":"/a","read":0,"#
          + #""edited":true,"canBeEdited":1,"canBeReplied":true,"reaction":"like","canVisitorReact":true"#))
    #expect(message.id == "a1" && message.serverID == "m-1" && message.timestamp == 13_000_001)
    #expect(message.senderID == "5" && message.chatID == "9" && message.senderAvatar == "/a")
    #expect(!message.isRead && message.isEdited && message.canBeEdited && message.canBeReplied)
    #expect(message.reaction == "like" && message.canVisitorReact && !message.canVisitorChangeReaction)
    let bare = try #require(try decode(#""id":"m-1","kind":"info","name":"","text":"","ts":1.0000019"#))
    #expect(bare.id == "m-1" && bare.timestamp == 1_000_001 && bare.isRead && !bare.canBeEdited)
  }

  @Test func `the account's settings take away rights, never give them`() throws {
    var decoder = MessageDecoder()
    decoder.allowsEditing = false
    decoder.allowsQuoting = false
    let text = #"\#(Self.plain),"kind":"visitor","canBeEdited":true,"canBeReplied":true"#
    let message = try #require(try decode(text, decoder))
    #expect(!message.canBeEdited && !message.canBeReplied)
  }

  @Test func `raw and data are the wire's objects`() throws {
    let message = try #require(try decode(#"\#(Self.plain),"kind":"info","data":{ "a" : [1] }, "new":null"#))
    #expect(message.data == #"{"a":[1]}"#)
    #expect(message.raw == #"{"# + Self.plain + #","kind":"info","data":{"a":[1]},"new":null}"#)
  }

  // MARK: Keyboards

  @Test(arguments: [
    ("pending", Keyboard.State.pending), ("completed", .completed), ("cancelled", .canceled),
    ("odd", .canceled),
  ])
  func `a keyboard has rows of buttons and a state`(word: String, state: Keyboard.State) throws {
    let message = try #require(
      try decode(
        #"\#(Self.plain),"kind":"keyboard","data":{"state":"\#(word)","response":{"buttonId":"b","messageId":"m"},"#
          + #""buttons":[[{"id":"a","text":"A"},{"id":"b","text":"B","config":{"link":"http://x","active":false,"#
          + #""state":"showing_selected"}}],[{"id":"c","text":"C","config":{"text_to_insert":"t","state":"odd","#
          + #""hide_after_response":true}}]]}"#))
    let keyboard = try #require(message.keyboard)
    #expect(keyboard.state == state && keyboard.rows.map(\.count) == [2, 1])
    #expect(keyboard.buttons.map(\.kind) == [.plain, .url("http://x"), .insert("t")])
    #expect(keyboard.buttons.map(\.state) == [.showing, .showingSelected, .hidden])
    #expect(keyboard.buttons.map(\.isActive) == [true, false, true])
    #expect(keyboard.buttons.map(\.hidesAfterResponse) == [false, false, true])
    #expect(keyboard.response?.buttonID == "b" && keyboard.response?.messageID == "m")
  }

  @Test(arguments: [
    #"{"state":"pending","buttons":[[{"id":"a","text":"A"},{"id":"b"}]]}"#, #"{"buttons":[]}"#,
    #"{"state":null,"buttons":[]}"#, #"{"state":"pending"}"#,
  ])
  func `a broken keyboard is none, and its message lives`(data: String) throws {
    let message = try #require(try decode(#"\#(Self.plain),"kind":"keyboard","data":\#(data)"#))
    #expect(message.keyboard == nil && message.text == "Hi")
  }

  @Test func `an answer names its button and its keyboard, or neither`() throws {
    let head = #"\#(Self.plain),"kind":"keyboard_response","data":"#
    let message = try #require(
      try decode(head + #"{"button":{"id":"a","text":"A"},"request":{"messageId":"m-9"}}"#))
    #expect(message.keyboardResponse?.button.id == "a")
    #expect(message.keyboardResponse?.requestMessageID == "m-9")
    #expect(try decode(head + #"{"button":{"id":"a","text":"A"}}"#)?.keyboardResponse == nil)
    #expect(
      try decode(head + #"{"button":{"id":"a"},"request":{"messageId":"m-9"}}"#)?.keyboardResponse == nil)
  }

  // MARK: Quotes

  @Test func `a quote tells what was quoted`() throws {
    let message = try #require(
      try decode(
        #"\#(Self.plain),"kind":"visitor","quote":{"state":"filled","ref":{"msgId":"m-31"},"message":{"id":"m-31","#
          + #""authorId":501,"kind":"operator","name":"Anna","text":"Hello","ts":1700000000}}"#))
    let quote = try #require(message.quote)
    #expect(quote.state == .filled && quote.messageID == "m-31" && quote.authorID == "501")
    #expect(quote.kind == .operatorMessage && quote.senderName == "Anna" && quote.text == "Hello")
    #expect(quote.time == 1_700_000_000)
  }

  @Test(arguments: [("not-found", Quote.State.notFound as Quote.State?), ("pending", .pending), ("odd", nil)])
  func `a quote has one of three states`(word: String, state: Quote.State?) throws {
    let message = try decode(#"\#(Self.plain),"kind":"visitor","quote":{"state":"\#(word)"}"#)
    #expect(message?.quote?.state == state && message != nil)
  }

  @Test func `a quoted file is told by its name, and without a description takes the message along`() throws {
    let head = #"\#(Self.plain),"kind":"visitor","quote":{"state":"filled","message":{"kind":"file_visitor""#
    #expect(try decode(head + "}}") == nil)
    let text = #"{\"guid\":\"g\",\"filename\":\"plan.pdf\",\"content_type\":\"x\"}"#
    #expect(try decode(head + #","text":"\#(text)"}}"#)?.quote?.text == "plan.pdf")
  }

  // MARK: Files

  static let plan =
    #"{\"guid\":\"g-1\",\"filename\":\"plan.pdf\",\"content_type\":\"application/pdf\",\"size\":2048}"#
  static let photo =
    #"{\"guid\":\"g-2\",\"filename\":\"p.png\",\"content_type\":\"image/png\",\"image\":{\"size\":{\"width\":3,\"height\":4}}}"#

  func file(_ text: String, _ data: String = "null") throws -> Message? {
    try decode(#""id":"m-1","kind":"file_operator","name":"Anna","ts":1,"text":"\#(text)","data":\#(data)"#)
  }

  @Test func `a file message reads as its first file's name and keeps the description`() throws {
    let message = try #require(try file("[\(Self.plan),{},\(Self.photo)]"))
    #expect(message.text == "plan.pdf" && message.rawText?.hasPrefix("[{") == true)
    #expect(message.attachments.map(\.guid) == ["g-1", "g-2"])
    #expect(message.attachments.map(\.size) == [2048, nil])
    #expect(message.attachments.last?.imageWidth == 3 && message.attachments.last?.imageHeight == 4)
    #expect(try file(Self.plan)?.attachments.count == 1)
  }

  @Test(arguments: [
    ("upload", "upload"), ("external_checks", "external_checks"), ("external_verification", "ready"),
    ("odd", "ready"),
  ])
  func `a file that is not there yet is told by its state`(word: String, state: String) throws {
    let message = try #require(
      try file("", #"{"file":{"state":"\#(word)","desc":{"filename":"plan.pdf"}}}"#))
    #expect(message.attachments.map(\.state) == [state] && message.text == "plan.pdf")
    #expect(message.attachments.first?.guid.isEmpty == true)
  }

  @Test func `a file message without any file is dropped`() throws {
    #expect(try file("plan.pdf") == nil)
    #expect(try file("[]") == nil)
    #expect(try file("{}", #"{"file":7}"#) == nil)
  }
}
