/// One word of a script's vocabulary: a row gives the method, its checks and its documentation.
package struct WordSpec: Equatable, Sendable {
  package enum Role: String, Sendable {
    /// Talks to the other side; a wait's cursor moves to where the action began.
    case action
    /// Asks the other side something: others go on meanwhile, and the cursor stays.
    case query
    /// The host answers at once: nothing else of the script runs meanwhile.
    case fetch
    /// A word that a later version will understand; saying it raises `not_supported`.
    case later
    /// What a prelude itself makes of other words.
    case prelude
  }

  package enum Kind: String, Sendable {
    case text, number, integer, boolean, table
    /// A table, a text or a number that names a thing: a message, a button, an operator.
    case reference
    /// Whatever JSON can say.
    case any
    /// A function of the script.
    case function
    /// The name of a listener.
    case event
    /// What a wait looks for: a table of criteria or a predicate; of an event that tells a state the state
    /// itself.
    case filter
    /// A list of filters, with the word's options in the same table.
    case filters
  }

  package struct Parameter: Equatable, Sendable {
    package var name: String
    package var kind: Kind
    package var isRequired: Bool
    /// What a text may be; empty for any text.
    package var values: [String]
    /// What a table holds; nil for any table.
    package var shape: TableShape?
    /// The objects that a function gets first, by their names in complaints, such as `visitor`.
    package var given: [String]

    package init(
      _ name: String, _ kind: Kind, isRequired: Bool = true, values: [String] = [],
      shape: TableShape? = nil, given: [String] = []
    ) {
      self.name = name
      self.kind = kind
      self.isRequired = isRequired
      self.values = values
      self.shape = shape
      self.given = given
    }
  }

  package var name: String
  /// The short name beside the long one.
  package var alias: String?
  package var role: Role
  package var parameters: [Parameter]
  /// The members of the optional table that ends the call; all are optional.
  package var options: [Parameter]
  /// One sentence for the handbook.
  package var summary: String

  package init(
    _ name: String, alias: String? = nil, role: Role = .action, _ parameters: [Parameter] = [],
    options: [Parameter] = [], summary: String
  ) {
    self.name = name
    self.alias = alias
    self.role = role
    self.parameters = parameters
    self.options = options
    self.summary = summary
  }
}
