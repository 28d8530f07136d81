import Chat
import Dialects
import Script

/// What the tables that words of a desk take may hold.
enum DeskTables {
  static let button = TableShape.Record(
    "a button",
    [
      .init("text", .text), .init("id", .reference), .init("link", .text), .init("insert", .text),
      .init("active", .boolean), .init("hide_after_response", .boolean),
    ])

  static let question = TableShape.Record(
    "a question",
    [
      .init("type", .text, values: Survey.Question.Kind.allCases.map(\.rawValue)), .init("text", .text),
      .init("options", .table, shape: .texts),
    ])

  static let form = TableShape.Record(
    "a form", [.init("form", .text), .init("questions", .table, shape: .list([question]))])

  static let onlineStatuses = OnlineStatus.allCases.map(\.rawValue)

  static let department = TableShape.Record(
    "a department",
    [
      .init("key", .text), .init("name", .text), .init("online", .text, values: onlineStatuses),
      .init("order", .integer),
    ])

  static let account = TableShape.Record(
    "the account",
    WebimService.AccountConfig.keys.map { key in
      switch key.kind {
      case .flag: .init(key.name, .boolean)
      case .number: .init(key.name, .integer)
      case .text: .init(key.name, .text)
      }
    })
}
