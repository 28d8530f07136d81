/// A word of `visitant`, and what it does.
package struct Command: Sendable {
  package let spec: CommandSpec
  /// Does it, on the main thread. A thrown failure is printed, and its status is the process's.
  let run: @Sendable (Arguments, Terminal) throws(CommandFailure) -> ExitStatus

  package init(
    _ spec: CommandSpec, run: @escaping @Sendable (Arguments, Terminal) throws(CommandFailure) -> ExitStatus
  ) {
    self.spec = spec
    self.run = run
  }
}
