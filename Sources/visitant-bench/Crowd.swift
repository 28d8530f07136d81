import Glibc
import Hosting
import JSON
import Script
import Transport

/// Visitors of one bot, on as many shards as there are processors.
final class Crowd: @unchecked Sendable {
  // The guard is the lock: shards report from their threads.
  private let lock = Lock()
  private var started = 0
  private var outcomes: [VisitOutcome] = []
  private var metrics: [String: Double] = [:]
  private let shards: [Shard]

  struct Trouble: Error, CustomStringConvertible {
    let description: String
  }

  init(_ count: Int, bot: String, account: String) {
    let processors = max(1, Int(sysconf(Int32(_SC_NPROCESSORS_ONLN))))
    shards = (0..<min(processors, count)).map { Shard(name: "shard-\($0)") }
    var generator = SystemRandomNumberGenerator()
    let cache = FileCache()
    let source = BotSource(name: "bench.lua", text: Array(bot.utf8))
    for (number, shard) in shards.enumerated() {
      let specs = (0..<count).filter { $0 % shards.count == number }.map { index in
        var spec = VisitSpec(
          visitor: "visitor-\(index)", bot: source, account: account, seed: UInt64(index),
          salt: generator.next(), deviceID: SplitMix64.identifier(from: &generator))
        spec.index = index + 1
        spec.limits.visit = 600
        return spec
      }
      shard.begin(
        specs, options: LinkOptions(), store: nil,
        files: { ScriptFiles(project: ".", script: $0.bot.name, cache: cache) }, report: { self.note($0) },
        ended: { _, outcome in self.lock.withLock { self.outcomes.append(outcome) } })
    }
  }

  func waitUntil(started count: Int) throws { try wait { started >= count } }
  func waitUntil(ended count: Int) throws { try wait { outcomes.count >= count } }

  func total(of metric: String) -> Int { lock.withLock { Int(metrics[metric] ?? 0) } }

  func stop() {
    for shard in shards { shard.stop() }
  }

  private func note(_ report: VisitReport) {
    lock.withLock {
      switch report.what {
      case .started: started += 1
      case .metric(let name, let value, _): metrics[name, default: 0] += value
      default: break
      }
    }
  }

  /// Looks twenty times a second, for two minutes.
  private func wait(_ condition: () -> Bool) throws {
    for _ in 0..<2_400 {
      let (isMet, failure) = lock.withLock { (condition(), outcomes.first { $0 != .finished }) }
      if let failure { throw Trouble(description: "a visitor has failed: \(failure)") }
      if isMet { return }
      usleep(50_000)
    }
    throw Trouble(description: "the visitors are not there after two minutes")
  }
}
