import TestSupport
import Testing
import Transport

/// Where a test's requests go.
enum Ground: CaseIterable, Sendable {
  case memory
  case loopback
}

/// A far end and a link to it, on a loop of their own; a test's body runs on that loop's thread.
actor Stage {
  nonisolated let loop: PollLoop
  let ground: Ground
  let responder = ScriptedResponder()
  private(set) var listener: HTTPListener?
  private var links: [any Link] = []

  nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

  /// Connections stay open however slow the machine is.
  static let patient: LinkOptions = {
    var options = LinkOptions()
    options.idleActionSeconds = 3600
    return options
  }()

  init(loop: PollLoop, ground: Ground) {
    self.loop = loop
    self.ground = ground
  }

  func setUp(_ options: LinkOptions) throws {
    if ground == .loopback { listener = try HTTPListener(loop: loop, responder: responder) }
    addLink(options)
  }

  /// What listens, on the loopback ground.
  func server() throws -> HTTPListener {
    let listener = self.listener
    return try #require(listener)
  }

  /// The first link.
  var link: any Link { links[0] }

  @discardableResult
  func addLink(_ options: LinkOptions = Stage.patient, base: String? = nil) -> any Link {
    let link: any Link =
      if let listener {
        CurlLink(loop: loop, base: base ?? listener.url, options: options)
      } else {
        MemoryLink(loop: loop, responder: responder)
      }
    links.append(link)
    return link
  }

  func tearDown() {
    for link in links { link.close() }
    listener?.close()
  }

  /// Sends a request and keeps what comes of it.
  func start(_ request: HTTPRequest, on lane: Lane = .action, over link: (any Link)? = nil) -> Pending {
    let pending = Pending()
    pending.id = (link ?? self.link).send(request, on: lane) { pending.results.append($0) }
    return pending
  }

  /// Sends a request and waits for what comes of it.
  func ask(
    _ request: HTTPRequest, on lane: Lane = .action, over link: (any Link)? = nil
  ) async throws -> Result<HTTPResponse, LinkError> {
    let pending = start(request, on: lane, over: link)
    try await until { !pending.results.isEmpty }
    return try #require(pending.results.first)
  }

  func get(
    _ target: String, on lane: Lane = .action, over link: (any Link)? = nil
  ) async throws -> Result<HTTPResponse, LinkError> {
    try await ask(HTTPRequest(target: target), on: lane, over: link)
  }

  /// Waits for a condition that the loop can bring about.
  func until(
    _ condition: @escaping () -> Bool, sourceLocation: SourceLocation = #_sourceLocation
  ) async throws {
    let holds = await loop.comes(toHold: condition)
    try #require(holds, sourceLocation: sourceLocation)
  }
}

/// A request that was sent, and what has come of it.
final class Pending {
  var id: ExchangeID?
  var results: [Result<HTTPResponse, LinkError>] = []
}

/// Runs a test's body on a stage of its own.
func rehearse(
  _ ground: Ground, _ options: LinkOptions = Stage.patient,
  _ body: @Sendable (isolated Stage) async throws -> Void
) async throws {
  // Some hold a thousand connections and their far ends.
  Descriptors.raiseLimit()
  let loop = PollLoop(name: "stage")
  loop.start()
  defer { loop.stop() }
  let stage = Stage(loop: loop, ground: ground)
  try await stage.setUp(options)
  do {
    try await body(stage)
  } catch {
    await stage.tearDown()
    throw error
  }
  await stage.tearDown()
}

extension Result<HTTPResponse, LinkError> {
  var response: HTTPResponse? { try? get() }

  var error: LinkError? {
    guard case .failure(let error) = self else { return nil }
    return error
  }

  /// The body as text.
  var text: String? { response.map { String(decoding: $0.body, as: UTF8.self) } }
}

extension PollLoop {
  /// Runs `body` on the loop's thread and hands back its result.
  func perform<Value: Sendable>(_ body: @escaping @Sendable () -> Value) async -> Value {
    await withCheckedContinuation { continuation in
      post { continuation.resume(returning: body()) }
    }
  }
}
