internal import JSON

extension JSONWriter {
  mutating func member(_ key: String, _ value: some JSONCoded, _ shape: JSONShape) {
    member(key) { value.write(to: &$0, shape: shape) }
  }

  mutating func member(optional key: String, _ value: (some JSONCoded)?, _ shape: JSONShape) {
    if let value { member(key, value, shape) }
  }

  mutating func member(_ key: String, _ values: [some JSONCoded], _ shape: JSONShape) {
    member(key) { writer in
      writer.array { for value in values { value.write(to: &$0, shape: shape) } }
    }
  }

  /// A text that is JSON already: as itself for a script, as a string for the store, which keeps every byte.
  mutating func member(optional key: String, json text: String?, _ shape: JSONShape) {
    guard let text else { return }
    if shape == .script, let node = try? JSONNode(parsing: text) {  // what is no JSON stays a string
      member(key, node.value)
    } else {
      member(key, text)
    }
  }

  /// The members of a dictionary, ordered by key, so that equal values have equal bytes.
  mutating func member(_ key: String, _ values: [String: String]) {
    member(key) { writer in
      writer.object { for (key, value) in values.sorted(by: { $0.key < $1.key }) { $0.member(key, value) } }
    }
  }

  mutating func member(_ key: String, _ values: [String: Int]) {
    member(key) { writer in
      writer.object { for (key, value) in values.sorted(by: { $0.key < $1.key }) { $0.member(key, value) } }
    }
  }
}

extension JSONNode {
  /// The counterpart of `member(optional:json:_:)`.
  func jsonText(_ key: String) -> String? {
    guard let member = self[key] else { return nil }
    return member.string ?? member.value.text
  }

  func list<Value: JSONCoded>(_ key: String) -> [Value] {
    self[key]?.elements.compactMap { Value(json: $0) } ?? []
  }

  func decoded<Value: JSONCoded>(_ key: String) -> Value? {
    self[key].flatMap { Value(json: $0) }
  }

  func word<Word: RawRepresentable<String>>(_ key: String) -> Word? {
    self[key]?.string.flatMap { Word(rawValue: $0) }
  }

  var texts: [String: String] {
    Dictionary(members.compactMap { key, value in value.string.map { (key, $0) } }, uniquingKeysWith: { $1 })
  }

  var integers: [String: Int] {
    Dictionary(members.compactMap { key, value in value.integer.map { (key, $0) } }, uniquingKeysWith: { $1 })
  }
}
