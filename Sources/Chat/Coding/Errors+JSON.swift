package import JSON

extension ActionError: JSONCoded {
  package func write(to writer: inout JSONWriter, shape: JSONShape) {
    writer.object {
      $0.member("code", code)
      $0.member(optional: "server_code", serverCode)
      $0.member("action", action)
      $0.member(optional: "detail", detail)
      if shape == .script { $0.member("message", description) }
    }
  }

  package init?(json: JSONNode) {
    guard let code = json["code"]?.string, let action = json["action"]?.string else { return nil }
    self.init(
      code: code, serverCode: json["server_code"]?.string, action: action, detail: json["detail"]?.string)
  }
}

extension SessionError: JSONCoded {
  package func write(to writer: inout JSONWriter, shape: JSONShape) {
    writer.object {
      $0.member("code", code.rawValue)
      $0.member("server_code", serverCode)
      if shape == .script { $0.member("message", description) }
    }
  }

  package init?(json: JSONNode) {
    guard let code: Code = json.word("code") else { return nil }
    self.init(code: code, serverCode: json["server_code"]?.string ?? "")
  }
}
