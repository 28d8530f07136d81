import Script

/// The methods of `visitor`, `desk` and `chat`, and what they are given.
extension ScriptCheck {
  /// A method is called.
  mutating func call(_ word: LuaToken, of known: Known, _ name: LuaToken?, _ arguments: [LuaExpression]) {
    guard case .object(let object) = known, let vocabulary = words.object(object) else {
      for argument in arguments {
        // What it is called on may yet prove to be an object.
        if known == .nothing { _ = look(at: argument) } else { use(argument) }
      }
      return
    }
    let name = name?.text ?? object
    if let method = vocabulary.method(word.text) {
      return lookAtArguments(of: ScriptWord(token: word, method: method, object: vocabulary), arguments)
    }
    let methods = words.methods(vocabulary)
    if vocabulary.fields.contains(word.text) {
      find("\(name):\(word.text) is no method: write \(name).\(word.text)", at: word)
    } else {
      find("\(name) has no method \"\(word.text)\"", at: word, among: methods)
    }
    // What it calls back is given what the word that was meant gives.
    let meant = NearestWord.find(word.text, among: methods).flatMap(vocabulary.method)
    for (index, argument) in arguments.enumerated() {
      let parameter = meant.flatMap { $0.parameters.indices.contains(index) ? $0.parameters[index] : nil }
      if let parameter, parameter.kind == .function {
        callBack(argument, with: parameter.given)
      } else {
        use(argument)
      }
    }
  }

  private mutating func lookAtArguments(of word: ScriptWord, _ arguments: [LuaExpression]) {
    var listener: Vocabulary.Listener?
    var isListenerKnown = true
    for (index, argument) in arguments.enumerated() {
      let parameters = word.method.parameters
      let parameter = parameters.indices.contains(index) ? parameters[index] : nil
      if case .table(let table) = argument, index == arguments.count - 1, !word.method.options.isEmpty,
        !(parameter?.kind.takesTable ?? false)
      {
        lookAtOptions(table, of: word)
        continue
      }
      switch parameter?.kind {
      case .event:
        listener = event(argument, of: word)
        isListenerKnown = listener != nil
      case .filter:
        let about = word.listener ?? listener
        lookAtFilter(argument, of: word, about: isListenerKnown ? about : nil)
      case .filters: lookAtFilters(argument, of: word)
      case .function:
        let given = listener.map(word.object.given) ?? (isListenerKnown ? parameter?.given : nil)
        callBack(argument, with: given)
      default: lookAtValue(argument, as: parameter, of: word)
      }
    }
  }

  /// A function that a word calls back; nil when nobody knows what it is given.
  private mutating func callBack(_ function: LuaExpression, with given: [String]?) {
    guard let given else { return use(function) }
    let known = look(at: function)
    call(known, with: given.map { .object($0) }, isWhole: true)
  }

  /// The listener that a text names.
  private mutating func event(_ argument: LuaExpression, of word: ScriptWord) -> Vocabulary.Listener? {
    guard case .string(let token) = argument, let name = token.plainText else {
      lookAtValue(argument, as: .init("event", .event), of: word)
      return nil
    }
    if let listener = word.object.listener(name) { return listener }
    find(word.object.unknownEvent(name, in: word.token.text).message, at: token)
    return NearestWord.find(name, among: word.object.listeners.map(\.name)).flatMap(word.object.listener)
  }
}

/// A word as a script says it.
struct ScriptWord {
  let token: LuaToken
  let method: WordSpec
  let object: Vocabulary

  /// The event that the word itself is about.
  var listener: Vocabulary.Listener? { object.listener(Filter.event(ofWait: token.text)) }
}
