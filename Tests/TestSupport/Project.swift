/// The project that the tests belong to.
package enum Project {
  package static let folder = #filePath.split(separator: "/").dropLast(3).reduce("") { "\($0)/\($1)" }

  /// The path of one of its files, such as `bots/rater.lua`.
  package static func path(_ name: String) -> String { folder + "/" + name }
}
