import Glibc
import Testing

@testable import Transport

struct DescriptorsTests {
  @Test func `the limit is raised as far as it goes`() async {
    await #expect(processExitsWith: .success) {
      try Self.allow(256)
      #expect(Descriptors.limit == 256)
      var limits = rlimit()
      getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limits)
      let most = Int(clamping: limits.rlim_max)
      #expect(most > 256)
      #expect(Descriptors.raiseLimit() == most)
      #expect(Descriptors.limit == most)
      #expect(Descriptors.raiseLimit() == most)
    }
  }

  @Test func `some nine thousand visitors fit with their far end, fewer than ten`() {
    #expect(Descriptors.needed(visitors: 9_300, rehearsedHere: true) < 20_000)
    #expect(Descriptors.needed(visitors: 10_000, rehearsedHere: true) > 20_000)
    #expect(Descriptors.needed(visitors: 18_500, rehearsedHere: false) < 20_000)
  }

  @Test func `visitors who act need more than those who only poll`() {
    #expect(Descriptors.needed(visitors: 3_200, rehearsedHere: false) >= 3_200 + 100)
    #expect(Descriptors.needed(visitors: 3_200, rehearsedHere: true) >= 2 * (3_200 + 100))
  }

  @Test(arguments: [(0, 5.0), (700, 5.0), (749, 5.0), (874, 2.5), (999, 0.0), (1_500, 0.0)])
  func `an idle connection closes the sooner the fewer descriptors are left`(taken: Int32, seconds: Double) {
    #expect(Descriptors.idleSeconds(5, descriptor: taken, limit: 1_000) == seconds)
  }

  @Test func `an action's connection does not outlast the descriptors`() async {
    await #expect(processExitsWith: .success) {
      try await rehearse(.loopback, Self.aMinute) { stage in
        let listener = try stage.server()
        _ = try await stage.get("/")
        for _ in 0..<500 { _ = dup(0) }
        // Enough for a connection and its far end.
        try Self.leave(2)
        _ = try await stage.get("/", over: stage.addLink(Self.aMinute))
        #expect(listener.accepted == 2)
        try await stage.until { listener.connections == 1 }
      }
    }
  }

  @Test func `a connection that comes when no descriptor is left does no harm to later ones`() async {
    await #expect(processExitsWith: .success) {
      try await rehearse(.loopback) { stage in
        let limit = Descriptors.limit
        let early = RawConnection(loop: stage.loop, port: try stage.server().port)
        // Enough to take the connection, too few to serve it.
        try Self.leave(1)
        try await stage.until { early.hasEnded }
        try Self.allow(limit)
        let answer = try await stage.get("/late")
        #expect(answer.text == "/late")
      }
    }
  }

  private static let aMinute: LinkOptions = {
    var options = LinkOptions()
    options.idleActionSeconds = 60
    return options
  }()

  /// Lets this process open so many descriptors more.
  private static func leave(_ count: Int32) throws {
    let next = dup(0)
    close(next)
    try allow(Int(next + count))
  }

  private static func allow(_ count: Int) throws {
    var limits = rlimit()
    getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limits)
    limits.rlim_cur = rlim_t(count)
    try #require(setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limits) == 0)
  }
}
