import Glibc
import Synchronization
import TestSupport
import Testing

@testable import Transport

@Suite(.timeLimit(.minutes(1)))
struct PollLoopTests {
  /// What happened, told from a loop's thread.
  private actor Witness {
    nonisolated let loop: PollLoop
    var events: [Int] = []

    nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    init(loop: PollLoop) {
      self.loop = loop
    }

    private var goal = 0
    private var reached: CheckedContinuation<Void, Never>?

    func add(_ event: Int) {
      events.append(event)
      guard events.count >= goal else { return }
      reached?.resume()
      reached = nil
    }

    /// Waits for so many events.
    func reach(_ count: Int) async {
      guard events.count < count else { return }
      goal = count
      await withCheckedContinuation { reached = $0 }
    }

    func timers(_ delays: [Double]) async {
      await withCheckedContinuation { continuation in
        for (number, delay) in delays.enumerated() {
          _ = loop.schedule(after: delay) {
            self.assumeIsolated { $0.events.append(number) }
            if self.assumeIsolated({ $0.events.count == delays.count }) { continuation.resume() }
          }
        }
      }
    }
  }

  private func withLoop(_ body: (PollLoop) async throws -> Void) async rethrows {
    let loop = PollLoop(name: "test")
    loop.start()
    defer { loop.stop() }
    try await body(loop)
  }

  @Test func `timers run in the order of their times, on an actor of the loop`() async throws {
    await withLoop { loop in
      let witness = Witness(loop: loop)
      await witness.timers([0.75, 0.25, 0.5, 0, 0.25, -1])
      #expect(await witness.events == [3, 5, 1, 4, 2, 0])
    }
  }

  @Test func `what one thread posts runs in its order, whatever the others post`() async throws {
    await withLoop { loop in
      let witness = Witness(loop: loop)
      await withTaskGroup(of: Void.self) { group in
        for thread in 0..<4 {
          group.addTask {
            for number in 0..<500 {
              // The guard: posted work runs on the loop's thread.
              loop.post { witness.assumeIsolated { $0.add(thread * 1000 + number) } }
            }
          }
        }
      }
      await loop.perform {}
      let events = await witness.events
      #expect(events.count == 2000)
      for thread in 0..<4 {
        #expect(events.filter { $0 / 1000 == thread } == (0..<500).map { thread * 1000 + $0 })
      }
    }
  }

  @Test func `soon is after the present callback and before the next timer`() async throws {
    await withLoop { loop in
      let witness = Witness(loop: loop)
      await loop.perform {
        let add = { (event: Int) in witness.assumeIsolated { $0.add(event) } }
        _ = loop.schedule(after: 0) { add(4) }
        loop.soon {
          add(2)
          loop.soon { add(3) }
        }
        add(1)
      }
      await witness.reach(4)
      #expect(await witness.events == [1, 2, 3, 4])
    }
  }

  @Test func `what calls itself soon, for ever, does not keep timers from running`() async throws {
    await withLoop { loop in
      let spinner = Spinner()
      await withCheckedContinuation { continuation in
        loop.post {
          spinner.spin(on: loop)
          _ = loop.schedule(after: 0.005) {
            spinner.stops = true
            continuation.resume()
          }
        }
      }
    }
  }

  private final class Spinner: @unchecked Sendable {
    // The guard: only the loop's thread touches it.
    var stops = false

    func spin(on loop: PollLoop) {
      guard !stops else { return }
      loop.soon { self.spin(on: loop) }
    }
  }

  @Test func `an actor keeps its thread over suspensions`() async throws {
    await withLoop { loop in
      let witness = Witness(loop: loop)
      for number in 0..<100 { await witness.add(number) }
      #expect(await witness.events == Array(0..<100))
      #expect(loop.isIsolatingCurrentContext() == false)
      #expect(await loop.perform { loop.isIsolatingCurrentContext() } == true)
    }
  }

  @Test func `a descriptor is told when it is ready, until it is forgotten`() async throws {
    try await withLoop { loop in
      var ends: [Int32] = [0, 0]
      try #require(pipe(&ends) == 0)
      let (reading, writing) = (ends[0], ends[1])
      let witness = Witness(loop: loop)
      await loop.perform {
        loop.watch(reading, for: [.read, .hangUp]) { ready in
          var byte: UInt8 = 0
          let count = read(reading, &byte, 1)
          witness.assumeIsolated { $0.add(count == 0 && ready.contains(.hangUp) ? -1 : Int(byte)) }
          if count == 0 { loop.unwatch(reading) }
        }
      }
      for byte: UInt8 in 1...3 {
        var byte = byte
        write(writing, &byte, 1)
      }
      close(writing)
      await witness.reach(4)
      #expect(await witness.events == [1, 2, 3, -1])
      close(reading)
    }
  }

  @Test func `a descriptor's number that is used again does not get the old one's events`() async throws {
    try await withLoop { loop in
      let witness = Witness(loop: loop)
      for _ in 0..<50 {
        let old = try socketPair()
        let pair = try socketPair()
        await loop.perform {
          var byte: UInt8 = 7
          // Closed without being forgotten first, and its number given away in the same moment.
          loop.watch(old.0, for: .read) { _ in witness.assumeIsolated { $0.add(1) } }
          dup2(pair.0, old.0)
          close(pair.0)
          loop.watch(old.0, for: .read) { _ in
            var byte: UInt8 = 0
            read(old.0, &byte, 1)
            witness.assumeIsolated { $0.add(2) }
            loop.unwatch(old.0)
            close(old.0)
          }
          write(pair.1, &byte, 1)
        }
        await witness.reach(1)
        #expect(await witness.events == [2])
        await loop.perform { witness.assumeIsolated { $0.events = [] } }
        close(pair.1)
        close(old.1)
      }
    }
  }

  private func socketPair() throws -> (Int32, Int32) {
    var ends: [Int32] = [0, 0]
    try #require(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends) == 0)
    return (ends[0], ends[1])
  }

  @Test func `the clock starts at the wall clock and never goes back`() async throws {
    await withLoop { loop in
      #expect(abs(loop.now - Double(time(nil))) < 2)
      await loop.perform {
        var last = loop.now
        for _ in 0..<10_000 {
          let now = loop.now
          #expect(now >= last)
          last = now
        }
      }
    }
  }

  @Test func `stopping does what was posted, lets the rest go, and may be asked twice`() async throws {
    final class Held {}
    for _ in 0..<100 {
      let loop = PollLoop()
      loop.start()
      weak var held: Held?
      do {
        let object = Unshared(Held())
        held = object.value
        loop.post { [object] in _ = loop.schedule(after: 1000) { _ = object } }
      }
      let done = Collected()
      for number in 0..<10 { loop.post { done.add(number) } }
      loop.stop()
      loop.stop()
      #expect(done.numbers == Array(0..<10))
      #expect(held == nil)
    }
  }
}

/// What work on a loop has left behind, readable when the loop is no more.
private final class Collected: Sendable {
  private let collected = Mutex<[Int]>([])

  var numbers: [Int] { collected.withLock { $0 } }

  func add(_ number: Int) { collected.withLock { $0.append(number) } }
}
