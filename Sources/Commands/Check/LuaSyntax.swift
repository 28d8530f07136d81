/// What a Lua text consists of, as far as ``ScriptCheck`` looks at it: names and what they are given.
///
/// Operators and control flow are left out: whatever an operator makes is unknown to the check.
indirect enum LuaExpression {
  case name(LuaToken)
  case string(LuaToken)
  case number(LuaToken)
  /// `true`, `false`, `nil` or `...`.
  case constant(LuaToken)
  case function(LuaFunction)
  case table(LuaTable)
  /// A name or what stands in parentheses, with what follows it.
  case chain(LuaExpression, [LuaSuffix])
  /// Operands of operators.
  case operation([LuaExpression])
}

enum LuaSuffix {
  case field(LuaToken)
  case index(LuaExpression)
  case call([LuaExpression])
  case method(LuaToken, [LuaExpression])
}

struct LuaFunction {
  /// Where it begins; no two functions begin at one place.
  let id: Int
  /// A method's `self` is not among them.
  let parameters: [LuaToken]
  let isMethod: Bool
  let body: [LuaStatement]
}

struct LuaTable {
  struct Entry {
    /// A name or a string; nil for an element of the list and for a key that is computed.
    let key: LuaToken?
    /// What computes the key.
    let computed: LuaExpression?
    let value: LuaExpression

    var isElement: Bool { key == nil && computed == nil }
  }

  /// Where it begins; no two tables begin at one place.
  let id: Int
  let entries: [Entry]
}

indirect enum LuaStatement {
  case local([LuaToken], [LuaExpression])
  case localFunction(LuaToken, LuaFunction)
  /// `function a.b.c() … end`, with the names after the first.
  case function(LuaToken, [LuaToken], LuaFunction)
  case assignment([LuaExpression], [LuaExpression])
  case expression(LuaExpression)
  case `return`([LuaExpression])
  /// A scope: what is looked at before it, the names of its own, what is in it, and what `until` looks at.
  case block(before: [LuaExpression], names: [LuaToken], [LuaStatement], until: LuaExpression?)
}
