import Lua

/// What a state weighs before any prelude.
enum LuaStateWeight {
  static func measure() throws -> Int {
    let state = try LuaState(budget: .run, seed: 1)
    state.collectGarbage()
    return state.memoryInUse
  }
}
