extension Conversation {
  /// Checks a press on a button before it goes to the service.
  ///
  /// Only what is certain to be a mistake is refused: `message_not_found`, `no_keyboard`, `stale_keyboard` (answered,
  /// cancelled, or a newer keyboard has come), `unknown_button` and `ambiguous_button`. Whether a hidden or an inactive
  /// button may be pressed is the service's to say.
  ///
  /// - Parameters:
  ///   - button: The button's id or its text.
  ///   - message: The client id or the server id of the keyboard's message.
  package func press(_ button: String, onMessage message: String) -> Result<Action, ActionError> {
    .failure(ActionError(code: "message_not_found", action: "send_keyboard_request"))
  }
}
