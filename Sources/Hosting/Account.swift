/// Whom to visit: an account's name or a service's URL, and what it is called in the store.
package struct Account: Hashable, Sendable {
  /// The base URL, without a slash at its end.
  package let url: String

  /// Reads an account as the handbooks do: what contains `://` is a URL, anything else a name at Webim
  /// (the protocol's section 1.1).
  ///
  /// - Throws: ``AccountError`` for a URL that nobody can be visited at, or that carries a secret.
  package init(_ text: String) throws(AccountError) {
    guard let scheme = text.firstRange(of: "://") else {
      guard !text.isEmpty, text.utf8.allSatisfy(Self.isNamePart) else {
        throw AccountError(
          text: text, fault: "a name has letters, digits and hyphens, a URL begins with http:// or https://")
      }
      url = "https://\(text).webim.ru"
      return
    }
    guard ["http", "https"].contains(text[..<scheme.lowerBound]) else {
      throw AccountError(text: text, fault: "a service is reached by http:// or https://")
    }
    let authority = text[scheme.upperBound...].prefix { $0 != "/" && $0 != "?" && $0 != "#" }
    guard !authority.contains("@") else {
      throw AccountError(
        text: "", fault: "a URL must not carry a user and password: they would be shown and stored")
    }
    guard Self.isHost(authority) else {
      throw AccountError(
        text: text, fault: "after the scheme stand a host and, if need be, a port from 1 to 65535")
    }
    guard !text[scheme.upperBound...].contains(where: { $0 == "?" || $0 == "#" || $0.isWhitespace }) else {
      throw AccountError(text: text, fault: "behind the host of a service stands a path at most")
    }
    url = text.hasSuffix("/") ? String(text.dropLast()) : text
  }

  private static func isHost(_ authority: Substring) -> Bool {
    let isAddress = authority.hasPrefix("[")
    let host = isAddress ? authority.dropFirst().prefix { $0 != "]" } : authority.prefix { $0 != ":" }
    var rest = authority.dropFirst(host.count + (isAddress ? 1 : 0))
    if isAddress {
      guard rest.popFirst() == "]", host.contains(":") else { return false }
    }
    let isPlain = host.utf8.allSatisfy { isNamePart($0) || $0 == UInt8(ascii: ".") || $0 >= 0x80 }
    let isNumeric = host.utf8.allSatisfy { isNamePart($0) || ".:%".utf8.contains($0) }
    return !host.isEmpty && (isAddress ? isNumeric : isPlain)
      && (rest.isEmpty || rest.hasPrefix(":") && isPort(rest.dropFirst()))
  }

  private static func isPort(_ text: Substring) -> Bool {
    text.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
      && Int(text).map { (1...65_535).contains($0) } ?? false
  }

  private static func isNamePart(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
      true
    default: false
    }
  }
}

/// Why an account cannot be visited.
package struct AccountError: Error, Equatable, Sendable, CustomStringConvertible {
  /// Empty where it holds a secret.
  package let text: String
  package let fault: String

  package var description: String { text.isEmpty ? fault : "\(text): \(fault)" }
}
