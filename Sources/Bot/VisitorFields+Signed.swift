internal import Chat
internal import JSON

/// A journal holds no signed fields: they are taken out of ``BotInput/fields(_:)`` before it is kept, and put
/// in again when it is replayed, from what the user gives anew.
extension VisitorFields {
  private static let signed = ["name", "fields"]
  private static let mark = "hidden"

  /// The changed fields for the journal: what comes from signed fields is named and not told.
  package static func hidingSigned(_ changes: [UInt8]) -> [UInt8] {
    guard let members = try? JSONNode(parsing: changes).value.members else { return changes }
    let hidden = members.map(\.key).filter(signed.contains)
    guard !hidden.isEmpty else { return changes }
    let kept = members.filter { !hidden.contains($0.key) }
    return JSONValue.object(kept + [.init(mark, .array(hidden.map { .string($0) }))]).bytes
  }

  /// The changed fields as they were before ``hidingSigned(_:)``.
  ///
  /// - Parameters:
  ///   - profile: The signed fields.
  ///   - name: What the visitor is called when the fields have no name.
  package static func showingSigned(_ changes: [UInt8], profile: [String: String], name: String?) -> [UInt8] {
    guard let members = try? JSONNode(parsing: changes).value.members,
      let hidden = members.first(where: { $0.key == mark })?.value.elements.compactMap(\.string)
    else { return changes }
    let shown = members.filter { $0.key != mark }
    return JSONValue.object(
      shown
        + hidden.map { key in
          .init(key, key == "name" ? (profile["name"] ?? name).map { .string($0) } ?? .null : object(profile))
        }
    ).bytes
  }

  /// In the order of the keys.
  static func object(_ profile: [String: String]) -> JSONValue {
    .object(profile.sorted { $0.key < $1.key }.map { JSONValue.Member($0.key, .string($0.value)) })
  }
}
