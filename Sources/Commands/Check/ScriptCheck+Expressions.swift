import Script

/// The expressions of a text.
extension ScriptCheck {
  /// Looks at an expression whose value may go anywhere: a function may be called with anything.
  mutating func use(_ expression: LuaExpression) {
    if case .function(let id) = look(at: expression) { giveUnknown(to: id) }
  }

  /// - Returns: What is known of its value.
  mutating func look(at expression: LuaExpression) -> Known {
    switch expression {
    case .name(let name): return known(name.text)
    case .string, .number, .constant: return .unknown
    case .function(let function):
      walk(function)
      return .function(function.id)
    case .table(let table):
      for entry in table.entries {
        if let computed = entry.computed { use(computed) }
        let value = look(at: entry.value)
        if let key = entry.key { hold(value, under: key, in: .table(table.id)) }
      }
      return .table(table.id)
    case .chain(let head, let suffixes): return look(at: head, suffixes)
    case .operation(let operands):
      for operand in operands { use(operand) }
      return .unknown
    }
  }

  private mutating func walk(_ function: LuaFunction) {
    functions[function.id] = function
    depth += 1
    inScope { check in
      for parameter in function.parameters {
        check.bind(parameter, to: check.known(parameter: parameter))
      }
      check.walk(function.body)
    }
    depth -= 1
  }

  /// What those who call give; of a function that nobody is seen to call, what its parameter is called by
  /// custom, if it is also spoken to so.
  private func known(parameter: LuaToken) -> Known {
    let given = facts.given[parameter.offset, default: .nothing]
    guard given == .nothing, isSettled else { return given }
    guard let object = words.object(parameter.text) else { return .unknown }
    let isDesks = object.object != words.visitor.object
    guard isDesks || !facts.isDesk else { return .unknown }
    // What is only said to chats and desks tells a desk's text, where nothing else does.
    let others = isDesks && !facts.isDesk ? words.methods(words.visitor) : []
    let telling = Set(words.methods(object)).subtracting(others)
    let said = facts.said[parameter.offset] ?? []
    return said.isDisjoint(with: telling) ? .unknown : .object(object.object)
  }

  /// A function of the text is called.
  ///
  /// - Parameter isWhole: Whether it is given nothing else: what is left out is nil.
  mutating func call(_ function: Known, with given: [Known], isWhole: Bool) {
    guard case .function(let id) = function, let function = functions[id] else { return }
    for (index, parameter) in function.parameters.enumerated() {
      if given.indices.contains(index) {
        facts.give(given[index], to: parameter.offset)
      } else if isWhole || index > 0 {
        facts.give(.unknown, to: parameter.offset)
      }
    }
  }

  private mutating func giveUnknown(to function: Int) {
    for parameter in functions[function]?.parameters ?? [] { facts.give(.unknown, to: parameter.offset) }
  }
}

// MARK: - Chains

extension ScriptCheck {
  private mutating func look(at head: LuaExpression, _ suffixes: [LuaSuffix]) -> Known {
    var name: LuaToken?
    if case .name(let token) = head { name = token }
    var known = look(at: head)
    for (index, suffix) in suffixes.enumerated() {
      let next = suffixes.indices.contains(index + 1) ? suffixes[index + 1] : nil
      switch suffix {
      case .field(let word): known = field(word, of: known, name, next)
      case .index(.string(let word)): known = field(word, of: known, name, next)
      case .index(let key):
        use(key)
        known = .unknown
      case .method(let word, let arguments):
        if let name, let binding = binding(name.text) { note(word, arguments, said: binding.id) }
        call(word, of: known, name, arguments)
        known = .unknown
      case .call(let arguments):
        call(known, name, arguments)
        known = .unknown
      }
      name = nil
    }
    return known
  }

  /// A method is called on a name; of `on`, the event tells more than the word.
  private mutating func note(_ word: LuaToken, _ arguments: [LuaExpression], said name: Int) {
    facts.said[name, default: []].insert(word.text)
    guard word.text == "on", case .string(let event) = arguments.first else { return }
    facts.said[name, default: []].insert("on:\(event.text)")
  }

  /// A field of an object or a module.
  private mutating func field(
    _ word: LuaToken, of known: Known, _ name: LuaToken?, _ next: LuaSuffix?
  ) -> Known {
    switch known {
    case .module(let module):
      let words = words.modules[module] ?? []
      if !words.isEmpty, !words.contains(word.text) {
        find("\(name?.text ?? module) has no \"\(word.text)\"", at: word, among: words)
      }
      let inner = "\(module).\(word.text)"
      return self.words.modules[inner] == nil ? .unknown : .module(inner)
    case .object(let object):
      if let vocabulary = words.object(object) {
        lookAtField(word, of: vocabulary, name?.text ?? object, next)
      }
      return .unknown
    case .nothing, .unknown, .function, .table: return .unknown
    }
  }

  private mutating func lookAtField(
    _ word: LuaToken, of object: Vocabulary, _ name: String, _ next: LuaSuffix?
  ) {
    guard !object.fields.contains(word.text) else { return }
    let methods = words.methods(object)
    guard methods.contains(word.text) else {
      return find("\(name) has no \"\(word.text)\"", at: word, among: object.fields + methods)
    }
    if case .call(let arguments) = next {
      // Given the object itself first, a dot does what a colon does.
      if case .name(let first) = arguments.first, first.text == name { return }
      find("call it with a colon: \(name):\(word.text)", at: word)
    }
  }

  /// A function is called by its name or place.
  private mutating func call(_ function: Known, _ name: LuaToken?, _ arguments: [LuaExpression]) {
    guard case .function = function else {
      let isProtected = function == .unknown && name?.text == "pcall" && binding("pcall") == nil
      guard isProtected, let called = arguments.first else {
        for argument in arguments { use(argument) }
        return
      }
      return call(look(at: called), nil, Array(arguments.dropFirst()))
    }
    var given = arguments.map { argument in
      let known = look(at: argument)
      // What a function or a table of the text does as an argument is not followed.
      if case .function(let id) = known { giveUnknown(to: id) }
      return if case .object = known { known } else { known == .nothing ? known : Known.unknown }
    }
    // The last one may stand for several.
    if case .chain = arguments.last { given.append(.unknown) }
    call(function, with: given, isWhole: true)
  }
}
