internal import Chat

/// The actions that wait for their request or its answer, in order; one request at a time.
struct ActionQueue: Equatable, Sendable {
  enum Content: Equatable, Sendable {
    case action(WebimSession.ActionID, Action)
    /// A sign of typing that nobody waits for.
    case typing(TypingCadence.Sign)
  }

  struct Item: Equatable, Sendable {
    let content: Content
    /// Whether the chat was opened for it, or need not be.
    var isChatOpen = false
    /// How often it was refused for want of fresh credentials.
    var refusals = 0
    /// Whether the service may have got it before, and its answer was lost.
    var isRepeat = false
    /// Nobody waits for it any more.
    var isWithdrawn = false

    var action: Action? {
      guard case .action(_, let action) = content else { return nil }
      return action
    }

    var id: WebimSession.ActionID? {
      guard case .action(let id, _) = content else { return nil }
      return id
    }
  }

  struct InFlight: Equatable, Sendable {
    let request: WebimSession.RequestID
    /// Whether the request opens the chat for the action.
    let opensChat: Bool
    /// Which credentials it carried.
    let generation: Int
  }

  enum Pause: Equatable, Sendable {
    /// Until the timer.
    case backoff
    /// Until credentials newer than these have come, or the timer.
    case credentials(generation: Int)
  }

  var items: [Item] = []
  var inFlight: InFlight?
  var pause: Pause?
  var backoff: Backoff
  var isOut = false

  init(seed: UInt64) {
    backoff = Backoff(seed: seed)
  }

  mutating func append(_ content: Content, isRepeat: Bool = false) {
    if case .typing(let sign) = content { dropSigns(overtakenBy: sign) }
    items.append(Item(content: content, isRepeat: isRepeat))
  }

  /// Of the signs that have not gone yet only the latest draft is of interest, and one pause after it.
  private mutating func dropSigns(overtakenBy sign: TypingCadence.Sign) {
    let first = inFlight == nil ? 0 : 1
    while items.count > first, case .typing(let old) = items[items.count - 1].content,
      sign != .idle || old == .idle
    {
      items.removeLast()
    }
  }

  mutating func withdraw(_ id: WebimSession.ActionID) {
    guard let index = items.firstIndex(where: { $0.id == id }) else { return }
    if index == 0, inFlight != nil {
      items[0].isWithdrawn = true
    } else {
      items.remove(at: index)
    }
  }
}
