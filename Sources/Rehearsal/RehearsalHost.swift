import Lua
package import Script
import Transport

/// A rehearsal on a thread of its own, behind a socket.
///
/// `@unchecked Sendable`: the guard is the loop's thread, which owns the service and the listener between
/// `init` and `stop`.
package final class RehearsalHost: @unchecked Sendable {
  /// What a client writes to reach it.
  package let url: String
  package let port: Int
  private let loop: PollLoop
  private let service: RehearsalService
  private let listener: HTTPListener

  /// Loads the desk, listens, and starts the thread.
  ///
  /// - Parameters:
  ///   - port: 0 for any that is free.
  ///   - report: Told of each event at the desk, on the rehearsal's thread.
  /// - Throws: ``ScriptFailure`` when the desk does not load, `ListenError` when the address cannot be had.
  package init(
    desk: DeskSource, settings: RehearsalSettings = RehearsalSettings(), address: String = "127.0.0.1",
    port: Int = 0, seed: UInt64, report: @escaping @Sendable (RehearsalReport) -> Void = { _ in }
  ) throws {
    loop = PollLoop(name: "rehearsal")
    service = try RehearsalService(loop: loop, desk: desk, settings: settings, seed: seed, report: report)
    listener = try HTTPListener(loop: loop, address: address, port: port, responder: service)
    url = listener.url
    self.port = listener.port
    loop.start()
  }

  /// Ends the thread.
  ///
  /// - Returns: What took effect at the desk, and the first failure of its script.
  @discardableResult
  package func stop() -> (statistics: RehearsalStatistics, failure: ScriptFailure?) {
    loop.stop()
    service.stop()
    listener.close()
    return (service.statistics, service.failure)
  }
}
