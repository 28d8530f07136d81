import Chat
import Dialects
import JSON

/// A session on a manual clock: the test plays the service.
struct ClientDriver {
  typealias Session = WebimSession

  struct Sent: Equatable {
    let id: Session.RequestID
    let lane: Session.Lane
    let request: WireRequest
    let time: Double
  }

  var session: Session
  var now = 1_700_000_000.0
  /// All requests, and those that wait for an answer.
  var sent: [Sent] = []
  var open: [Sent] = []
  var timers: [Session.TimerID: Double] = [:]
  var log: [Session.Effect] = []
  var fatal: SessionError?

  init(_ configuration: Session.Configuration = .init(), memory: Session.Memory = .init(deviceID: "D1")) {
    session = Session(configuration, memory: memory)
  }

  mutating func take(_ effects: [Session.Effect]) {
    log += effects
    for effect in effects {
      switch effect {
      case .send(let id, let lane, let request):
        let entry = Sent(id: id, lane: lane, request: request, time: now)
        sent.append(entry)
        open.append(entry)
      case .cancel(let id): open.removeAll { $0.id == id }
      case .setTimer(let timer, let seconds): timers[timer] = now + seconds
      case .cancelTimer(let timer): timers[timer] = nil
      case .fatal(let error): fatal = error
      default: break
      }
    }
  }

  // MARK: What happens

  mutating func start() { take(session.start(now: now)) }

  mutating func perform(_ id: Int, _ action: Action) { take(session.perform(id, action, now: now)) }

  mutating func respond(_ entry: Sent, _ result: Result<WireResponse, WireFailure>) {
    open.removeAll { $0.id == entry.id }
    take(session.responseReceived(entry.id, result, now: now))
  }

  /// Answers the open request whose path ends so; does nothing when there is none.
  mutating func answer(_ path: String, _ body: String, status: Int = 200) {
    guard let entry = pending(path) else { return }
    respond(entry, .success(WireResponse(status: status, body: Array(body.utf8))))
  }

  mutating func fail(_ path: String, delivered: Bool = false, _ code: WireFailure.Code = .refused) {
    guard let entry = pending(path) else { return }
    respond(
      entry, .failure(WireFailure(code: code, detail: "no answer", mayHaveBeenDelivered: delivered)))
  }

  /// Moves the clock and fires what falls due, in order of time.
  mutating func advance(_ seconds: Double) {
    let end = now + seconds
    while let (timer, due) = timers.min(by: { $0.value < $1.value }), due <= end {
      now = max(now, due)
      timers[timer] = nil
      take(session.timerFired(timer, now: now))
    }
    now = end
  }

  /// Through meta, config, init and the first history answer to a waiting poll.
  mutating func connect(_ fullUpdate: String = ClientDriver.fullUpdate, config: String = "{}") {
    start()
    answer("/meta", "{}", status: 404)
    answer("/mobile", config)
    answer("/init", #"{"revision":"41","fullUpdate":\#(fullUpdate)}"#)
    answer("/history", #"{"result":"ok","data":{"hasMore":false,"revision":"12","messages":[]}}"#)
  }

  mutating func delta(_ items: String, revision: Int = 42) {
    now += 1
    answer("/delta", #"{"revision":\#(revision),"deltaList":[\#(items)]}"#)
  }

  // MARK: What was done

  func pending(_ path: String) -> Sent? { open.first { $0.request.path.hasSuffix(path) } }

  var action: WireRequest? { pending("/action")?.request }

  /// The actions' names in the order they went.
  var actions: [String] {
    sent.compactMap { $0.request.path == "/l/v/m/action" ? $0.request["action"] : nil }
  }

  var updates: [Update] {
    log.compactMap { if case .update(let update) = $0 { update } else { nil } }
  }

  /// What became of an action.
  func ends(of id: Int) -> [Session.Effect] {
    log.filter {
      switch $0 {
      case .answered(id, _), .uncertain(id): true
      default: false
      }
    }
  }

  func refusal(of id: Int) -> ActionError? {
    for case .answered(id, let refusal) in log { return refusal }
    return nil
  }

  var connections: [Bool] {
    log.compactMap { if case .connected(let isConnected) = $0 { isConnected } else { nil } }
  }

  var outages: [SessionError.Code] {
    log.compactMap { if case .notFatal(let error) = $0 { error.code } else { nil } }
  }

  var memory: Session.Memory? {
    log.compactMap { if case .remember(let memory) = $0 { memory } else { nil } }.last
  }

  static let fullUpdate = snapshot(chat: "null")

  static func snapshot(chat: String, page: String = "p-0001", token: String = "tok-0001") -> String {
    #"""
    {"pageId":"\#(page)","authToken":"\#(token)","visitSessionId":"vs-0001",
     "visitor":{"id":"v-77","icon":{"color":"#336699","shape":"square"},"stored":true},
     "state":"idle","onlineStatus":"online","chat":\#(chat),
     "departments":[{"key":"sales","name":"Sales","online":"online","order":10}],
     "hintsEnabled":false,"historyRevision":12,
     "showHelloMessage":false,"chatStartAfterMessage":false,"helloMessageDescr":""}
    """#
  }

  static let openChat = snapshot(chat: #"{"id":9,"clientSideId":"c1","state":"chatting","messages":[]}"#)
}
