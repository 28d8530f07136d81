/// What concerns the current chat beside its messages.
extension Conversation {
  mutating func chatUpdate(_ update: Update, _ events: inout [ChatEvent]) {
    switch update {
    case .chat(let snapshot): chatReceived(snapshot, &events)
    case .chatID(let id): chat?.id = id
    case .chatState(let state): chatStateUpdate(state, &events)
    case .operatorChanged(let new):
      guard chat != nil else { return chatGone(&events) }
      operatorReceived(new, &events)
    case .operatorTyping(let isTyping):
      guard chat != nil else { return chatGone(&events) }
      typingReceived(isTyping, &events)
    case .readByVisitor(let isRead):
      guard isRead else { return }
      unreadCountReceived(0, &events)
      unreadByVisitorReceived(nil, &events)
    case .unreadByOperator(let since): unreadByOperatorReceived(since, &events)
    case .unreadByVisitor(let count, let since):
      unreadCountReceived(count, &events)
      if since != nil || count == 0 { unreadByVisitorReceived(since, &events) }
    case .rating(let id, let stars): ratingReceived(id, stars, &events)
    case .resolution(let id, let answer): resolutionReceived(id, answer, &events)
    default: break
    }
  }

  /// The chat-state routine (the protocol's section 6.2), with the chat as a whole or none.
  mutating func chatReceived(_ new: ChatSnapshot?, _ events: inout [ChatEvent]) {
    guard let new else { return chatGone(&events) }
    new.operator.map { remember($0) }
    let oldLanguage = language
    let isSame = chat?.isSame(as: new) ?? false
    mergeMessages(of: new, isSame: isSame, &events)
    var record = isSame ? chat ?? ChatRecord(id: new.id) : ChatRecord(id: new.id)
    record.clientID = new.clientID ?? record.clientID
    record.language = new.language
    chat = record
    hasChat = true
    if language != oldLanguage { events.append(.language(language)) }
    let isOver = new.state == .closed || new.state == .unknown
    chatStateReceived(new.state, &events)
    operatorReceived(isOver ? nil : new.operator, &events)
    typingReceived(!isOver && new.isOperatorTyping, &events)
    unreadByOperatorReceived(new.unreadByOperatorSince, &events)
    unreadCountReceived(new.unreadByVisitorCount, &events)
    unreadByVisitorReceived(new.isReadByVisitor ? nil : new.unreadByVisitorSince, &events)
    for (id, stars) in new.ratings.sorted(by: { $0.key < $1.key }) { ratingReceived(id, stars, &events) }
    for (id, answer) in new.resolutions.sorted(by: { $0.key < $1.key }) {
      resolutionReceived(id, answer, &events)
    }
  }

  /// The chat is no longer there: it is remembered, its unread counters stay.
  mutating func chatGone(_ events: inout [ChatEvent]) {
    retireMessages(except: [], &events)
    hasChat = false
    chatStateReceived(.closed, &events)
    operatorReceived(nil, &events)
    typingReceived(false, &events)
  }

  private mutating func chatStateUpdate(_ state: ChatState, _ events: inout [ChatEvent]) {
    guard chat != nil else { return chatGone(&events) }
    if !state.isClosed { hasChat = true }
    chatStateReceived(state, &events)
    guard state == .closed || state == .unknown else { return }
    operatorReceived(nil, &events)
    typingReceived(false, &events)
  }

  private mutating func chatStateReceived(_ state: ChatState, _ events: inout [ChatEvent]) {
    guard state != chatState else { return }
    events.append(.chatState(from: chatState, to: state))
    chatState = state
  }

  private mutating func operatorReceived(_ new: Operator?, _ events: inout [ChatEvent]) {
    let old = self.operator
    self.operator = new
    if let new { remember(new) }
    let isSame = new.map { $0.isSame(as: old) } ?? (old == nil)
    if !isSame { events.append(.operatorChanged(from: old, to: new)) }
  }

  private mutating func typingReceived(_ isTyping: Bool, _ events: inout [ChatEvent]) {
    guard isTyping != isOperatorTyping else { return }
    isOperatorTyping = isTyping
    events.append(.operatorTyping(isTyping))
  }

  private mutating func unreadByOperatorReceived(_ since: Double?, _ events: inout [ChatEvent]) {
    guard since != unreadByOperatorSince else { return }
    unreadByOperatorSince = since
    events.append(.unreadByOperator(since: since))
  }

  private mutating func unreadByVisitorReceived(_ since: Double?, _ events: inout [ChatEvent]) {
    guard since != unreadByVisitorSince else { return }
    unreadByVisitorSince = since
    events.append(.unreadByVisitor(since: since))
  }

  /// The first value is a change too, even 0.
  mutating func unreadCountReceived(_ count: Int, _ events: inout [ChatEvent]) {
    guard count != unreadByVisitorCount else { return }
    unreadByVisitorCount = count
    events.append(.unreadCount(count))
  }

  /// A rating of the first snapshot is old news; nothing takes a rating back.
  private mutating func ratingReceived(_ id: String, _ stars: Int, _ events: inout [ChatEvent]) {
    guard chat != nil, chat?.ratings[id] != stars else { return }
    chat?.ratings[id] = stars
    if hasBegun { events.append(.rated(operatorID: id, stars: stars)) }
  }

  private mutating func resolutionReceived(_ id: String, _ answer: Int, _ events: inout [ChatEvent]) {
    guard chat != nil, chat?.resolutions[id] != answer else { return }
    chat?.resolutions[id] = answer
    if hasBegun { events.append(.resolved(operatorID: id, answer: answer)) }
  }

  /// Keeps an operator in mind, and of the earlier ones as many as a visitor can meet.
  private mutating func remember(_ new: Operator) {
    if let index = operators.firstIndex(where: { $0.id == new.id }) {
      operators[index] = new
    } else {
      operators.append(new)
      if operators.count > Self.operatorLimit { operators.removeFirst() }
    }
  }

  /// What a service says of operators is kept with each commit: it must not grow for ever.
  private static let operatorLimit = 100
}
