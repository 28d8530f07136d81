extension Conversation {
  /// The message with this client id or, failing that, this server id.
  package func message(_ id: String) -> Message? { feed.message(id) }

  /// The message that tells of a press on the keyboard of the message with this server id; the latest of
  /// them.
  package func keyboardResponse(toMessage serverID: String) -> Message? {
    feed.response(toMessage: serverID)
  }

  /// The id of the last known chat, kept after the chat is gone; what the wire calls `thread_id`.
  package var threadID: Int? { chat?.id }

  /// Stars from 1 to 5 that the service has confirmed in the last known chat; nil for none.
  package func lastRating(ofOperator id: String) -> Int? { chat?.ratings[id] }

  /// 1 for yes, 0 for no; nil for none.
  package func lastResolution(ofOperator id: String) -> Int? { chat?.resolutions[id] }

  /// The question to answer next and its place; nil without a survey and once all is answered.
  package var currentQuestion: (question: Survey.Question, position: Survey.Position)? {
    surveyProgress?.current
  }

  /// The id of an operator named by id or by name: the current one first, then the latest seen; a name in
  /// other letter case counts when none agrees exactly.
  package func operatorID(named name: String) -> String? {
    let candidates = [self.operator].compactMap { $0 } + operators.reversed()
    let lowercased = name.lowercased()
    let found =
      candidates.first { $0.id == name || $0.name == name }
      ?? candidates.first { $0.name.lowercased() == lowercased }
    return found?.id
  }
}
