/// Buttons that a robot offers (the protocol's section 5.7).
package struct Keyboard: Equatable, Sendable {
  package enum State: String, Equatable, Sendable {
    case pending
    case completed
    case canceled
  }

  /// Rows of buttons, as on the wire.
  package var rows: [[Button]]
  package var state: State
  /// The button that was chosen and the message that says so, once there is one.
  package var response: (buttonID: String, messageID: String)? {
    get { responseButtonID.flatMap { button in responseMessageID.map { (button, $0) } } }
    set {
      responseButtonID = newValue?.buttonID
      responseMessageID = newValue?.messageID
    }
  }
  private var responseButtonID: String?
  private var responseMessageID: String?

  package init(rows: [[Button]], state: State = .pending) {
    self.rows = rows
    self.state = state
  }

  /// All buttons in reading order.
  package var buttons: [Button] { rows.flatMap { $0 } }
}

package struct Button: Equatable, Sendable {
  package enum Kind: Equatable, Sendable {
    /// Answers the keyboard.
    case plain
    /// Opens a link.
    case url(String)
    /// Puts a text into the input field.
    case insert(String)
  }

  package enum State: String, Equatable, Sendable {
    case showing
    case showingSelected = "showing_selected"
    case hidden
  }

  package var id: String
  package var text: String
  package var kind: Kind
  package var isActive: Bool
  package var state: State
  package var hidesAfterResponse: Bool

  package init(id: String, text: String, kind: Kind = .plain) {
    self.id = id
    self.text = text
    self.kind = kind
    isActive = true
    state = .showing
    hidesAfterResponse = false
  }
}

/// What a `keyboard_response` message tells (the protocol's section 5.8).
package struct KeyboardResponse: Equatable, Sendable {
  package var button: Button
  /// The server id of the keyboard's message.
  package var requestMessageID: String

  package init(button: Button, requestMessageID: String) {
    self.button = button
    self.requestMessageID = requestMessageID
  }
}
