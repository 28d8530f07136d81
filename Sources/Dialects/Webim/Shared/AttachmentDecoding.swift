internal import Chat
internal import JSON

extension Attachment {
  /// The files of a message's text: one description or an array of them, unusable ones left out.
  static func list(text: String, state: String) -> [Attachment] {
    // A text that is no JSON describes no file; that is the answer, not an error.
    guard let node = try? JSONNode(parsing: text) else { return [] }
    return (node.isArray ? node.elements : [node]).compactMap { Attachment(wire: $0, state: state) }
  }

  /// A missing or unlisted state is `ready`.
  static func state(wire: String?) -> String {
    switch wire {
    case "upload", "error", "external_checks": wire ?? "ready"
    default: "ready"
    }
  }

  /// A file that is still being processed: members that are missing stay empty.
  init(processing description: JSONNode?, state: String) {
    self.init(
      guid: description?["guid"]?.string ?? "", fileName: description?["filename"]?.string ?? "",
      contentType: description?["content_type"]?.string ?? "", size: description?["size"]?.integer ?? 0,
      state: state)
  }

  private init?(wire node: JSONNode, state: String) {
    guard let guid = node["guid"]?.string, let fileName = node["filename"]?.string,
      let contentType = node["content_type"]?.string
    else { return nil }
    self.init(
      guid: guid, fileName: fileName, contentType: contentType, size: node["size"]?.integer, state: state)
    imageWidth = node["image"]?["size"]?["width"]?.integer
    imageHeight = node["image"]?["size"]?["height"]?.integer
  }
}
