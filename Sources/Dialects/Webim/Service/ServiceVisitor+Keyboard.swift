internal import Chat

/// Buttons: the visitor's answer, and what the desk does to a keyboard.
extension ServiceVisitor {
  mutating func pressReceived(
    _ arguments: ServiceArguments, _ turn: inout ServiceTurn
  ) throws(ServiceRefusal) {
    guard let buttonID = arguments["button-id"], !buttonID.isEmpty else {
      throw ServiceRefusal(.buttonNotSet, argument: "button-id")
    }
    guard let messageID = arguments["request-message-id"], !messageID.isEmpty else {
      throw ServiceRefusal(.requestMessageNotSet, argument: "request-message-id")
    }
    guard let chat, !chat.state.isClosed else { throw ServiceRefusal(.noChat) }
    guard let position = position(messageID, turn), let keyboard = messages[position].keyboard,
      !messages[position].isDeleted
    else { throw ServiceRefusal(.cannotCreateResponse, explanation: "no such keyboard") }
    guard keyboard.state == .pending else {
      throw ServiceRefusal(.cannotCreateResponse, explanation: "the keyboard is \(keyboard.state.wire)")
    }
    guard let button = keyboard.buttons.first(where: { $0.id == buttonID }) else {
      throw ServiceRefusal(.cannotCreateResponse, explanation: "the keyboard has no such button")
    }
    guard button.isActive, button.state != .hidden else {
      throw ServiceRefusal(.cannotCreateResponse, explanation: "the button is not offered")
    }
    respond(to: position, with: button, in: chat.id, &turn)
  }

  /// Completes the keyboard and adds the message that says so.
  mutating func respond(to position: Int, with button: Button, in chatID: Int, _ turn: inout ServiceTurn) {
    let keyboardID = messages[position].id
    let responseID = turn.ids.message(index, number: messages.count + 1)
    chat?.pendingKeyboards.removeAll { $0 == position }
    messages[position].keyboard?.select(button.id, responseID: responseID)
    announceChange(at: position, &turn)

    var response = draft(
      .keyboardResponse, clientID: turn.ids.makeWord("c"), text: button.text, chatID: chatID)
    response.response = KeyboardResponse(button: button, requestMessageID: keyboardID)
    let answer = append(response, &turn)
    if chat?.firstUnreadByOperator == nil { setUnreadByOperator(from: answer, &turn) }
    turn.counts.presses += 1
    turn.events.append(
      .pressed(
        chatID,
        DeskPress(keyboardID: keyboardID, buttonID: button.id, text: button.text, responseID: responseID)))
  }

  /// Cancels every keyboard of the chat that still waits for an answer.
  mutating func cancelKeyboards(_ turn: inout ServiceTurn) {
    guard let pending = chat?.pendingKeyboards else { return }
    chat?.pendingKeyboards = []
    for position in pending where messages[position].keyboard?.state == .pending {
      messages[position].keyboard?.state = .canceled
      if !messages[position].isDeleted { announceChange(at: position, &turn) }
    }
  }
}

extension Keyboard {
  /// Completed by this button: it shows as selected, and buttons that wanted to go are hidden.
  fileprivate mutating func select(_ buttonID: String, responseID: String) {
    state = .completed
    response = (buttonID, responseID)
    for row in rows.indices {
      for column in rows[row].indices {
        if rows[row][column].id == buttonID {
          rows[row][column].state = .showingSelected
        } else if rows[row][column].hidesAfterResponse {
          rows[row][column].state = .hidden
        }
      }
    }
  }

  /// Hides one button, or all.
  mutating func hide(_ buttonID: String?) {
    for row in rows.indices {
      for column in rows[row].indices where buttonID == nil || rows[row][column].id == buttonID {
        rows[row][column].state = .hidden
      }
    }
  }
}
