package import JSON

extension Keyboard: JSONCoded {
  package func write(to writer: inout JSONWriter, shape: JSONShape) {
    writer.object {
      $0.member("state", state.rawValue)
      if shape == .script { $0.member("buttons", buttons, shape) }
      $0.member("rows") { writer in
        writer.array { for row in rows { write(row, to: &$0, shape) } }
      }
      if let response {
        $0.member("response") { writer in
          writer.object {
            $0.member("button_id", response.buttonID)
            $0.member("message_id", response.messageID)
          }
        }
      }
    }
  }

  private func write(_ row: [Button], to writer: inout JSONWriter, _ shape: JSONShape) {
    writer.array { for button in row { button.write(to: &$0, shape: shape) } }
  }

  package init?(json: JSONNode) {
    guard let state: State = json.word("state") else { return nil }
    self.init(
      rows: json["rows"]?.elements.map { row in row.elements.compactMap { Button(json: $0) } } ?? [],
      state: state)
    if let response = json["response"], let button = response["button_id"]?.string,
      let message = response["message_id"]?.string
    {
      self.response = (button, message)
    }
  }
}

extension Button: JSONCoded {
  package func write(to writer: inout JSONWriter, shape: JSONShape) {
    writer.object {
      $0.member("id", id)
      $0.member("text", text)
      switch kind {
      case .plain:
        $0.member("type", "plain")
      case .url(let url):
        $0.member("type", "url")
        $0.member("url", url)
      case .insert(let text):
        $0.member("type", "insert")
        $0.member("text_to_insert", text)
      }
      $0.member("active", isActive)
      $0.member("state", state.rawValue)
      $0.member("hide_after_response", hidesAfterResponse)
    }
  }

  package init?(json: JSONNode) {
    guard let id = json["id"]?.string, let text = json["text"]?.string else { return nil }
    let kind: Kind =
      switch json["type"]?.string {
      case "url": .url(json["url"]?.string ?? "")
      case "insert": .insert(json["text_to_insert"]?.string ?? "")
      default: .plain
      }
    self.init(id: id, text: text, kind: kind)
    isActive = json["active"]?.bool ?? true
    state = json.word("state") ?? .showing
    hidesAfterResponse = json["hide_after_response"]?.bool ?? false
  }
}

extension KeyboardResponse: JSONCoded {
  package func write(to writer: inout JSONWriter, shape: JSONShape) {
    writer.object {
      $0.member("button", button, shape)
      $0.member("message_id", requestMessageID)
    }
  }

  package init?(json: JSONNode) {
    guard let button: Button = json.decoded("button"), let message = json["message_id"]?.string else {
      return nil
    }
    self.init(button: button, requestMessageID: message)
  }
}
