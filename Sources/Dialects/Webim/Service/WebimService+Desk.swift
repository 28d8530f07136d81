internal import Chat

/// The desk's commands.
extension WebimService {
  package mutating func perform(
    _ command: DeskCommand, now: Double
  ) -> (result: Result<DeskAnswer, DeskError>, effects: [Effect]) {
    let result: Result<DeskAnswer, DeskError>
    do throws(DeskError) {
      result = .success(try carryOut(command, now))
    } catch {
      result = .failure(error)
    }
    return (result, finish())
  }

  private mutating func carryOut(_ command: DeskCommand, _ now: Double) throws(DeskError) -> DeskAnswer {
    if let answer = try moveChat(command, now) { return answer }
    if let answer = try speak(command, now) { return answer }
    if let answer = try ask(command, now) { return answer }
    if let answer = try set(command, now) { return answer }
    return try judge(command, now)
  }

  /// Whose chat it is and who speaks in it.
  private mutating func moveChat(_ command: DeskCommand, _ now: Double) throws(DeskError) -> DeskAnswer? {
    switch command {
    case .accept(let chat, let handle):
      let newcomer = try known(handle)
      try inChat(chat, now) { (visitor, turn) throws(DeskError) in
        let state: ChatState = newcomer.robotType == nil ? .chatting : .chattingWithRobot
        try visitor.assign(newcomer, state: state, &turn)
      }
    case .robot(let chat, let name):
      guard !name.isEmpty else { throw .invalid("robot", "has no name", "give it one") }
      let robot = define(name, name: name, title: nil, avatar: nil, robotType: "robot")
      try inChat(chat, now) { (visitor, turn) throws(DeskError) in
        try visitor.assign(robot, state: .chattingWithRobot, &turn)
      }
      return .operator(robot)
    case .hold(let chat): try move(chat, to: .hold, now)
    case .route(let chat): try move(chat, to: .routing, now)
    case .queue(let chat): try move(chat, to: .queue, now)
    case .invite(let visitorID, let handle, let text):
      let host = try known(handle)
      let chat = try withVisitor(visitorID, now) { (visitor, turn) throws(DeskError) in
        try visitor.invite(host, text, &turn)
      }
      return .chat(chat)
    case .close(let chat, let isFinal):
      try inChat(chat, now) { (visitor, turn) throws(DeskError) in visitor.closeAsDesk(isFinal, &turn) }
    default: return nil
    }
    return .done
  }

  private mutating func move(_ chat: ChatID, to state: ChatState, _ now: Double) throws(DeskError) {
    try inChat(chat, now) { (visitor, turn) throws(DeskError) in try visitor.move(to: state, &turn) }
  }

  /// Messages, keyboards and marks.
  private mutating func speak(_ command: DeskCommand, _ now: Double) throws(DeskError) -> DeskAnswer? {
    switch command {
    case .typing(let chat, let isTyping):
      try inChat(chat, now) { (visitor, turn) throws(DeskError) in try visitor.setTyping(isTyping, &turn) }
    case .say(let chat, let text, let quoted):
      return try message(in: chat, text, now) { (visitor, turn) throws(DeskError) in
        try visitor.say(text, quoting: quoted, &turn)
      }
    case .info(let chat, let text): return try system(.info, chat, text, now)
    case .operatorBusy(let chat, let text): return try system(.operatorBusy, chat, text, now)
    case .requestContacts(let chat, let text):
      return try system(.contactInformationRequest, chat, text, now)
    case .keyboard(let chat, let text, let rows):
      try Self.check(rows)
      return try message(in: chat, text, now) { (visitor, turn) throws(DeskError) in
        try visitor.offer(rows, text, &turn)
      }
    case .markRead(let chat, let messageID):
      try inChat(chat, now) { (visitor, turn) throws(DeskError) in
        try visitor.markRead(upTo: messageID, &turn)
      }
    default: return try change(command, now)
    }
    return .done
  }

  /// Messages that exist.
  private mutating func change(_ command: DeskCommand, _ now: Double) throws(DeskError) -> DeskAnswer? {
    switch command {
    case .edit(let messageID, let text):
      let message = try ofMessage(messageID, now) { (visitor, turn) throws(DeskError) in
        try visitor.editAsDesk(messageID, text, &turn)
      }
      return .message(message)
    case .delete(let messageID):
      try ofMessage(messageID, now) { (visitor, turn) throws(DeskError) in
        try visitor.deleteAsDesk(messageID, &turn)
      }
    case .hideKeyboard(let messageID, let button):
      try ofMessage(messageID, now) { (visitor, turn) throws(DeskError) in
        try visitor.changeKeyboard(messageID, button, &turn) { $0.hide(button) }
      }
    case .cancelKeyboard(let messageID):
      try ofMessage(messageID, now) { (visitor, turn) throws(DeskError) in
        try visitor.changeKeyboard(messageID, nil, &turn) {
          if $0.state == .pending { $0.state = .canceled }
        }
      }
    case .selectButton(let messageID, let button):
      try ofMessage(messageID, now) { (visitor, turn) throws(DeskError) in
        try visitor.select(button, messageID, &turn)
      }
    default: return nil
    }
    return .done
  }

  /// Ratings and surveys.
  private mutating func ask(_ command: DeskCommand, _ now: Double) throws(DeskError) -> DeskAnswer? {
    switch command {
    case .requestRating(let chat, let handle, let text):
      var rated: ServiceOperator?
      if let handle { rated = try known(handle) }
      try inChat(chat, now) { (visitor, turn) throws(DeskError) in
        try visitor.requestRating(of: rated, text, &turn)
      }
    case .survey(let chat, let forms):
      try Self.check(forms)
      guard settings.account.allowsSurveys else {
        throw DeskError(
          code: .wrongState, object: "the account", problem: "has surveys switched off",
          mend: "set the account's \"surveys\" to true first")
      }
      let survey = makeSurvey(chat, forms)
      try inChat(chat, now) { (visitor, turn) throws(DeskError) in visitor.start(survey, &turn) }
      return .survey(id: survey.id)
    case .cancelSurvey(let chat):
      try inChat(chat, now) { (visitor, turn) throws(DeskError) in try visitor.cancelSurveyAsDesk(&turn) }
    default: return nil
    }
    return .done
  }

  private mutating func makeSurvey(_ chat: ChatID, _ forms: [DeskForm]) -> ServiceSurvey {
    let handles = forms.map(\.handle).joined(separator: "+")
    return ServiceSurvey(
      id: ids.makeSurvey(), chatID: chat, configID: ids.number(of: handles, kind: "survey", from: 1),
      forms: forms.map { form in
        ServiceSurvey.Form(
          handle: form.handle, id: ids.number(of: form.handle, kind: "form", from: 21),
          questions: form.questions)
      })
  }
}

// MARK: - Whom a command is about

extension WebimService {
  private mutating func inChat<Result>(
    _ chat: ChatID, _ now: Double,
    _ body: (inout ServiceVisitor, inout ServiceTurn) throws(DeskError) -> Result
  ) throws(DeskError) -> Result {
    guard let index = chats[chat], visitors[index].chat?.id == chat else {
      throw DeskError(
        code: .unknownChat, object: "chat \(chat)", problem: "is not there or was followed by a new one",
        mend: "use the id of the last chatStarted")
    }
    return try turn(index, now, body)
  }

  mutating func withVisitor<Result>(
    _ id: String, _ now: Double,
    _ body: (inout ServiceVisitor, inout ServiceTurn) throws(DeskError) -> Result
  ) throws(DeskError) -> Result {
    try turn(try index(of: id), now, body)
  }

  func index(of visitorID: String) throws(DeskError) -> Int {
    guard let index = ids.visitorIndex(visitorID), visitors.indices.contains(index) else {
      throw DeskError(
        code: .unknownVisitor, object: "visitor \(visitorID)", problem: "has never been here",
        mend: "use an id that visitorArrived told")
    }
    return index
  }

  private mutating func ofMessage<Result>(
    _ id: String, _ now: Double,
    _ body: (inout ServiceVisitor, inout ServiceTurn) throws(DeskError) -> Result
  ) throws(DeskError) -> Result {
    guard let (index, _) = ids.message(id), visitors.indices.contains(index) else {
      throw DeskError(
        code: .unknownMessage, object: "message \(id)", problem: "is not there",
        mend: "use the id of a message that the service told")
    }
    return try turn(index, now, body)
  }

  private mutating func message(
    in chat: ChatID, _ text: String, _ now: Double,
    _ body: (inout ServiceVisitor, inout ServiceTurn) throws(DeskError) -> ServiceMessage
  ) throws(DeskError) -> DeskAnswer {
    guard !text.isEmpty else { throw .invalid("the message", "has no text", "give it one") }
    return .message(try inChat(chat, now, body))
  }

  private mutating func system(
    _ kind: Message.Kind, _ chat: ChatID, _ text: String, _ now: Double
  ) throws(DeskError) -> DeskAnswer {
    try message(in: chat, text, now) { (visitor, turn) throws(DeskError) in
      visitor.sayAsSystem(kind, text, &turn)
    }
  }

  private func known(_ handle: String) throws(DeskError) -> ServiceOperator {
    guard let id = operatorIDs[handle], let known = operators[id] else {
      throw DeskError(
        code: .unknownOperator, object: "operator \"\(handle)\"", problem: "is not defined",
        mend: operatorIDs.isEmpty
          ? "define it first"
          : "define it, or take one of \(operatorIDs.keys.sorted().joined(separator: ", "))")
    }
    return known
  }

  mutating func define(
    _ handle: String, name: String, title: String?, avatar: String?, robotType: String?
  ) -> ServiceOperator {
    let isRobot = robotType != nil
    let id = ids.number(of: handle, kind: isRobot ? "robot" : "operator", from: isRobot ? 901 : 501)
    let defined = ServiceOperator(
      handle: handle, id: id, name: name, title: title, avatar: avatar, robotType: robotType)
    operators[id] = defined
    operatorIDs[handle] = id
    return defined
  }

  private static func check(_ rows: [[Button]]) throws(DeskError) {
    let buttons = rows.flatMap { $0 }
    guard !buttons.isEmpty, rows.allSatisfy({ !$0.isEmpty }) else {
      throw .invalid("the keyboard", "has no button or an empty row", "give each row a button")
    }
    guard Set(buttons.map(\.id)).count == buttons.count, !buttons.contains(where: { $0.id.isEmpty }) else {
      throw .invalid("the keyboard", "has buttons without an id of their own", "give each its own id")
    }
  }

  private static func check(_ forms: [DeskForm]) throws(DeskError) {
    guard !forms.isEmpty, forms.allSatisfy({ !$0.questions.isEmpty }) else {
      throw .invalid("the survey", "has no form or a form without questions", "give each form a question")
    }
    guard Set(forms.map(\.handle)).count == forms.count else {
      throw .invalid("the survey", "has two forms of one name", "give each its own name")
    }
    for question in forms.flatMap(\.questions) where question.kind == .radio && question.options.isEmpty {
      throw .invalid("the question \"\(question.text)\"", "has no options", "give a radio question some")
    }
  }
}

extension DeskError {
  static func invalid(_ object: String, _ problem: String, _ mend: String) -> DeskError {
    DeskError(code: .invalidArgument, object: object, problem: problem, mend: mend)
  }
}
