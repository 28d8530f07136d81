package import JSON

/// For whom a value is written.
package enum JSONShape: Sendable {
  /// For scripts and for people who read JSON: structured data stands as JSON, the raw wire object is left
  /// out.
  case script
  /// For the store and the journal: all of it, exactly.
  case store
}

/// A part of the model that stands in JSON, with one set of names for scripts, the store and the command
/// line.
package protocol JSONCoded {
  func write(to writer: inout JSONWriter, shape: JSONShape)
  /// nil when a member that must be there is absent; a value written for the store comes back equal.
  init?(json: JSONNode)
}

extension JSONCoded {
  package func write(to writer: inout JSONWriter) {
    write(to: &writer, shape: .store)
  }

  /// The value alone, as compact JSON.
  package func json(_ shape: JSONShape = .store) -> [UInt8] {
    var writer = JSONWriter()
    write(to: &writer, shape: shape)
    return writer.bytes
  }
}
