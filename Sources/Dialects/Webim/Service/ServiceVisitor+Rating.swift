internal import JSON

/// Stars for operators, and whether the question was solved.
extension ServiceVisitor {
  /// `rate` is stars − 3; without an operator the present one is meant, or the last one of a closed chat.
  mutating func ratingReceived(
    _ arguments: ServiceArguments, _ turn: inout ServiceTurn
  ) throws(ServiceRefusal) {
    guard turn.settings.account.allowsRating else { throw ServiceRefusal(.rateDisabled) }
    _ = try arguments.filled("rate")
    guard let rate = try arguments.integer("rate"), (-2...2).contains(rate) else {
      throw ServiceRefusal(.rateValueIncorrect, argument: "rate")
    }
    let note = arguments["visitor_note"].flatMap { $0.isEmpty ? nil : $0 }
    if let note, note.scalarCount > turn.settings.maxNoteLength {
      throw ServiceRefusal(.noteTooLong, argument: "visitor_note")
    }
    let chat = try ratedChat(arguments)
    let rated = try participant(of: chat, arguments, turn)
    let entry = chat.ratings.firstIndex { $0.operatorID == rated.id }
    let before = entry.map { chat.ratings[$0] }
    let rating = ServiceChat.Rateable(operatorID: rated.id, stars: rate + 3, note: note)
    if let entry { self.chat?.ratings[entry] = rating } else { self.chat?.ratings.append(rating) }
    turn.emit(.rating, id: chat.wireID) {
      $0.object {
        $0.member("operatorId", rated.id)
        $0.member("rating", rate)
      }
    }
    guard before?.stars != rating.stars || before?.note != rating.note else {
      turn.counts.repeats += 1
      return
    }
    turn.counts.ratings += 1
    turn.events.append(.rated(chat.id, operator: rated, stars: rate + 3, note: note))
  }

  mutating func resolutionReceived(
    _ arguments: ServiceArguments, _ turn: inout ServiceTurn
  ) throws(ServiceRefusal) {
    guard turn.settings.account.allowsRating else { throw ServiceRefusal(.rateDisabled) }
    _ = try arguments.filled("operator_id")
    let answer: Bool
    switch try arguments.filled("answer") {
    case "1": answer = true
    case "0": answer = false
    default: throw ServiceRefusal(.resolutionValueIncorrect, argument: "answer")
    }
    let chat = try ratedChat(arguments)
    let rated = try participant(of: chat, arguments, turn)
    self.chat?.resolutions[rated.id] = answer
    turn.emit(.rating, id: chat.wireID) {
      $0.object {
        $0.member("operatorId", rated.id)
        $0.member("answer", answer ? 1 : 0)
      }
    }
    guard chat.resolutions[rated.id] != answer else {
      turn.counts.repeats += 1
      return
    }
    turn.counts.resolutions += 1
    turn.events.append(.resolved(chat.id, operator: rated, answer: answer))
  }

  /// The last chat, closed or not; `thread_id` may only name it.
  private func ratedChat(_ arguments: ServiceArguments) throws(ServiceRefusal) -> ServiceChat {
    let threadID = try arguments.integer("thread_id")
    guard let chat, threadID == nil || threadID == chat.id else { throw ServiceRefusal(.noChat) }
    return chat
  }

  private func participant(
    of chat: ServiceChat, _ arguments: ServiceArguments, _ turn: ServiceTurn
  ) throws(ServiceRefusal) -> ServiceOperator {
    guard let text = arguments["operator_id"], !text.isEmpty else {
      guard let last = chat.present ?? chat.participants.last else {
        throw ServiceRefusal(.operatorNotInChat)
      }
      return last
    }
    guard let id = Int(text), turn.operators[id] != nil else {
      throw ServiceRefusal(.wrongOperatorID, argument: "operator_id")
    }
    guard let participant = chat.participants.last(where: { $0.id == id }) else {
      throw ServiceRefusal(.operatorNotInChat)
    }
    return participant
  }
}
