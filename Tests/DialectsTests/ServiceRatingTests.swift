import Chat
import Dialects
import JSON
import Testing

@Suite struct ServiceRatingTests {
  /// What the request says beside `rate`, and the refusal.
  @Test(
    arguments: [
      ([("rate", "2")], nil), ([("rate", "-2"), ("operator_id", "501")], nil),
      ([("rate", "0"), ("thread_id", "1"), ("visitor_note", "fine")], nil),
      ([], "argument-missing"), ([("rate", "many")], "wrong-argument-value"),
      ([("rate", "3")], "rate-value-incorrect"), ([("rate", "-3")], "rate-value-incorrect"),
      ([("rate", "1"), ("operator_id", "502")], "operator-not-in-chat"),
      ([("rate", "1"), ("operator_id", "999")], "wrong-operator-id"),
      ([("rate", "1"), ("operator_id", "anna")], "wrong-operator-id"),
      ([("rate", "1"), ("thread_id", "7")], "no-chat"),
      ([("rate", "1"), ("thread_id", "x")], "wrong-argument-value"),
      ([("rate", "1"), ("visitor_note", "123456")], "note-is-too-long"),
    ] as [([(String, String)], String?)])
  func `a rating is taken or refused by name`(parameters: [(String, String)], code: String?) {
    var bench = ServiceBench { $0.maxNoteLength = 5 }
    var page = bench.enter()
    let chat = page.chat(with: "anna", in: &bench)
    bench.desk(.defineOperator(handle: "boris", name: "Boris", title: nil, avatar: nil, robotType: nil))
    #expect(page.action("chat.operator_rate_select", parameters, in: &bench)["error"]?.string == code)
    let rate = page.changes(in: &bench).data("OPERATOR_RATE")
    guard code == nil, let value = parameters.first.flatMap({ Int($0.1) }) else {
      #expect(rate == nil)
      return #expect(bench.service.statistics.ratings == 0)
    }
    #expect(rate == ["operatorId": 501, "rating": .integer(value)])
    guard case .rated(chat, let rated, let stars, _)? = bench.takeEvents().last else {
      Issue.record("the desk was not told")
      return
    }
    #expect(rated.handle == "anna")
    #expect(stars == value + 3)
    #expect(
      bench.enter().full["chat"]?["operatorIdToRate"] == [
        "501": ["operatorId": 501, "rating": .integer(value)]
      ])
  }

  @Test(
    arguments: [
      ("no chat", "no-chat"), ("queue", "operator-not-in-chat"), ("closed by the operator", nil),
      ("closed", nil),
      ("handed over", nil), ("opened again", nil), ("switched off", "rate-disabled"),
    ] as [(String, String?)])
  func `whether a rating is taken depends on the chat`(situation: String, code: String?) {
    var bench = ServiceBench()
    var page = bench.enter()
    if situation != "no chat" {
      let chat = page.chat(with: situation == "queue" ? nil : "anna", in: &bench)
      switch situation {
      case "closed by the operator": bench.desk(.close(chat, isFinal: false))
      case "closed": bench.desk(.close(chat, isFinal: true))
      case "handed over":
        bench.desk(.defineOperator(handle: "boris", name: "Boris", title: nil, avatar: nil, robotType: nil))
        bench.desk(.accept(chat, operator: "boris"))
      case "opened again":
        bench.desk(.close(chat, isFinal: false))
        _ = page.action("chat.start", [("client-side-id", "again")], in: &bench)
      case "switched off": bench.desk(.accountConfig(key: "rate_operator", value: false))
      default: break
      }
    }
    var parameters = [("rate", "1")]
    // After a hand-over both may be rated.
    if situation == "handed over" { parameters.append(("operator_id", "501")) }
    #expect(page.action("chat.operator_rate_select", parameters, in: &bench)["error"]?.string == code)
    let answer = parameters.map { $0.0 == "rate" ? ("answer", "1") : $0 } + [("operator_id", "501")]
    let resolution = page.action("chat.resolution_survey_select", answer, in: &bench)["error"]?.string
    #expect(resolution == (situation == "queue" ? "wrong-operator-id" : code))
  }

  @Test func `a repeated rating is confirmed again but counted once, a changed one twice`() {
    var bench = ServiceBench()
    var page = bench.enter()
    _ = page.chat(with: "anna", in: &bench)
    _ = bench.takeEvents()
    for rate in ["2", "2", "1"] {
      _ = page.action("chat.operator_rate_select", [("rate", rate)], in: &bench)
      #expect(page.changes(in: &bench).types == ["OPERATOR_RATE"])
    }
    #expect(bench.takeEvents().count == 2)
    #expect(bench.service.statistics.ratings == 2)
    #expect(bench.service.statistics.repeats == 1)
  }

  @Test func `a rating that is asked for stands in the chat without a value`() {
    var bench = ServiceBench()
    var page = bench.enter()
    let chat = page.chat(with: "anna", in: &bench)
    bench.desk(.requestRating(chat, operator: nil, text: "How was I?"))
    let changes = page.changes(in: &bench)
    #expect(changes.messages.first?["text"]?.string == "How was I?")
    #expect(changes.data("CHAT")?["operatorIdToRate"] == ["501": ["operatorId": 501]])
    _ = page.action("chat.operator_rate_select", [("rate", "2")], in: &bench)
    #expect(bench.enter().full["chat"]?["operatorIdToRate"]?["501"]?["rating"]?.integer == 2)
  }

  @Test(
    arguments: [
      ([("operator_id", "501"), ("answer", "1")], nil), ([("operator_id", "501"), ("answer", "0")], nil),
      ([("answer", "1")], "argument-missing"), ([("operator_id", "501")], "argument-missing"),
      ([("operator_id", "501"), ("answer", "2")], "resolution-survey-value-incorrect"),
      ([("operator_id", "x"), ("answer", "1")], "wrong-operator-id"),
      ([("operator_id", "501"), ("answer", "1"), ("thread_id", "9")], "no-chat"),
    ] as [([(String, String)], String?)])
  func `the question whether it was solved is answered or refused by name`(
    parameters: [(String, String)], code: String?
  ) {
    var bench = ServiceBench()
    var page = bench.enter()
    let chat = page.chat(with: "anna", in: &bench)
    for _ in 0..<2 {
      #expect(page.action("chat.resolution_survey_select", parameters, in: &bench)["error"]?.string == code)
    }
    guard code == nil else { return #expect(page.changes(in: &bench).isEmpty) }
    let answer = parameters.contains { $0.1 == "1" }
    #expect(page.changes(in: &bench).data("OPERATOR_RATE") == ["operatorId": 501, "answer": answer ? 1 : 0])
    guard case .resolved(chat, _, answer)? = bench.takeEvents().last else {
      Issue.record("the desk was not told")
      return
    }
    #expect(bench.service.statistics.resolutions == 1)
    #expect(
      bench.enter().full["chat"]?["operatorIdToResolutionSurvey"]?["501"]?["answer"]?.integer
        == (answer ? 1 : 0))
  }
}
