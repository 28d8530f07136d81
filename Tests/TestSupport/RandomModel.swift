package import Chat

/// Random values of the model, every member of them used sooner or later.
extension SeededGenerator {
  package mutating func word() -> String { pick(["a", "b", "c", "7", "501"], or: "a") }

  package mutating func button() -> Button {
    var button = Button(id: word(), text: text())
    button.kind = pick([.plain, .url(text()), .insert(text())], or: .plain)
    button.isActive = oneIn(2)
    button.state = pick([.showing, .showingSelected, .hidden], or: .showing)
    button.hidesAfterResponse = oneIn(2)
    return button
  }

  package mutating func keyboard() -> Keyboard {
    var keyboard = Keyboard(
      rows: (0..<integer(0...2)).map { _ in (0..<integer(0...2)).map { _ in button() } },
      state: pick([.pending, .completed, .canceled], or: .pending))
    if oneIn(2) { keyboard.response = (word(), word()) }
    return keyboard
  }

  package mutating func quote() -> Quote {
    var quote = Quote(state: pick([.pending, .filled, .notFound], or: .pending))
    quote.messageID = maybe { $0.word() }
    quote.authorID = maybe { $0.word() }
    quote.kind = maybe { $0.pick(Message.Kind.allCases, or: .info) }
    quote.senderName = maybe { $0.text() }
    quote.text = maybe { $0.text() }
    quote.time = maybe { Double($0.integer(0...2_000_000_000)) }
    return quote
  }

  package mutating func attachment() -> Attachment {
    var attachment = Attachment(
      guid: word(), fileName: text(), contentType: text(), size: maybe { $0.integer(0...1_000_000) },
      state: pick(["ready", "upload"], or: "ready"))
    attachment.imageWidth = maybe { $0.integer(0...4000) }
    attachment.imageHeight = maybe { $0.integer(0...4000) }
    return attachment
  }

  package mutating func message() -> Message {
    var message = Message(
      id: word(), serverID: maybe { $0.word() }, kind: pick(Message.Kind.allCases, or: .info),
      senderName: text(),
      text: text(), timestamp: Int64(integer(0...2_000_000_000_000_000)),
      sendStatus: pick([.sending, .sent], or: .sent))
    message.chatID = maybe { $0.word() }
    message.senderID = maybe { $0.word() }
    message.senderAvatar = maybe { $0.text() }
    message.rawText = maybe { $0.text() }
    message.isRead = oneIn(2)
    message.isEdited = oneIn(2)
    message.canBeEdited = oneIn(2)
    message.canBeReplied = oneIn(2)
    message.canVisitorReact = oneIn(2)
    message.canVisitorChangeReaction = oneIn(2)
    message.reaction = maybe { $0.word() }
    message.keyboard = maybe { $0.keyboard() }
    message.keyboardResponse = maybe { KeyboardResponse(button: $0.button(), requestMessageID: $0.word()) }
    message.quote = maybe { $0.quote() }
    message.attachments = (0..<integer(0...2)).map { _ in attachment() }
    message.stickerID = maybe { $0.integer(0...99) }
    message.data = maybe { $0.pick(["{\"a\" : 1.0}", "no JSON"], or: "") }
    message.isFromRobot = oneIn(2)
    message.raw = maybe { $0.text() }
    return message
  }

  package mutating func person() -> Operator {
    var person = Operator(id: word(), name: text())
    person.avatar = maybe { $0.text() }
    person.title = maybe { $0.text() }
    person.info = maybe { $0.text() }
    person.robotType = maybe { $0.word() }
    return person
  }

  package mutating func department() -> Department {
    var department = Department(
      key: word(), name: text(), onlineStatus: pick(OnlineStatus.allCases, or: .unknown),
      order: integer(-9...9))
    department.localizedNames = oneIn(2) ? [:] : ["en": text(), "de": text()]
    department.logo = maybe { $0.text() }
    return department
  }

  package mutating func survey() -> Survey {
    Survey(
      id: word(), configID: integer(0...9), version: text(),
      forms: (0..<integer(0...2)).map { form in
        Survey.Form(
          id: form,
          questions: (0..<integer(0...2)).map { _ in
            Survey.Question(
              kind: pick([.stars, .radio, .comment], or: .stars), text: text(),
              options: (0..<integer(0...2)).map { _ in text() })
          })
      }, current: position())
  }

  package mutating func position() -> Survey.Position {
    Survey.Position(formID: integer(-1...2), question: integer(-1...2))
  }

  package mutating func sessionError() -> SessionError {
    SessionError(code: pick(SessionError.Code.allCases, or: .unknown), serverCode: text())
  }

  package mutating func actionError() -> ActionError {
    ActionError(code: word(), serverCode: maybe { $0.text() }, action: word(), detail: maybe { $0.text() })
  }

  package mutating func since() -> Double? { maybe { Double($0.integer(0...2_000_000_000_000)) / 1024 } }

  package mutating func action() -> Action {
    let number: Int? = maybe { $0.integer(0...99) }
    let actions: [Action] = [
      .startChat(
        clientID: word(),
        Action.StartChat(
          department: maybe { $0.word() }, firstQuestion: maybe { $0.text() },
          customFields: maybe { $0.text() },
          isForced: oneIn(2))),
      .closeChat,
      .send(clientID: word(), text: text(), hintQuestion: maybe { $0.oneIn(2) }, data: maybe { $0.text() }),
      .reply(clientID: word(), text: text(), quoted: maybe { $0.word() }), .edit(word(), text: text()),
      .delete(word()), .pressButton(button: word(), message: word()),
      .rateOperator(
        Action.Rating(
          stars: integer(-9...9), operatorID: maybe { $0.word() }, note: maybe { $0.text() }, threadID: number
        )),
      .sendResolutionSurvey(operatorID: word(), answer: integer(0...1), threadID: number),
      .answerSurvey(surveyID: word(), position(), value: text()), .closeSurvey(surveyID: word()),
      .setVisitorTyping(draft: maybe { $0.text() }), .setChatRead(messageID: maybe { $0.word() }),
    ]
    return pick(actions, or: .closeChat)
  }

  package mutating func event() -> ChatEvent {
    let events: [ChatEvent] = [
      .messageAdded(message(), previous: maybe { $0.message() }),
      .messageChanged(from: message(), to: message()),
      .messageRemoved(message()), .keyboard(message()),
      .chatState(from: pick(ChatState.allCases, or: .queue), to: pick(ChatState.allCases, or: .queue)),
      .sessionState(from: pick(SessionState.allCases, or: .chat), to: pick(SessionState.allCases, or: .chat)),
      .operatorChanged(from: maybe { $0.person() }, to: maybe { $0.person() }), .operatorTyping(oneIn(2)),
      .departments((0..<integer(0...2)).map { _ in department() }),
      .locationSettings(from: maybe { $0.text() }, to: text()),
      .onlineStatus(
        from: pick(OnlineStatus.allCases, or: .online), to: pick(OnlineStatus.allCases, or: .online)),
      .unreadByOperator(since: since()), .unreadByVisitor(since: since()), .unreadCount(integer(0...9)),
      .survey(survey()), .surveyQuestion(Survey.Question(kind: .radio, text: text()), position()),
      .surveyCancelled(maybe { $0.survey() }), .rated(operatorID: word(), stars: integer(1...5)),
      .resolved(operatorID: word(), answer: integer(0...1)), .language(maybe { $0.word() }),
      .greeting(text()),
      .connection(oneIn(2)), .notFatalError(sessionError()), .fatalError(sessionError()),
    ]
    return pick(events, or: .connection(true))
  }
}
