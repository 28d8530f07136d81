/// Whom to visit: an account's name or a service's URL, and what it is called in the store.
package struct Account: Hashable, Sendable {
  /// The base URL, without a slash at its end.
  package let url: String

  /// Reads an account as the handbooks do: what contains `://` is a URL, anything else a name at Webim
  /// (the protocol's section 1.1).
  package init(_ text: String) {
    guard text.contains("://") else {
      url = "https://\(text).webim.ru"
      return
    }
    url = text.hasSuffix("/") ? String(text.dropLast()) : text
  }
}
