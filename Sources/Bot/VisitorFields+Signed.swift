internal import Chat
internal import JSON

/// A journal holds no signed fields: they are taken out of ``BotInput/fields(_:)`` before it is kept, and put
/// in again when it is replayed, from what the user gives anew. What the service has told otherwise stays.
///
///     {"fields":{"phone":"1","name":"Nora"}}  <->  {"fields":{"name":"Nora"},"hidden_fields":["phone"]}
extension VisitorFields {
  private static let nameMark = "hidden_name"
  private static let fieldsMark = "hidden_fields"

  /// The changed fields for the journal: values that the signed fields hold are named and not told.
  package static func hidingSigned(_ changes: [UInt8], signed: [String: String]) -> [UInt8] {
    guard var members = try? JSONNode(parsing: changes).value.members else { return changes }
    if let name = signed["name"], let index = members.firstIndex(where: { $0.key == "name" }),
      members[index].value == .string(name)
    {
      members[index] = .init(nameMark, .bool(true))
    }
    if let index = members.firstIndex(where: { $0.key == "fields" }) {
      let fields = members[index].value.members
      let hidden = fields.filter { field in signed[field.key].map { field.value == .string($0) } ?? false }
      members[index] = .init("fields", .object(fields.filter { !hidden.contains($0) }))
      members.append(.init(fieldsMark, .array(hidden.map { .string($0.key) })))
    }
    return JSONValue.object(members).bytes
  }

  /// The changed fields as they were before ``hidingSigned(_:signed:)``.
  package static func showingSigned(_ changes: [UInt8], signed: [String: String]) -> [UInt8] {
    guard var members = try? JSONNode(parsing: changes).value.members else { return changes }
    let hidden = members.first { $0.key == fieldsMark }?.value.elements.compactMap(\.string) ?? []
    members.removeAll { $0.key == fieldsMark }
    for index in members.indices {
      switch members[index].key {
      case nameMark: members[index] = .init("name", signed["name"].map { .string($0) } ?? .null)
      case "fields":
        let again = hidden.compactMap { key in signed[key].map { JSONValue.Member(key, .string($0)) } }
        let fields = members[index].value.members + again
        members[index] = .init("fields", .object(fields.sorted { $0.key < $1.key }))
      default: break
      }
    }
    return JSONValue.object(members).bytes
  }

  /// In the order of the keys.
  static func object(_ profile: [String: String]) -> JSONValue {
    .object(profile.sorted { $0.key < $1.key }.map { JSONValue.Member($0.key, .string($0.value)) })
  }
}
