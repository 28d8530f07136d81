import JSON
import TestSupport
import Testing

@Suite struct RandomJSONTests {
  @Test(arguments: 0..<20 as Range<UInt64>)
  func `a value that was written comes back equal`(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    for _ in 0..<100 {
      let value = randomValue(depth: 4, &generator)
      #expect(try JSONNode(parsing: value.bytes).value == value)
    }
  }

  @Test(arguments: 0..<20 as Range<UInt64>)
  func `no mutation of a text makes reading trap, and what is read can be written`(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    for _ in 0..<300 {
      var bytes = randomValue(depth: 4, &generator).bytes
      for _ in 0..<generator.integer(1...4) { mutate(&bytes, &generator) }
      guard let node = try? JSONNode(parsing: bytes) else { continue }  // most are no JSON any more
      let again = try JSONNode(parsing: node.value.bytes)
      #expect(again.value == node.value)
      #expect(walk(again) == walk(node))
    }
  }

  private func randomValue(depth: Int, _ generator: inout SeededGenerator) -> JSONValue {
    switch generator.integer(0...(depth > 0 ? 7 : 4)) {
    case 0: return .null
    case 1: return .bool(generator.oneIn(2))
    case 2: return .integer(Int(truncatingIfNeeded: generator.next()) >> generator.integer(0...63))
    case 3: return .number(Double(generator.integer(-1_000_000...1_000_000)) / 1024 + 0.000_1)
    case 4: return .string(generator.text())
    case 5, 6:
      return .array((0..<generator.integer(0...4)).map { _ in randomValue(depth: depth - 1, &generator) })
    default:
      return .object(
        (0..<generator.integer(0...4)).map {
          JSONValue.Member("\($0)\(generator.text())", randomValue(depth: depth - 1, &generator))
        })
    }
  }

  private func mutate(_ bytes: inout [UInt8], _ generator: inout SeededGenerator) {
    let place = generator.integer(0...max(0, bytes.count - 1))
    let special = Array("{}[]\",:\\u0d8e-+.tfn".utf8) + [0, 0x80, 0xFF, 0xC3, 0xED]
    switch generator.integer(0...4) {
    case 0 where !bytes.isEmpty: bytes[place] = UInt8(truncatingIfNeeded: generator.next())
    case 1 where !bytes.isEmpty: bytes.remove(at: place)
    case 2 where !bytes.isEmpty: bytes.removeSubrange(place...)
    case 3 where !bytes.isEmpty: bytes[place] = generator.pick(special, or: 0)
    default: bytes.insert(generator.pick(special, or: 0), at: place)
    }
  }

  /// Reads everything below a node in every way there is.
  private func walk(_ node: JSONNode) -> Int {
    var count = node.string?.utf8.count ?? 0
    count += node.integer == nil && node.number == nil && node.bool == nil ? 0 : 1
    for element in node.elements { count += walk(element) }
    for (key, value) in node.members { count += walk(value) + (node[key] == nil ? 0 : 1) }
    return count
  }
}
