/// Who plays the service's side.
package enum DeskSource: Equatable, Sendable {
  /// The short conversation that is part of the program.
  case builtIn
  /// A desk file: its text, what errors call it, and the folder where its `require` and `visitant.read` look.
  case script(source: [UInt8], name: String, folder: String?)
}
