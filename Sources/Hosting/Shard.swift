import Bot
import Lua
package import Script
package import Store
package import Transport

/// A thread of visitors: one poll loop, which is the actor's executor.
package actor Shard {
  private let loop: PollLoop
  private var visitors: [Int: Visitor] = [:]

  package nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

  /// Starts the thread.
  package init(name: String) {
    loop = PollLoop(name: name)
    loop.start()
  }

  /// Begins visits, from any thread; each tells its end once, also one whose bot does not load.
  package nonisolated func begin(
    _ specs: [VisitSpec], options: LinkOptions, store: Store?,
    files: @escaping @Sendable (VisitSpec) -> ScriptFiles,
    report: @escaping @Sendable (VisitReport) -> Void,
    ended: @escaping @Sendable (VisitSpec, VisitOutcome) -> Void
  ) {
    loop.post {
      self.assumeIsolated {
        $0.visit(specs, options: options, store: store, files: files, report: report, ended: ended)
      }
    }
  }

  private func visit(
    _ specs: [VisitSpec], options: LinkOptions, store: Store?, files: @Sendable (VisitSpec) -> ScriptFiles,
    report: @escaping @Sendable (VisitReport) -> Void,
    ended: @escaping @Sendable (VisitSpec, VisitOutcome) -> Void
  ) {
    for spec in specs {
      let link = CurlLink(loop: loop, base: spec.account, options: options)
      let journal: any Journal = store.map { StoreJournal(loop: loop, store: $0) } ?? NoJournal(loop: loop)
      do {
        let visitor = try Visitor(
          spec, loop: loop, link: link, journal: journal, files: files(spec), report: report,
          ended: { [weak self] outcome in
            self?.assumeIsolated { $0.visitors[spec.index] = nil }
            ended(spec, outcome)
          })
        visitors[spec.index] = visitor
        visitor.start()
      } catch {
        link.close()
        report(VisitReport(spec, at: loop.now, .stopped(.failed(error))))
        ended(spec, .failed(error))
      }
    }
  }

  /// Ends every visit, from any thread: chats are closed first, within the grace.
  package nonisolated func interruptAll() {
    loop.post {
      self.assumeIsolated { shard in
        for visitor in shard.visitors.values { visitor.interrupt() }
      }
    }
  }

  /// Ends the thread, once its visits have ended.
  package nonisolated func stop() {
    loop.stop()
  }
}
