import Lua
import Testing

/// A state whose scripts see `host` and `ask`, and what comes of running a script to its end.
struct Scripted {
  /// What a script ended with, and what it asked and noted on the way.
  struct Outcome {
    var values: String?
    var error: LuaError?
    var asked: [String] = []
    var lines: [LuaPosition?] = []
    var notes: [String] = []
  }

  static let prelude = """
    host.sandbox.host = host
    host.sandbox.ask = host.ask
    host.sandbox.note = host.note
    return {
      call = function(f, ...) return f(...) end,
      state = {},
    }
    """

  let state: LuaState

  init(budget: LuaBudget = .run, seed: UInt64 = 1) throws {
    state = try LuaState(budget: budget, seed: seed)
    try state.loadPrelude(Array(Self.prelude.utf8), name: "test")
  }

  /// Runs a script named `bot.lua`, giving each request the next of the answers, or none.
  func run(_ script: String, arguments: String = "[]", answers: [String] = []) throws -> Outcome {
    let function = try state.load(Array(script.utf8), name: "bot.lua")
    defer { state.release(function) }
    return finish(state.start(function, Array(arguments.utf8)), answers: answers)
  }

  func finish(_ first: LuaTurn, answers: [String]) -> Outcome {
    var outcome = Outcome()
    var rest = answers[...]
    var turn = first
    while case .asks(let coroutine, let request, let line) = turn {
      outcome.asked.append(String(decoding: request, as: UTF8.self))
      outcome.lines.append(line)
      turn = state.resume(coroutine, Array((rest.popFirst() ?? "[]").utf8))
    }
    switch turn {
    case .asks: break
    case .finished(_, let values): outcome.values = String(decoding: values, as: UTF8.self)
    case .failed(_, let error): outcome.error = error
    }
    outcome.notes = state.takeNotes().map { String(decoding: $0, as: UTF8.self) }
    return outcome
  }

  /// What a script in a state of its own returns, or the description of how it failed.
  static func result(of script: String, budget: LuaBudget = .run) throws -> String {
    let outcome = try Scripted(budget: budget).run(script)
    return outcome.values ?? outcome.error?.description ?? ""
  }
}
