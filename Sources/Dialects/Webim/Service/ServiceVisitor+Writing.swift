internal import Chat
internal import JSON

extension ServiceVisitor {
  /// A message object (the Webim protocol, section 5.5).
  func write(_ message: ServiceMessage, into writer: inout JSONWriter) {
    writer.object {
      $0.member("id", message.id)
      $0.member("clientSideId", message.clientID)
      $0.member("chatId", String(message.chatID))
      $0.member("kind", message.kind.wire)
      $0.member(optional: "authorId", message.authorID)
      $0.member("name", message.name)
      $0.member(optional: "avatar", message.avatar)
      $0.member("text", message.isDeleted ? "" : message.text)
      $0.member("ts", Double(message.timestamp) / 1e6)
      $0.member("ts_m", Int(message.timestamp))
      $0.member("read", message.isRead)
      if message.isEdited { $0.member("edited", true) }
      $0.member("canBeEdited", message.canBeEdited)
      $0.member("canBeReplied", message.canBeReplied)
      if message.isDeleted { return $0.member("deleted", true) }
      writeData(of: message, into: &$0)
      if let position = message.quotedPosition {
        $0.member("quote") { writeQuote(of: messages[position], into: &$0) }
      }
    }
  }

  private func writeData(of message: ServiceMessage, into writer: inout JSONWriter) {
    if let keyboard = message.keyboard {
      writer.member("data") { keyboard.write(into: &$0) }
    } else if let response = message.response {
      writer.member("data") {
        $0.object {
          $0.member("button") { response.button.write(into: &$0) }
          $0.member("request") { $0.object { $0.member("messageId", response.requestMessageID) } }
        }
      }
    } else if let data = message.data {
      writer.member("data") { $0.raw(Array(data.utf8)) }
    }
  }

  /// The quote as the quoted message stands now (the Webim protocol, section 5.10).
  private func writeQuote(of quoted: ServiceMessage, into writer: inout JSONWriter) {
    writer.object {
      $0.member("state", (quoted.isDeleted ? Quote.State.notFound : .filled).wire)
      $0.member("ref") {
        $0.object {
          $0.member("msgId", quoted.id)
          $0.member("msgChannelSideId", .null)
          $0.member("chatId", quoted.chatID)
        }
      }
      if quoted.isDeleted { return }
      $0.member("message") {
        $0.object {
          $0.member("id", quoted.id)
          $0.member(optional: "authorId", quoted.authorID)
          $0.member("kind", quoted.kind.wire)
          $0.member("name", quoted.name)
          $0.member("text", quoted.text)
          $0.member("ts", Int(quoted.timestamp / 1_000_000))
          $0.member("channelSideId", .null)
        }
      }
    }
  }

  /// The present chat with its messages.
  func write(_ chat: ServiceChat, into writer: inout JSONWriter) {
    writer.object {
      $0.member("id", chat.id)
      $0.member("clientSideId", chat.clientID)
      $0.member("state", chat.state.wire)
      $0.member("creationTs", chat.createdAt)
      $0.member("modificationTs", chat.modifiedAt)
      $0.member("operator") { chat.present.write(into: &$0) }
      $0.member("operatorTyping", chat.isOperatorTyping)
      $0.member("visitorTyping", chat.isVisitorTyping)
      $0.member("readByVisitor", chat.isReadByVisitor)
      $0.member(
        "unreadByOperatorSinceTs", chat.firstUnreadByOperator.map { .number(seconds(at: $0)) } ?? .null)
      $0.member("unreadByVisitorMsgCnt", chat.unreadCount)
      $0.member("unreadByVisitorSinceTs", chat.firstUnread.map { .number(seconds(at: $0)) } ?? .null)
      $0.member("operatorIdToRate") { chat.writeRatings(into: &$0) }
      $0.member("operatorIdToResolutionSurvey") { chat.writeResolutions(into: &$0) }
      if let language {
        $0.member("translationOptions") {
          $0.object {
            $0.member("enabled", false)
            $0.member("language", language)
          }
        }
      }
      $0.member("messages") {
        $0.array {
          for message in messages[min(chat.firstPosition, messages.count)...] where !message.isDeleted {
            write(message, into: &$0)
          }
        }
      }
    }
  }

  /// When the message at this position came, in seconds since the epoch.
  func seconds(at position: Int) -> Double { Double(messages[position].timestamp) / 1e6 }

  /// The opaque `visitor` object, which comes back with the next init.
  func writeIdentity(into writer: inout JSONWriter) {
    writer.object {
      $0.member("id", id)
      $0.member("icon") { writeIcon(into: &$0) }
      $0.member("fields") { writeFields(into: &$0) }
      $0.member("creationTs", createdAt)
      $0.member("hasProvidedFields", isProvided)
      $0.member("stored", true)
      $0.member("channelType", "mobile")
      $0.member("tags", [])
    }
  }

  /// The typed visitor (the Webim protocol, section 2.8).
  func writeFull(into writer: inout JSONWriter) {
    writer.object {
      $0.member("id", id)
      $0.member("fields") { writeFields(into: &$0) }
      $0.member("icon") { writeIcon(into: &$0) }
    }
  }

  private func writeFields(into writer: inout JSONWriter) {
    writer.object {
      $0.member("name", name)
      for (key, value) in fields.sorted(by: { $0.key < $1.key }) where key != "name" { $0.member(key, value) }
    }
  }

  private func writeIcon(into writer: inout JSONWriter) {
    let colours: [JSONValue] = ["#336699", "#993366", "#669933", "#996633"]
    let shapes: [JSONValue] = ["square", "circle", "rhombus"]
    writer.object {
      $0.member("color", colours[index % colours.count])
      $0.member("shape", shapes[index % shapes.count])
    }
  }
}

extension ServiceChat {
  /// Stars 1 to 5 stand as −2 to 2; an entry without a rating asks for one.
  fileprivate func writeRatings(into writer: inout JSONWriter) {
    writer.object {
      for rating in ratings {
        $0.member(String(rating.operatorID)) {
          $0.object {
            $0.member("operatorId", rating.operatorID)
            $0.member(optional: "rating", rating.stars.map { $0 - 3 })
          }
        }
      }
    }
  }

  fileprivate func writeResolutions(into writer: inout JSONWriter) {
    writer.object {
      for (operatorID, answer) in resolutions.sorted(by: { $0.key < $1.key }) {
        $0.member(String(operatorID)) {
          $0.object {
            $0.member("operatorId", operatorID)
            $0.member("answer", answer ? 1 : 0)
          }
        }
      }
    }
  }
}

extension ServiceOperator? {
  /// An operator object (the Webim protocol, section 6.6), or null.
  func write(into writer: inout JSONWriter) {
    guard let self else { return writer.null() }
    writer.object {
      $0.member("id", self.id)
      $0.member("fullname", self.name)
      $0.member(optional: "avatar", self.avatar)
      $0.member(optional: "title", self.title)
      $0.member(optional: "robotType", self.robotType)
    }
  }
}

extension Keyboard {
  /// A keyboard's `data` (the Webim protocol, section 5.7).
  func write(into writer: inout JSONWriter) {
    writer.object {
      $0.member("state", state.wire)
      $0.member("buttons") {
        $0.array {
          for row in rows {
            $0.array { for button in row { button.write(into: &$0) } }
          }
        }
      }
      guard let response else { return }
      $0.member("response") {
        $0.object {
          $0.member("buttonId", response.buttonID)
          $0.member("messageId", response.messageID)
        }
      }
    }
  }
}

extension Button {
  func write(into writer: inout JSONWriter) {
    writer.object {
      $0.member("id", id)
      $0.member("text", text)
      $0.member("config") {
        $0.object {
          $0.member("active", isActive)
          $0.member("state", state.wire)
          if hidesAfterResponse { $0.member("hide_after_response", true) }
          switch kind {
          case .plain: break
          case .url(let link): $0.member("link", link)
          case .insert(let text): $0.member("text_to_insert", text)
          }
        }
      }
    }
  }
}
