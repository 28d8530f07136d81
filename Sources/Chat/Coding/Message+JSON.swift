package import JSON

extension Message: JSONCoded {
  package func write(to writer: inout JSONWriter, shape: JSONShape) {
    writer.object { writeMembers(to: &$0, shape) }
  }

  fileprivate func writeMembers(to writer: inout JSONWriter, _ shape: JSONShape) {
    writer.member("id", id)
    writer.member(optional: "server_id", serverID)
    writer.member(optional: "chat_id", chatID)
    writer.member("type", kind.rawValue)
    writer.member("from", origin.rawValue)
    // Where `from` does not tell it, nobody but the store has to know.
    if shape == .store, isFromRobot, origin != .robot { writer.member("from_robot", true) }
    writer.member("sender_name", senderName)
    writer.member(optional: "sender_id", senderID)
    writer.member(optional: "sender_avatar", senderAvatar)
    writer.member("text", text)
    writer.member(optional: "raw_text", rawText)
    writer.member("time", Double(timestamp) / 1_000_000)
    writer.member("timestamp_us", Int(timestamp))
    writeRights(to: &writer)
    writeParts(to: &writer, shape)
  }

  private func writeRights(to writer: inout JSONWriter) {
    writer.member("read", isRead)
    writer.member("edited", isEdited)
    writer.member("can_be_edited", canBeEdited)
    writer.member("can_be_replied", canBeReplied)
    writer.member("can_visitor_react", canVisitorReact)
    writer.member("can_visitor_change_reaction", canVisitorChangeReaction)
    writer.member(optional: "reaction", reaction)
    writer.member("send_status", sendStatus.rawValue)
  }

  private func writeParts(to writer: inout JSONWriter, _ shape: JSONShape) {
    writer.member(optional: "keyboard", keyboard, shape)
    writer.member(optional: "keyboard_response", keyboardResponse, shape)
    writer.member(optional: "quote", quote, shape)
    if !attachments.isEmpty || shape == .script { writer.member("attachments", attachments, shape) }
    writer.member(optional: "sticker_id", stickerID)
    writer.member(optional: "data", json: data, shape)
    if shape == .store { writer.member(optional: "raw", raw) }
  }

  package init?(json: JSONNode) {
    guard let id = json["id"]?.string, let kind: Kind = json.word("type"),
      let timestamp = json["timestamp_us"]?.integer.map({ Int64($0) })
        ?? json["time"]?.number.flatMap({ Microseconds.from(seconds: $0) })
    else { return nil }
    self.init(
      id: id, serverID: json["server_id"]?.string, kind: kind,
      senderName: json["sender_name"]?.string ?? "", text: json["text"]?.string ?? "", timestamp: timestamp,
      sendStatus: json.word("send_status") ?? .sent)
    chatID = json["chat_id"]?.string
    senderID = json["sender_id"]?.string
    senderAvatar = json["sender_avatar"]?.string
    rawText = json["raw_text"]?.string
    isFromRobot = json["from"]?.string == Origin.robot.rawValue || json["from_robot"]?.bool == true
    readRights(json)
    readParts(json)
  }

  private mutating func readRights(_ json: JSONNode) {
    isRead = json["read"]?.bool ?? false
    isEdited = json["edited"]?.bool ?? false
    canBeEdited = json["can_be_edited"]?.bool ?? false
    canBeReplied = json["can_be_replied"]?.bool ?? false
    canVisitorReact = json["can_visitor_react"]?.bool ?? false
    canVisitorChangeReaction = json["can_visitor_change_reaction"]?.bool ?? false
    reaction = json["reaction"]?.string
  }

  private mutating func readParts(_ json: JSONNode) {
    keyboard = json.decoded("keyboard")
    keyboardResponse = json.decoded("keyboard_response")
    quote = json.decoded("quote")
    attachments = json.list("attachments")
    stickerID = json["sticker_id"]?.integer
    data = json.jsonText("data")
    raw = json.jsonText("raw")
  }
}

extension Feed.Entry: JSONCoded {
  /// The message, with marks that only the feed knows.
  package func write(to writer: inout JSONWriter, shape: JSONShape) {
    writer.object {
      message.writeMembers(to: &$0, shape)
      if isLive { $0.member("live", true) }
      if !isAnnounced { $0.member("silent", true) }
    }
  }

  package init?(json: JSONNode) {
    guard let message = Message(json: json) else { return nil }
    self.message = message
    isLive = json["live"]?.bool ?? false
    isAnnounced = !(json["silent"]?.bool ?? false)
  }
}

extension Quote: JSONCoded {
  package func write(to writer: inout JSONWriter, shape: JSONShape) {
    writer.object {
      $0.member("state", state.rawValue)
      $0.member(optional: "message_id", messageID)
      $0.member(optional: "author_id", authorID)
      $0.member(optional: "type", kind?.rawValue)
      $0.member(optional: "sender_name", senderName)
      $0.member(optional: "text", text)
      $0.member(optional: "time", time)
    }
  }

  package init?(json: JSONNode) {
    guard let state: State = json.word("state") else { return nil }
    self.init(state: state)
    messageID = json["message_id"]?.string
    authorID = json["author_id"]?.string
    kind = json.word("type")
    senderName = json["sender_name"]?.string
    text = json["text"]?.string
    time = json["time"]?.number
  }
}

extension Attachment: JSONCoded {
  package func write(to writer: inout JSONWriter, shape: JSONShape) {
    writer.object {
      $0.member("guid", guid)
      $0.member("file_name", fileName)
      $0.member("content_type", contentType)
      $0.member(optional: "size", size)
      $0.member(optional: "image_width", imageWidth)
      $0.member(optional: "image_height", imageHeight)
      $0.member("state", state)
    }
  }

  package init?(json: JSONNode) {
    guard let fileName = json["file_name"]?.string else { return nil }
    self.init(
      guid: json["guid"]?.string ?? "", fileName: fileName,
      contentType: json["content_type"]?.string ?? "", size: json["size"]?.integer,
      state: json["state"]?.string ?? "ready")
    imageWidth = json["image_width"]?.integer
    imageHeight = json["image_height"]?.integer
  }
}
