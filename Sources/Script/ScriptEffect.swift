package import Lua

/// What a script wants of its host.
package enum ScriptEffect: Equatable, Sendable {
  /// Answer with ``ScriptRunner/settle(_:_:)``; the number is never used again.
  case call(request: Int, WordSpec.Role, ScriptCall)
  /// Call ``ScriptRunner/timerFired(_:)`` after so many seconds.
  case setTimer(request: Int, after: Double)
  case cancelTimer(request: Int)
  case note(ScriptNote)
  /// A coroutine has returned these values, a JSON array.
  case returned(ScriptRunner.Coroutine, values: [UInt8])
  /// The script is at its end; nothing of it will run again.
  case failed(ScriptFailure)
}

/// What a script tells without waiting.
package enum ScriptNote: Equatable, Sendable {
  case log(String, LuaPosition?)
  case check(name: String, passed: Bool, LuaPosition?)
  /// `unit` is what the script said, nil when it said none.
  case metric(name: String, value: Double, unit: String?)
  /// Seconds of the script's clock.
  case stepEnded(name: String, duration: Double)
}
