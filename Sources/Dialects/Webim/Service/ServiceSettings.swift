package import Chat
package import JSON

extension WebimService {
  /// What the account and the location are set to, and how patient the service is.
  package struct Settings: Sendable {
    package var account = AccountConfig()
    /// An object: the `locationSettings` of the configuration.
    package var locationSettings: JSONValue = ["chat": [:], "resources": [:]]
    /// The rules of section 2.1 of the protocol, an array.
    package var routingRules: JSONValue = []
    package var departments: [Department] = []
    /// Whether a start without a department only leads to the session state `department-selection`.
    package var requiresDepartment = false
    /// Whether a start without a first question only leads to the session state `first-question`.
    package var requiresFirstQuestion = false
    package var onlineStatus = OnlineStatus.online
    /// The text that a client shows before a chat (`helloMessageDescr`).
    package var greeting: String?
    /// System texts that arrive once a chat has been started.
    package var welcome: [String] = []
    package var hintsEnabled = false
    /// What a visitor without a name is called.
    package var visitorName = "Visitor"

    /// The longest time a poll is held, in seconds.
    package var holdSeconds = 25.0
    /// Messages in one answer of the history.
    package var historyPageSize = 100
    /// Changes kept for a page that does not fetch them; a page further behind gets a full update.
    package var deltasKept = 512
    /// A page that is silent for so long is forgotten.
    package var pageIdleSeconds = 1800.0
    /// A visitor whose poll broke off and who stays silent for so long has left.
    package var absenceSeconds = 60.0
    /// Pages of one visitor at a time; the oldest gives way.
    package var pagesPerVisitor = 8

    /// Longer new texts are cut, longer edits refused; in characters.
    package var maxMessageLength = 32_000
    package var maxNoteLength = 2000
    package var maxCommentLength = 2000

    /// Registered tokens of token-based authorisation; nil takes any.
    package var authorizationTokens: Set<String>?
    /// Says whether `hash` signs `text`, which is the sorted fields' values and the expiry; nil takes any
    /// hash. Asked only if the account's `check_visitor_auth` is on.
    package var isSigned: (@Sendable (_ text: String, _ hash: String) -> Bool)?

    package init() {}
  }

  /// The account's configuration as its applications read it (the protocol's section 9.1).
  package struct AccountConfig: Equatable, Sendable {
    package private(set) var members: [JSONValue.Member] = [
      .init("web_and_mobile_quoting", true), .init("visitor_message_editing", true),
      .init("rate_operator", true), .init("surveys", true), .init("max_visitor_upload_file_size", 10),
      .init("allowed_upload_file_types", ""), .init("visitor_upload_file", true),
      .init("check_visitor_auth", false), .init("force_start_chat_on_visitor_message", true),
    ]

    package init() {}

    package subscript(key: String) -> JSONValue? {
      get { members.first { $0.key == key }?.value }
      set {
        members.removeAll { $0.key == key }
        if let newValue { members.append(.init(key, newValue)) }
      }
    }

    private func flag(_ key: String, default fallback: Bool) -> Bool { self[key]?.bool ?? fallback }

    package var allowsQuoting: Bool { flag("web_and_mobile_quoting", default: true) }
    package var allowsEditing: Bool { flag("visitor_message_editing", default: true) }
    package var allowsRating: Bool { flag("rate_operator", default: true) }
    package var allowsSurveys: Bool { flag("surveys", default: false) }
    package var checksVisitorAuth: Bool { flag("check_visitor_auth", default: false) }
    package var startsChatOnMessage: Bool { flag("force_start_chat_on_visitor_message", default: true) }
  }
}
