internal import CJSON

/// Why a text is no JSON.
package enum JSONError: Error, Equatable, Sendable, CustomStringConvertible {
  case malformed
  case outOfMemory

  package var description: String {
    switch self {
    case .malformed: "not a JSON text"
    case .outOfMemory: "no memory for a JSON text"
    }
  }
}

/// A place in a parsed JSON text, read tolerantly: a member of the wrong kind counts as absent.
///
/// The leniency is that of the Webim protocol, section 0: a number accepts an integer, an integer accepts a
/// whole number, a boolean accepts the numbers 0 and 1, and text and numbers never stand for each other.
package struct JSONNode {
  private let document: JSONDocument
  private let node: visitant_json_node

  /// Parses a whole text. What is no character (bytes that are no UTF-8, half of a surrogate pair) is read as
  /// U+FFFD, since one broken character of a peer must not cost the visitor the rest of the answer.
  package init(parsing text: [UInt8]) throws(JSONError) {
    do throws(JSONError) {
      (document, node) = try JSONDocument.parse(text, repairing: true)
    } catch {
      guard error == .malformed, let repaired = SurrogateRepair.repaired(text) else { throw error }
      (document, node) = try JSONDocument.parse(repaired, repairing: true)
    }
  }

  package init(parsing text: String) throws(JSONError) {
    try self.init(parsing: Array(text.utf8))
  }

  private init(_ document: JSONDocument, _ node: visitant_json_node) {
    self.document = document
    self.node = node
  }

  private var kind: visitant_json_kind { visitant_json_kind_of(node) }

  /// The member of an object; nil when it is absent or null, or when this is no object.
  package subscript(_ key: String) -> JSONNode? {
    var member = visitant_json_node()
    var copy = key
    let found = copy.withUTF8 { bytes in
      bytes.withMemoryRebound(to: CChar.self) {
        visitant_json_member(node, $0.baseAddress, bytes.count, &member)
      }
    }
    guard found, visitant_json_kind_of(member) != .VISITANT_JSON_NULL else { return nil }
    return JSONNode(document, member)
  }

  package var isObject: Bool { kind == .VISITANT_JSON_OBJECT }
  package var isArray: Bool { kind == .VISITANT_JSON_ARRAY }

  package var string: String? {
    guard kind == .VISITANT_JSON_STRING else { return nil }
    var length = 0
    guard let bytes = visitant_json_string(node, &length) else { return "" }
    return text(bytes, length)
  }

  /// A whole number; a fraction counts as absent.
  package var integer: Int? {
    switch kind {
    case .VISITANT_JSON_INTEGER: Int(visitant_json_integer(node))
    case .VISITANT_JSON_NUMBER: Int(exactly: visitant_json_number(node))
    default: nil
    }
  }

  package var number: Double? {
    switch kind {
    case .VISITANT_JSON_INTEGER: Double(visitant_json_integer(node))
    case .VISITANT_JSON_NUMBER: visitant_json_number(node)
    default: nil
    }
  }

  package var bool: Bool? {
    if kind == .VISITANT_JSON_BOOL { return visitant_json_bool(node) }
    switch integer {
    case 0: return false
    case 1: return true
    default: return nil
    }
  }

  /// The elements of an array, in order; none when this is no array.
  package var elements: [JSONNode] {
    isArray ? children.map(\.value) : []
  }

  /// The members of an object, in order, nulls included; none when this is no object.
  package var members: [(key: String, value: JSONNode)] {
    isObject ? children : []
  }

  private var children: [(key: String, value: JSONNode)] {
    var collector = Collector(document: document)
    withUnsafeMutablePointer(to: &collector) { pointer in
      visitant_json_each(node, pointer) { context, key, length, value in
        guard let collector = context?.assumingMemoryBound(to: Collector.self) else { return }
        let name = key.map { text($0, length) } ?? ""
        collector.pointee.children.append((name, JSONNode(collector.pointee.document, value)))
      }
    }
    return collector.children
  }

  private struct Collector {
    let document: JSONDocument
    var children: [(key: String, value: JSONNode)] = []
  }

  /// A copy that outlives the document.
  package var value: JSONValue {
    switch kind {
    case .VISITANT_JSON_NULL: .null
    case .VISITANT_JSON_BOOL: .bool(visitant_json_bool(node))
    case .VISITANT_JSON_INTEGER: .integer(Int(visitant_json_integer(node)))
    case .VISITANT_JSON_NUMBER: .number(visitant_json_number(node))
    case .VISITANT_JSON_STRING: .string(string ?? "")
    case .VISITANT_JSON_ARRAY: .array(children.map(\.value.value))
    case .VISITANT_JSON_OBJECT: .object(children.map { JSONValue.Member($0.key, $0.value.value) })
    }
  }
}

/// Text that belongs to a document, copied out of it.
private func text(_ bytes: UnsafePointer<CChar>, _ length: Int) -> String {
  UnsafeBufferPointer(start: bytes, count: length).withMemoryRebound(to: UInt8.self) {
    String(decoding: $0, as: UTF8.self)
  }
}

/// Owns what simdjson parsed; freed with the last node.
private final class JSONDocument {
  private let document: OpaquePointer

  private init(_ document: OpaquePointer) {
    self.document = document
  }

  deinit { visitant_json_free(document) }

  static func parse(
    _ text: [UInt8], repairing: Bool
  ) throws(JSONError) -> (JSONDocument, visitant_json_node) {
    var document: OpaquePointer?
    var root = visitant_json_node()
    let status = text.withUnsafeBufferPointer {
      visitant_json_parse($0.baseAddress, $0.count, &document, &root)
    }
    switch status {
    case .VISITANT_JSON_OK:
      guard let document else { throw .outOfMemory }
      return (JSONDocument(document), root)
    case .VISITANT_JSON_NOT_UTF8:
      guard repairing else { throw .malformed }
      return try parse(Array(String(decoding: text, as: UTF8.self).utf8), repairing: false)
    case .VISITANT_JSON_MALFORMED: throw .malformed
    case .VISITANT_JSON_NO_MEMORY: throw .outOfMemory
    }
  }
}
