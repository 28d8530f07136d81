internal import JSON

extension Conversation {
  /// Checks a press on a button before it goes to the service.
  ///
  /// Only what is certain to be a mistake is refused: `message_not_found`, `no_keyboard`, `stale_keyboard`
  /// (answered, cancelled, or a newer keyboard has come), `unknown_button` and `ambiguous_button`. Whether a
  /// hidden or an inactive button may be pressed is the service's to say.
  ///
  /// - Parameters:
  ///   - button: The button's id or its text.
  ///   - message: The client id or the server id of the keyboard's message.
  package func press(_ button: String, onMessage message: String) -> Result<Action, ActionError> {
    guard let place = feed.place(message), let target = feed[place]?.message else {
      return refusal("message_not_found", "no message has the id \"\(message)\"")
    }
    guard let keyboard = target.keyboard else {
      return refusal("no_keyboard", "the message \"\(target.id)\" carries no buttons")
    }
    if let reason = staleness(of: keyboard, at: place) { return refusal("stale_keyboard", reason) }
    return find(button, in: keyboard).map { found in
      .pressButton(button: found.id, message: target.serverID ?? "")
    }
  }

  private func staleness(of keyboard: Keyboard, at place: FeedPlace) -> String? {
    switch keyboard.state {
    case .completed:
      let chosen = keyboard.buttons.first { $0.id == keyboard.response?.buttonID }
      return "it was answered" + (chosen.map { " with \"\($0.text)\"" } ?? "")
    case .canceled: return "it was cancelled"
    case .pending:
      let newer = feed.keyboard(after: place)
      return newer.map { "it was replaced by the keyboard of the message \"\($0.id)\"" }
    }
  }

  private func find(_ name: String, in keyboard: Keyboard) -> Result<Button, ActionError> {
    let buttons = keyboard.buttons
    var found = buttons.filter { $0.text == name }
    if let named = buttons.first(where: { $0.id == name }), !found.contains(where: { $0.id == name }) {
      found.append(named)
    }
    if let first = found.first, found.allSatisfy({ $0.id == first.id }) { return .success(first) }
    guard found.isEmpty else {
      return refusal("ambiguous_button", "\"\(name)\" may be \(list(found, "or")); press it by its id")
    }
    guard let nearest = nearest(to: name, in: buttons) else {
      return refusal("unknown_button", "the keyboard has no buttons")
    }
    return refusal(
      "unknown_button",
      "there is no \"\(name)\"; did you mean \"\(nearest)\"? The buttons are \(list(buttons, "and"))")
  }

  private func list(_ buttons: [Button], _ word: String) -> String {
    let names = buttons.map { "\"\($0.text)\" (id \"\($0.id)\")" }
    guard let last = names.last, names.count > 1 else { return names.first ?? "" }
    return "\(names.dropLast().joined(separator: ", ")) \(word) \(last)"
  }

  private func nearest(to name: String, in buttons: [Button]) -> String? {
    let meant = name.lowercased().prefix(64)
    func distance(_ word: String) -> Int { word.lowercased().prefix(64).editDistance(to: meant) }
    return buttons.flatMap { [$0.text, $0.id] }.map { ($0, distance($0)) }.min { $0.1 < $1.1 }?.0
  }

  private func refusal<Success>(_ code: String, _ detail: String) -> Result<Success, ActionError> {
    .failure(ActionError(code: code, action: "send_keyboard_request", detail: detail))
  }
}
