package import Chat
package import JSON

/// Reads a message object (the protocol's section 5.5); what lacks a needed member is no message. Whether it
/// is a robot's is the conversation's to tell, which knows the operators and the chat's state.
package struct MessageDecoder: Equatable, Sendable {
  /// The account's `visitor_message_editing` and `web_and_mobile_quoting`.
  package var allowsEditing = true
  package var allowsQuoting = true
  /// Whether the visitor's own name, which the service shows beside his messages, is left out of them.
  package var hidesVisitorName = false

  package init() {}

  package func decode(_ node: JSONNode) -> Message? {
    if hidesVisitorName, let node = try? JSONNode(parsing: Self.withoutVisitorName(node.value).bytes) {
      return read(node)
    }
    return read(node)
  }

  private func read(_ node: JSONNode) -> Message? {
    guard let id = node["clientSideId"]?.string ?? node["id"]?.string,
      let kind = node["kind"]?.string.flatMap(Message.Kind.init(wire:)),
      let name = node["name"]?.string, let text = node["text"]?.string,
      let timestamp = Self.timestamp(of: node)
    else { return nil }
    var message = Message(
      id: id, serverID: node["id"]?.string, kind: kind, senderName: name, text: text, timestamp: timestamp)
    decodeMarks(node, into: &message)
    decodeData(node["data"], into: &message)
    guard decodeFile(node["data"]?["file"], into: &message), decodeQuote(node["quote"], into: &message)
    else { return nil }
    message.raw = node.value.text
    return message
  }

  /// The message, and what it quotes, with an empty name where the visitor wrote.
  private static func withoutVisitorName(_ value: JSONValue) -> JSONValue {
    let kind = value["kind"]?.string.flatMap(Message.Kind.init(wire:))
    let isVisitors = kind?.origin(isFromRobot: false) == .visitor
    return .object(
      value.members.map { member in
        switch member.key {
        case "name" where isVisitors: .init("name", "")
        case "quote", "message":
          .init(member.key, member.value.members.isEmpty ? member.value : withoutVisitorName(member.value))
        default: member
        }
      })
  }

  /// Microseconds since the epoch: `ts_m`, else `ts` in seconds.
  private static func timestamp(of node: JSONNode) -> Int64? {
    if let microseconds = node["ts_m"]?.integer { return Int64(microseconds) }
    return node["ts"]?.number.flatMap { Microseconds.from(seconds: $0, rounding: .towardZero) }
  }

  private func decodeMarks(_ node: JSONNode, into message: inout Message) {
    message.chatID = node["chatId"]?.string
    message.senderID = node["authorId"]?.integer.map(String.init)
    message.senderAvatar = node["avatar"]?.string
    message.isRead = node["read"]?.bool ?? true
    message.isEdited = node["edited"]?.bool ?? false
    message.canBeEdited = allowsEditing && node["canBeEdited"]?.bool ?? false
    message.canBeReplied = allowsQuoting && node["canBeReplied"]?.bool ?? false
    message.canVisitorReact = node["canVisitorReact"]?.bool ?? false
    message.canVisitorChangeReaction = node["canVisitorChangeReaction"]?.bool ?? false
    message.reaction = node["reaction"]?.string
  }

  private func decodeData(_ data: JSONNode?, into message: inout Message) {
    guard let data, data.isObject else { return }
    message.data = data.value.text
    switch message.kind {
    case .keyboard: message.keyboard = Keyboard(wire: data)
    case .keyboardResponse: message.keyboardResponse = KeyboardResponse(wire: data)
    case .stickerVisitor: message.stickerID = data["stickerId"]?.integer
    default: break
    }
  }

  /// False when the message is a file's and tells of no file (the protocol's sections 8.3 and 8.4).
  private func decodeFile(_ file: JSONNode?, into message: inout Message) -> Bool {
    guard message.kind.isFile else { return true }
    message.rawText = message.text
    let state = Attachment.state(wire: file?["state"]?.string)
    message.attachments = Attachment.list(text: message.text, state: state)
    if message.attachments.isEmpty, let file, file.isObject {
      message.attachments = [Attachment(processing: file["desc"], state: state)]
    }
    guard let first = message.attachments.first else { return false }
    message.text = first.fileName
    return true
  }

  /// False when a quoted file has no description: the message is dropped with it (the protocol's section
  /// 5.10).
  private func decodeQuote(_ node: JSONNode?, into message: inout Message) -> Bool {
    guard let node, let state = node["state"]?.string.flatMap(Quote.State.init(wire:)) else { return true }
    var quote = Quote(state: state)
    if let quoted = node["message"] {
      quote.messageID = quoted["id"]?.string
      quote.authorID = quoted["authorId"]?.integer.map(String.init)
      quote.kind = quoted["kind"]?.string.flatMap(Message.Kind.init(wire:))
      quote.senderName = quoted["name"]?.string
      quote.time = quoted["ts"]?.number
      quote.text = quoted["text"]?.string
      if quote.kind?.isFile == true {
        guard let text = quote.text else { return false }
        quote.text = Attachment.list(text: text, state: "ready").first?.fileName ?? text
      }
    }
    message.quote = quote
    return true
  }
}
