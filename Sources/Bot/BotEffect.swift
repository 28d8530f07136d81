package import Lua
package import Script

/// A word of a bot with its arguments, for the host to answer.
package typealias BotCall = ScriptCall

/// What a bot wants of its host.
package enum BotEffect: Equatable, Sendable {
  /// An action for the service: answer with ``BotInput/settled(request:_:)`` once it is settled.
  case perform(request: Int, BotCall)
  /// A question to the host itself (`messages`, `module`, `read`, `env`, …): answer at once, before any other
  /// input, since nothing else of the script runs meanwhile.
  case fetch(request: Int, BotCall)
  /// Seconds from now until ``BotInput/timer(request:)``.
  case setTimer(request: Int, after: Double)
  case cancelTimer(request: Int)
  case log(String, LuaPosition?)
  case check(name: String, passed: Bool, LuaPosition?)
  case metric(name: String, value: Double, unit: String?)
  /// Seconds.
  case stepEnded(name: String, duration: Double)
  /// `visitor.state` as JSON, to be stored with the turn that changed it.
  case state([UInt8])
  /// The script has ended well: always the last effect.
  case finished
  /// The script has failed: always the last effect.
  case failed(ScriptFailure)
}
