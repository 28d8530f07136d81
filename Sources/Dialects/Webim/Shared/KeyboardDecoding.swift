internal import Chat
internal import JSON

extension Keyboard {
  /// nil without a state, or with a button that lacks its id or text (the protocol's section 5.7).
  init?(wire node: JSONNode) {
    guard let state = node["state"]?.string, let buttons = node["buttons"], buttons.isArray else {
      return nil
    }
    var rows: [[Button]] = []
    for row in buttons.elements {
      let row = row.elements.map(Button.init(wire:))
      guard !row.contains(nil) else { return nil }
      rows.append(row.compactMap { $0 })
    }
    self.init(rows: rows, state: State(wire: state))
    if let button = node["response"]?["buttonId"]?.string,
      let message = node["response"]?["messageId"]?.string
    {
      response = (button, message)
    }
  }
}

extension Button {
  init?(wire node: JSONNode) {
    guard let id = node["id"]?.string, let text = node["text"]?.string else { return nil }
    self.init(id: id, text: text)
    guard let config = node["config"] else { return }
    if let link = config["link"]?.string {
      kind = .url(link)
    } else if let insert = config["text_to_insert"]?.string {
      kind = .insert(insert)
    }
    isActive = config["active"]?.bool ?? true
    state = config["state"]?.string.map(State.init(wire:)) ?? .showing
    hidesAfterResponse = config["hide_after_response"]?.bool ?? false
  }
}

extension KeyboardResponse {
  /// nil unless both the button and the keyboard's message are named (the protocol's section 5.8).
  init?(wire node: JSONNode) {
    guard let button = node["button"].flatMap(Button.init(wire:)),
      let request = node["request"]?["messageId"]?.string
    else { return nil }
    self.init(button: button, requestMessageID: request)
  }
}
