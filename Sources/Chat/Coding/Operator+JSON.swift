package import JSON

extension Operator: JSONCoded {
  package func write(to writer: inout JSONWriter, shape: JSONShape) {
    writer.object {
      $0.member("id", id)
      $0.member("name", name)
      $0.member(optional: "avatar", avatar)
      $0.member(optional: "title", title)
      $0.member(optional: "info", info)
      $0.member(optional: "robot_type", robotType)
    }
  }

  package init?(json: JSONNode) {
    guard let id = json["id"]?.string, let name = json["name"]?.string else { return nil }
    self.init(id: id, name: name)
    avatar = json["avatar"]?.string
    title = json["title"]?.string
    info = json["info"]?.string
    robotType = json["robot_type"]?.string
  }
}

extension Department: JSONCoded {
  package func write(to writer: inout JSONWriter, shape: JSONShape) {
    writer.object {
      $0.member("key", key)
      $0.member("name", name)
      $0.member("online_status", onlineStatus.rawValue)
      $0.member("order", order)
      $0.member("localized_names", localizedNames)
      $0.member(optional: "logo", logo)
    }
  }

  package init?(json: JSONNode) {
    guard let key = json["key"]?.string, let name = json["name"]?.string else { return nil }
    self.init(
      key: key, name: name, onlineStatus: json.word("online_status") ?? .unknown,
      order: json["order"]?.integer ?? 0)
    localizedNames = json["localized_names"]?.texts ?? [:]
    logo = json["logo"]?.string
  }
}

extension VisitorProfile: JSONCoded {
  package func write(to writer: inout JSONWriter, shape: JSONShape) {
    writer.object {
      $0.member("id", id)
      $0.member("fields", fields)
    }
  }

  package init?(json: JSONNode) {
    guard let id = json["id"]?.string else { return nil }
    self.init(id: id, fields: json["fields"]?.texts ?? [:])
  }
}
