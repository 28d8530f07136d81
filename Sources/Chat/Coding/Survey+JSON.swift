package import JSON

extension Survey: JSONCoded {
  package func write(to writer: inout JSONWriter, shape: JSONShape) {
    writer.object {
      $0.member("id", id)
      $0.member("config_id", configID)
      $0.member("version", version)
      $0.member("forms", forms, shape)
      $0.member("current", current, shape)
    }
  }

  package init?(json: JSONNode) {
    guard let id = json["id"]?.string, let current: Position = json.decoded("current") else { return nil }
    self.init(
      id: id, configID: json["config_id"]?.integer ?? 0, version: json["version"]?.string ?? "",
      forms: json.list("forms"), current: current)
  }
}

extension Survey.Form: JSONCoded {
  package func write(to writer: inout JSONWriter, shape: JSONShape) {
    writer.object {
      $0.member("id", id)
      $0.member("questions", questions, shape)
    }
  }

  package init?(json: JSONNode) {
    guard let id = json["id"]?.integer else { return nil }
    self.init(id: id, questions: json.list("questions"))
  }
}

extension Survey.Question: JSONCoded {
  package func write(to writer: inout JSONWriter, shape: JSONShape) {
    writer.object {
      $0.member("type", kind.rawValue)
      $0.member("text", text)
      $0.member("options") { writer in writer.array { for option in options { $0.value(option) } } }
    }
  }

  package init?(json: JSONNode) {
    guard let kind: Kind = json.word("type"), let text = json["text"]?.string else { return nil }
    self.init(kind: kind, text: text, options: json["options"]?.elements.compactMap(\.string) ?? [])
  }
}

extension Survey.Position: JSONCoded {
  package func write(to writer: inout JSONWriter, shape: JSONShape) {
    writer.object {
      $0.member("form_id", formID)
      $0.member("question_id", question)
    }
  }

  package init?(json: JSONNode) {
    guard let form = json["form_id"]?.integer, let question = json["question_id"]?.integer else { return nil }
    self.init(formID: form, question: question)
  }
}
