import JSON
import Script

/// `desk:fault{ … }`.
extension DeskArguments {
  func fault() throws(ScriptError) -> Fault {
    var fault = Fault()
    fault.on = try target(call["on"]?.string ?? "*")
    fault.chance = try option("chance", 1, in: 0...1)
    fault.delay = try option("delay", 0, in: 0...86_400)
    fault.after = Int(try option("after", 0, in: 0...1e9))
    fault.times = call["times"] == nil ? nil : Int(try option("times", 1, in: 0...1e9))
    fault.seed = call["seed"]?.integer.map { UInt64(bitPattern: Int64($0)) }
    fault.harm = try harm()
    if fault.harm == .none, fault.delay == 0 {
      throw refusal("the fault does nothing; give it a status, error, body, drop, cut or delay")
    }
    return fault
  }

  /// `*`, an endpoint, `action:` and an action, or the action alone.
  private func target(_ text: String) throws(ScriptError) -> Fault.Target {
    if text == "*" { return Fault.Target() }
    let parts = text.split(separator: ":", maxSplits: 1).map(String.init)
    if parts.count == 2, parts[0] == Endpoint.action.rawValue {
      return Fault.Target(endpoint: .action, action: parts[1])
    }
    if Endpoint(rawValue: text) == nil, text.contains(".") {
      return Fault.Target(endpoint: .action, action: text)
    }
    return Fault.Target(endpoint: try word(text, "endpoint"))
  }

  private func harm() throws(ScriptError) -> Fault.Harm {
    let answers = call["status"] != nil || call["error"] != nil || call["body"] != nil
    let isCut = call["cut"]?.bool ?? false
    let ways = [answers, isCut, call["drop"] != nil].filter { $0 }.count
    guard ways <= 1 else {
      throw refusal("drop, cut and an answer of your own (status, error, body) exclude one another")
    }
    if isCut { return .cut }
    if let drop = call["drop"]?.string { return try word(drop, "drop", Drop.self).harm }
    guard answers else { return .none }
    return answer(
      accepts: call["accept"]?.bool ?? false, status: Int(try option("status", 200, in: 200...599)))
  }

  private func answer(accepts: Bool, status: Int) -> Fault.Harm {
    var body = call["body"]?.string ?? ""
    if let error = call["error"]?.string {
      body = JSONValue.object([.init("error", .string(error))]).text
    }
    return accepts ? .replaceAnswer(status: status, body: body) : .answer(status: status, body: body)
  }

  private func option(
    _ name: String, _ fallback: Double, in range: ClosedRange<Double>
  ) throws(ScriptError) -> Double {
    guard let value = call[name] else { return fallback }
    guard let number = value.number, range.contains(number) else {
      throw refusal("\(name) is not between \(range.lowerBound) and \(range.upperBound)")
    }
    return number
  }

  private enum Drop: String, CaseIterable {
    case before
    case afterAccept = "after_accept"

    var harm: Fault.Harm { self == .before ? .dropBefore : .dropAfterAccept }
  }
}
