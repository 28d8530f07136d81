/// Whose visit it is: a visitor of one account, over one dialect, at one location.
package struct VisitKey: Hashable, Sendable {
  package let account: String
  package let dialect: String
  package let location: String
  package let visitor: String

  package init(account: String, dialect: String, location: String, visitor: String) {
    self.account = account
    self.dialect = dialect
    self.location = location
    self.visitor = visitor
  }
}
