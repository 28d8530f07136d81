/// Limits of texts count Unicode scalars, as databases do: an accent that stands apart counts, and so does
/// each part of a joined emoji.
extension String {
  var scalarCount: Int { unicodeScalars.count }

  /// The beginning, not longer than a limit.
  func cut(to limit: Int) -> String {
    String(unicodeScalars.prefix(max(0, limit)))
  }
}
