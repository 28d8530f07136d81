/// A survey that the service runs with the visitor (the protocol's section 7).
package struct Survey: Equatable, Sendable {
  package var id: String
  package var configID: Int
  package var version: String
  package var forms: [Form]
  /// The question to show next.
  package var current: Position

  package struct Form: Equatable, Sendable {
    package var id: Int
    package var questions: [Question]

    package init(id: Int, questions: [Question]) {
      self.id = id
      self.questions = questions
    }
  }

  package struct Question: Equatable, Sendable {
    package enum Kind: String, Equatable, Sendable, CaseIterable {
      case stars
      case radio
      case comment
    }

    package var kind: Kind
    package var text: String
    package var options: [String]

    package init(kind: Kind, text: String, options: [String] = []) {
      self.kind = kind
      self.text = text
      self.options = options
    }
  }

  /// A question's place: the form's id and the question's index in it, counted from 0.
  package struct Position: Equatable, Sendable {
    package var formID: Int
    package var question: Int

    package init(formID: Int, question: Int) {
      self.formID = formID
      self.question = question
    }
  }

  package init(id: String, configID: Int, version: String, forms: [Form], current: Position) {
    self.id = id
    self.configID = configID
    self.version = version
    self.forms = forms
    self.current = current
  }
}
