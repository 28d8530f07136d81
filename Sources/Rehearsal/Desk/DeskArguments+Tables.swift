import Chat
import Dialects
import JSON
import Script

/// The tables that words of a desk take.
extension DeskArguments {
  /// Rows of buttons, as the prelude has put them in order.
  func keyboardRows(_ value: JSONValue) throws(ScriptError) -> [[Button]] {
    var rows: [[Button]] = []
    for row in value.elements {
      var buttons: [Button] = []
      for element in row.elements { buttons.append(try button(element)) }
      if !buttons.isEmpty { rows.append(buttons) }
    }
    guard !rows.isEmpty else { throw refusal("a keyboard needs a button") }
    return rows
  }

  private func button(_ value: JSONValue) throws(ScriptError) -> Button {
    guard let text = value["text"]?.string else { throw refusal("a button needs a text") }
    let kind: Button.Kind =
      if let link = value["link"]?.string {
        .url(link)
      } else if let insert = value["insert"]?.string {
        .insert(insert)
      } else {
        .plain
      }
    var button = Button(id: value["id"]?.reference ?? text, text: text, kind: kind)
    if let isActive = value["active"]?.bool { button.isActive = isActive }
    if let hides = value["hide_after_response"]?.bool { button.hidesAfterResponse = hides }
    return button
  }

  /// The id of a button of a keyboard's message, given by its object, its id or its text.
  func buttonID(_ index: Int, of messageID: String) throws(ScriptError) -> String {
    let word = try id(index, "button")
    guard let buttons = service.message(messageID)?.keyboard?.buttons else { return word }
    if buttons.contains(where: { $0.id == word }) { return word }
    let named = buttons.filter { $0.text == word }
    guard let button = named.first else {
      throw unknown("button", word, among: buttons.flatMap { [$0.id, $0.text] }, otherwise: nil)
    }
    guard named.count == 1 else {
      let ids = named.map(\.id).joined(separator: "\", \"")
      throw refusal("two buttons are called \"\(word)\": \"\(ids)\"", code: "ambiguous_button")
    }
    return button.id
  }

  /// A list of forms, or of questions that make one form.
  func surveyForms(_ value: JSONValue) throws(ScriptError) -> [DeskForm] {
    let elements = value.elements
    guard let first = elements.first else { throw refusal("a survey needs a form") }
    if first["questions"] == nil {
      return [DeskForm(handle: "survey", questions: try questions(elements))]
    }
    var forms: [DeskForm] = []
    for (index, form) in elements.enumerated() {
      let handle = form["form"]?.string ?? "form \(index + 1)"
      forms.append(DeskForm(handle: handle, questions: try questions(form["questions"]?.elements ?? [])))
    }
    return forms
  }

  private func questions(_ values: [JSONValue]) throws(ScriptError) -> [Survey.Question] {
    var questions: [Survey.Question] = []
    for value in values {
      guard let text = value["text"]?.string else { throw refusal("a question needs a text") }
      let kind: Survey.Question.Kind = try word(value["type"]?.string ?? "comment", "type of question")
      let options = value["options"]?.elements.compactMap(\.reference) ?? []
      if kind == .radio, options.isEmpty { throw refusal("the radio question \"\(text)\" needs options") }
      questions.append(Survey.Question(kind: kind, text: text, options: options))
    }
    guard !questions.isEmpty else { throw refusal("a form needs a question") }
    return questions
  }

  func departments(_ value: JSONValue) throws(ScriptError) -> [Department] {
    var departments: [Department] = []
    for (index, element) in value.elements.enumerated() {
      guard let key = element["key"]?.string else { throw refusal("a department needs a key") }
      let status: OnlineStatus = try word(element["online"]?.string ?? "online", "online status")
      departments.append(
        Department(
          key: key, name: element["name"]?.string ?? key, onlineStatus: status,
          order: element["order"]?.integer ?? 100 - index))
    }
    return departments
  }

  func fields(_ value: JSONValue) -> [String: String] {
    var fields: [String: String] = [:]
    for member in value.members { fields[member.key] = member.value.reference }
    return fields
  }
}
