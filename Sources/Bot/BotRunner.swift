package import Script

/// The script of one visitor as a machine: inputs in, effects out, the same for the same inputs.
///
///     var effects = runner.receive(.fields(fields), now: now)
///     effects += runner.receive(.start, now: now)
///     // … perform, and give back what happened:
///     effects = runner.receive(.settled(request: 1, .success(message)), now: now)
///
/// After a crash, a fresh runner is given the journal with ``replay(_:at:expecting:)`` and then ``goLive(now:)``.
package final class BotRunner {
  /// The name that the bot's table gives, else the file's.
  package private(set) var name: String
  /// What the last turn asked for, to be kept in the journal beside its input.
  package private(set) var digest = ""

  /// Compiles a bot.
  ///
  /// - Parameters:
  ///   - source: The text of the file.
  ///   - name: What errors call it, such as `bots/first_visit.lua`.
  /// - Throws: ``ScriptFailure`` when the text is no Lua, or does not fit its budget.
  package init(
    source: [UInt8], name: String, options: ScriptRunner.Options = ScriptRunner.Options()
  ) throws(ScriptFailure) {
    self.name = name
  }

  /// Feeds one input and runs the script until it waits.
  ///
  /// - Parameter now: Seconds since the epoch; never less than at the last input.
  package func receive(_ input: BotInput, now: Double) -> [BotEffect] {
    []
  }

  /// Feeds one journalled input; its effects have been done already and are thrown away.
  ///
  /// - Throws: ``ScriptFailure`` when the script now asks for something else than `digest` tells.
  package func replay(_ input: BotInput, at now: Double, expecting digest: String) throws(ScriptFailure) {
  }

  /// What stands open after a replay.
  package struct Outstanding: Equatable, Sendable {
    /// Actions that were asked for and not settled, in the order of their requests.
    package var performing: [(request: Int, call: BotCall)] = []
    /// Questions to the host that were not answered.
    package var fetching: [(request: Int, call: BotCall)] = []
    /// Timers to set now.
    package var timers: [(request: Int, after: Double)] = []

    package static func == (a: Self, b: Self) -> Bool {
      a.performing.elementsEqual(b.performing, by: ==) && a.fetching.elementsEqual(b.fetching, by: ==)
        && a.timers.elementsEqual(b.timers, by: ==)
    }
  }

  /// Ends a replay: `visitor.resumed` turns true and the clock of waits runs again.
  package func goLive(now: Double) -> Outstanding {
    Outstanding()
  }
}
