package import Lua
package import Transport

/// A service on this machine: visitors talk to it over the wire, a desk's script plays the people behind it.
///
/// Confined to its loop's thread. The same object answers behind an `HTTPListener` and behind links in memory.
package final class RehearsalService: HTTPResponder {
  /// What took effect so far.
  package private(set) var statistics = RehearsalStatistics()
  /// The first failure of the desk's script; a run ends with status 107 when there is one.
  package private(set) var failure: LuaError?

  /// - Parameters:
  ///   - seed: What faults, ids and the script's random numbers are drawn from.
  ///   - report: Told of each event as it happens, on the loop's thread.
  /// - Throws: ``LuaError`` when the desk does not load.
  package init(
    loop: any Loop, desk: DeskSource, settings: RehearsalSettings = RehearsalSettings(), seed: UInt64,
    report: @escaping (RehearsalReport) -> Void = { _ in }
  ) throws(LuaError) {
    self.loop = loop
  }

  private let loop: any Loop

  package func respond(to request: HTTPRequest, _ reply: @escaping (HTTPReply) -> Void) -> HeldExchange? {
    reply(.response(HTTPResponse(status: 503)))
    return nil
  }

  /// Ends the desk's coroutines and timers and drops the requests that are held.
  package func stop() {}
}
