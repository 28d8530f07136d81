internal import JSON

/// Makes and reads the service's ids.
///
/// Ids of visitors, visits and messages name their owner, so that no table of all of them is needed. They end
/// with a salt of the service's run: an id that a client kept from another run finds nobody instead of a
/// stranger. Up to thousands of visitors an id stays within Swift's 15 inline bytes.
struct ServiceIDs {
  private var generator: SplitMix64
  private let salt: String
  private var lastChat = 0
  private var lastSurvey = 0
  private var numbers: [String: Int] = [:]

  init(seed: UInt64) {
    generator = SplitMix64(seed: seed)
    salt = String(generator.hexadecimal.suffix(6))
  }

  mutating func makeChat() -> WebimService.ChatID {
    lastChat += 1
    return lastChat
  }

  mutating func makeSurvey() -> String {
    lastSurvey += 1
    return "sv\(lastSurvey)-\(salt)"
  }

  /// A word that nobody guesses: a page, a token, the client id of a message of the service.
  mutating func makeWord(_ letter: Character) -> String {
    "\(letter)\(generator.hexadecimal.suffix(14))"
  }

  /// The stable number of a desk's handle, counted from `first` in each of its kinds.
  mutating func number(of handle: String, kind: String, from first: Int) -> Int {
    if let number = numbers["\(kind):\(handle)"] { return number }
    let number = numbers["\(kind)", default: first]
    numbers["\(kind)"] = number + 1
    numbers["\(kind):\(handle)"] = number
    return number
  }

  func visitor(_ index: Int) -> String { "v\(index + 1)-\(salt)" }
  func visit(_ index: Int, number: Int) -> String { "s\(index + 1)-\(number)-\(salt)" }
  func message(_ index: Int, number: Int) -> String { "m\(index + 1)-\(number)-\(salt)" }

  /// The index of the visitor with this id.
  func visitorIndex(_ id: String) -> Int? { parse(id, "v")?.index }

  /// The index of the visitor whose visit this is.
  func visitIndex(_ id: String) -> Int? { parse(id, "s")?.index }

  /// What a message's id says; nil for any other text.
  func message(_ id: String) -> (index: Int, number: Int)? {
    guard let parts = parse(id, "m"), let number = parts.number else { return nil }
    return (parts.index, number)
  }

  /// Whether a text has the form of a message's id, of this run or another.
  static func isMessageForm(_ id: String) -> Bool {
    let parts = id.dropFirst().split(separator: "-", omittingEmptySubsequences: false)
    return id.first == "m" && parts.count == 3 && Int(parts[0]) != nil && Int(parts[1]) != nil
  }

  private func parse(_ id: String, _ letter: Character) -> (index: Int, number: Int?)? {
    guard id.first == letter else { return nil }
    let parts = id.dropFirst().split(separator: "-", omittingEmptySubsequences: false)
    guard let last = parts.last, last == salt, let owner = Int(parts[0]), owner > 0 else { return nil }
    switch parts.count {
    case 2: return (owner - 1, nil)
    case 3: return Int(parts[1]).map { (owner - 1, $0) }
    default: return nil
    }
  }
}
