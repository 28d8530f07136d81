internal import Chat
internal import JSON

extension Survey {
  /// nil when a needed member is missing: a running survey goes on (the protocol's section 7.1).
  init?(wire node: JSONNode) {
    guard let id = node["id"]?.string, let configID = node["config"]?["id"]?.integer,
      let forms = node["config"]?["descriptor"]?["forms"], forms.isArray,
      let form = node["current_question"]?["form_id"]?.integer,
      let question = node["current_question"]?["question_id"]?.integer
    else { return nil }
    self.init(
      id: id, configID: configID, version: node["config"]?["version"]?.string ?? "",
      forms: forms.elements.compactMap(Form.init(wire:)),
      current: Position(formID: form, question: question))
  }
}

extension Survey.Form {
  init?(wire node: JSONNode) {
    guard let id = node["id"]?.integer, let questions = node["questions"], questions.isArray else {
      return nil
    }
    self.init(id: id, questions: questions.elements.compactMap(Survey.Question.init(wire:)))
  }
}

extension Survey.Question {
  /// A type that is not listed asks for a comment.
  init?(wire node: JSONNode) {
    guard let text = node["text"]?.string else { return nil }
    self.init(
      kind: node["type"]?.string.flatMap(Kind.init(rawValue:)) ?? .comment, text: text,
      options: (node["options"]?.elements ?? []).compactMap(\.string))
  }
}
