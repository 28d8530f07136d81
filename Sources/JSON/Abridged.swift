extension String {
  /// The text, or its beginning with how much was cut off, where it is longer than a reader can use.
  ///
  /// Messages of errors are made of what scripts and services say, which may be megabytes. Done twice it cuts
  /// no further.
  ///
  /// - Parameter limit: The most bytes of UTF-8 in the result, with the note of what was cut; 100 at least.
  package func abridged(to limit: Int = 2_000) -> String {
    guard utf8.count > limit else { return self }
    var end = utf8.index(startIndex, offsetBy: max(100, limit) - 50)
    while end > startIndex, end.samePosition(in: unicodeScalars) == nil { end = utf8.index(before: end) }
    return "\(self[..<end])… (\(utf8[end...].count) more bytes)"
  }
}
