import Bot
import Chat
import Dialects
import JSON
import Store

/// What a step has changed and not yet committed.
struct VisitDraft {
  private let isKept: Bool
  private let signed: [String: String]?
  private var unit: CommitUnit
  private var calls: [(request: Int, action: Action)] = []
  private var sequence: Int
  /// The conversation's header as it was last written; nil before.
  private var header: [UInt8]?
  private var isConversationChanged = false
  private var chatOpenedAt: [Int: Double] = [:]

  var memory: WebimSession.Memory?
  var state: [UInt8]?
  var outboxRemoved: [Int] = []
  var end: VisitEnd?

  /// How inputs stand in the journal.
  var coding: JournalCoding

  /// - Parameter visit: The store's number of the visit; nil when nothing is kept, and so nothing written.
  init(visit: Int64?, after sequence: Int, signed: [String: String]?) {
    self.signed = signed
    coding = JournalCoding(signed: signed)
    isKept = visit != nil
    unit = CommitUnit(visit: visit ?? 0)
    self.sequence = sequence
  }

  mutating func add(_ input: BotInput, at now: Double, digest: String) {
    guard isKept else { return }
    sequence += 1
    unit.journal.append(
      JournalRow(sequence: sequence, at: now, input: coding.encode(input), digest: digest))
  }

  /// The bot asks its host, or the service: the journal wants to know of what the answer is one.
  mutating func asked(_ request: Int, _ call: BotCall) {
    guard isKept else { return }
    coding.asked(request, call)
  }

  /// An action that goes to the wire once the unit is kept; from then on it may have been delivered.
  mutating func add(_ request: Int, _ action: Action) {
    calls.append((request, action))
    guard isKept else { return }
    unit.outboxAdded.append(
      OutboxRow(request: request, clientID: action.clientID, action: action.json()))
  }

  /// Everything since the last call as one unit, and what is to be sent once it is kept; nil when there is
  /// nothing.
  ///
  /// Of the conversation only what has changed is written: the rows of its feed, and its header where that
  /// differs.
  mutating func take(
    _ conversation: inout Conversation
  ) -> (CommitUnit, [(request: Int, action: Action)])? {
    var taken = unit
    let taking = calls
    let feed = conversation.takeFeedChanges()
    taken.end = end
    if isKept {
      taken.memory = memory.map { $0.json(hidesFields: signed != nil) }
      taken.state = state
      taken.outboxRemoved = outboxRemoved
      taken.messages = feed.entries.map(MessageRow.init)
      taken.removedMessages = feed.removed
      if isConversationChanged { taken.conversation = changedHeader(of: conversation) }
    }
    unit = CommitUnit(visit: unit.visit)
    calls = []
    (memory, state, outboxRemoved, isConversationChanged, end) = (nil, nil, [], false, nil)
    return taken.isEmpty && taking.isEmpty ? nil : (taken, taking)
  }

  private mutating func changedHeader(of conversation: Conversation) -> [UInt8]? {
    let new = conversation.headerJSON(hiding: signed ?? [:])
    guard new != header else { return nil }
    header = new
    return new
  }
}

// MARK: - Rows for `history`

extension VisitDraft {
  /// Notes what events have changed in the conversation.
  mutating func note(_ events: [ChatEvent], _ conversation: Conversation, at now: Double) {
    guard isKept else { return }
    isConversationChanged = true
    for case .chatState(_, let state) in events { note(state, of: conversation.threadID, at: now) }
  }

  private mutating func note(_ state: ChatState, of chat: Int?, at now: Double) {
    guard let chat else { return }
    let openedAt = chatOpenedAt[chat] ?? now
    chatOpenedAt[chat] = openedAt
    unit.chats.append(
      ChatRow(
        id: String(chat), state: state.rawValue, openedAt: openedAt, closedAt: state.isClosed ? now : nil))
  }

  /// Notes an action that the service has confirmed.
  mutating func note(
    _ action: Action, _ result: Result<Settlement.Value, ActionError>, _ conversation: Conversation,
    at now: Double
  ) {
    guard case .success = result else { return }
    switch action {
    case .rateOperator(let rating):
      let id = rating.operatorID ?? conversation.operator?.id ?? ""
      unit.ratings.append(
        RatingRow(
          operatorID: id, operatorName: conversation.operatorName(id), value: rating.stars,
          note: rating.note ?? "", at: now))
    case .sendResolutionSurvey(let id, let answer, _):
      unit.ratings.append(
        RatingRow(
          kind: "resolution", operatorID: id, operatorName: conversation.operatorName(id), value: answer,
          at: now))
    case .answerSurvey(let survey, let position, let value):
      unit.surveyAnswers.append(
        SurveyAnswerRow(
          survey: survey, form: String(position.formID), question: String(position.question), answer: value,
          at: now))
    default: break
    }
  }
}

extension MessageRow {
  /// With what a resume wants to know of it beside the message.
  init(_ entry: Feed.Entry) {
    let message = entry.message
    self.init(
      id: message.id, serverID: message.serverID ?? "", chatID: message.chatID ?? "",
      kind: message.kind.rawValue, origin: message.origin.rawValue, sender: message.senderName,
      text: message.text, timestamp: message.timestamp, json: entry.json())
  }
}

extension Conversation {
  fileprivate func operatorName(_ id: String) -> String {
    operators.first { $0.id == id }?.name ?? ""
  }
}
