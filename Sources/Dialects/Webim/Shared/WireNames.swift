package import Chat

/// The words of the wire for the states of the neutral model, in both directions.
extension ChatState {
  /// A word that the protocol does not list is `unknown` (the protocol's section 6.2).
  package init(wire: String) {
    self = ChatState(rawValue: wire) ?? .unknown
  }

  package var wire: String { rawValue }
}

extension SessionState {
  /// States of the service's web window (`showing`, `callback-hunter`, …) have no public case and are
  /// `unknown` (the protocol's section 6.3).
  package init(wire: String) {
    self = Self.allCases.first { $0 != .unknown && $0.wire == wire } ?? .unknown
  }

  package var wire: String {
    switch self {
    case .chat: "chat"
    case .departmentSelection: "department-selection"
    case .firstQuestion: "first-question"
    case .idle: "idle"
    case .idleAfterChat: "idle-after-chat"
    case .offlineMessage: "offline-message"
    case .unknown: "showing"
    }
  }
}

extension OnlineStatus {
  /// nil for a word that is not supported: the old value stays (the protocol's section 6.4).
  package init?(wire: String) {
    guard let status = OnlineStatus(rawValue: wire), status != .unknown else { return nil }
    self = status
  }

  package var wire: String { rawValue }
}

extension Message.Kind {
  /// nil for a kind that is not shown to a visitor (the protocol's section 5.6).
  package init?(wire: String) {
    guard let kind = Self.allCases.first(where: { $0.wire == wire }) else { return nil }
    self = kind
  }

  package var wire: String {
    switch self {
    case .visitorMessage: "visitor"
    case .operatorMessage: "operator"
    case .operatorBusy: "operator_busy"
    case .info: "info"
    case .fileFromVisitor: "file_visitor"
    case .fileFromOperator: "file_operator"
    case .keyboard: "keyboard"
    case .keyboardResponse: "keyboard_response"
    case .actionRequest: "action_request"
    case .contactInformationRequest: "cont_req"
    case .contacts: "contacts"
    case .stickerVisitor: "sticker_visitor"
    }
  }

  /// Whether the text on the wire is the description of a file.
  package var isFile: Bool { self == .fileFromVisitor || self == .fileFromOperator }
}

extension Keyboard.State {
  /// Everything but `pending` and `completed` is cancelled (the protocol's section 5.7).
  package init(wire: String) {
    self = wire == "pending" ? .pending : wire == "completed" ? .completed : .canceled
  }

  package var wire: String { self == .canceled ? "cancelled" : rawValue }
}

extension Button.State {
  /// Everything but `showing` and `showing_selected` is hidden.
  package init(wire: String) {
    self = Button.State(rawValue: wire) ?? .hidden
  }

  package var wire: String { rawValue }
}

extension Quote.State {
  package init?(wire: String) {
    switch wire {
    case "pending": self = .pending
    case "filled": self = .filled
    case "not-found": self = .notFound
    default: return nil
    }
  }

  package var wire: String { self == .notFound ? "not-found" : rawValue }
}
