import Chat
import Dialects
import JSON
import Script

/// Reads what a desk's script gave to a word: things by their object, id or name, tables by their members.
struct DeskArguments {
  let call: ScriptCall
  let service: WebimService

  var chat: WebimService.ChatID { call.subject }

  func text(_ index: Int, _ name: String) throws(ScriptError) -> String {
    guard let text = optionalText(index) else { throw missing(name, "a text") }
    return text
  }

  func optionalText(_ index: Int) -> String? {
    switch call[index] {
    case .string(let text): text
    case .integer(let number): String(number)
    default: nil
    }
  }

  func number(_ index: Int, _ name: String) throws(ScriptError) -> Double {
    guard let number = call[index].number else { throw missing(name, "a number") }
    return number
  }

  func flag(_ index: Int, default fallback: Bool) -> Bool { call[index].bool ?? fallback }

  /// The id of a thing that is given by its table or by the id itself.
  func id(_ index: Int, _ name: String) throws(ScriptError) -> String {
    guard let id = call[index].reference else { throw missing(name, "an object or its id") }
    return id
  }

  func optionalID(_ index: Int) -> String? { call[index].reference }

  /// The handle of an operator that the desk knows.
  func operatorHandle(_ value: JSONValue, _ name: String) throws(ScriptError) -> String {
    guard let word = value.reference else { throw missing(name, "an operator or its id") }
    guard let known = service.operator(word) else {
      let mend = "make it known with desk:operator{ id = \"\(word)\" }"
      throw unknown("operator", word, among: service.operatorHandles, otherwise: mend)
    }
    return known.handle
  }

  func visitorID(_ index: Int) throws(ScriptError) -> String {
    let id = try id(index, "visitor")
    guard service.visitor(id) != nil else {
      throw unknown("visitor", id, among: service.deskVisitors.suffix(1_000).map(\.id), otherwise: nil)
    }
    return id
  }

  /// A member of a closed list of words.
  func word<Word: CaseIterable & RawRepresentable<String>>(
    _ text: String, _ what: String, _ type: Word.Type = Word.self
  ) throws(ScriptError) -> Word {
    guard let word = Word(rawValue: text) else {
      throw unknown(what, text, among: Word.allCases.map(\.rawValue), otherwise: nil)
    }
    return word
  }

  // MARK: Refusals

  /// - Parameter kind: With its article.
  func missing(_ name: String, _ kind: String) -> ScriptError {
    let noun = kind.split(separator: " ", maxSplits: 1).last ?? ""
    return refusal("\(name) is missing or no \(noun)")
  }

  func refusal(_ problem: String, code: String = "bad_argument") -> ScriptError {
    ScriptError(code: code, action: call.word, message: "\(call.word): \(problem)")
  }

  func unknown(
    _ what: String, _ word: String, among known: [String], otherwise: String?
  ) -> ScriptError {
    let nearest = NearestWord.find(word, among: known).map { "did you mean \"\($0)\"?" }
    let mend = (nearest ?? otherwise).map { "; \($0)" } ?? ""
    let code = "unknown_\(what.split(separator: " ").joined(separator: "_"))"
    return refusal("there is no \(what) \"\(word)\"\(mend)", code: code)
  }
}
