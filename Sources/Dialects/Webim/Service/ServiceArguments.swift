internal import JSON

/// The parameters of a request, read as the kind that an action needs; a wrong one is named.
struct ServiceArguments {
  private let request: WireRequest

  init(_ request: WireRequest) {
    self.request = request
  }

  subscript(name: String) -> String? { request[name] }

  /// A parameter that has to be there; it may be empty.
  func required(_ name: String) throws(ServiceRefusal) -> String {
    guard let value = request[name] else { throw ServiceRefusal(.argumentMissing, argument: name) }
    return value
  }

  /// A parameter that has to be there and to hold something.
  func filled(_ name: String) throws(ServiceRefusal) -> String {
    let value = try required(name)
    guard !value.isEmpty else { throw ServiceRefusal(.argumentMissing, argument: name) }
    return value
  }

  func integer(_ name: String) throws(ServiceRefusal) -> Int? {
    guard let value = request[name] else { return nil }
    guard let number = Int(value) else { throw ServiceRefusal(.wrongArgument, argument: name) }
    return number
  }

  /// iOS sends `1` and `0`, Android `true` and `false`.
  func flag(_ name: String) throws(ServiceRefusal) -> Bool? {
    switch request[name] {
    case nil: nil
    case "1", "true": true
    case "0", "false": false
    default: throw ServiceRefusal(.wrongArgument, argument: name)
    }
  }

  /// A JSON object in a parameter, as compact JSON; an empty parameter counts as absent.
  func object(_ name: String) throws(ServiceRefusal) -> String? {
    try node(name)?.value.text
  }

  func node(_ name: String) throws(ServiceRefusal) -> JSONNode? {
    guard let value = request[name], !value.isEmpty else { return nil }
    guard let node = try? JSONNode(parsing: value), node.isObject else {
      throw ServiceRefusal(.wrongArgument, argument: name, explanation: "not a JSON object")
    }
    return node
  }
}
