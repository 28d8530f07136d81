import CAllocations
import Glibc
import Hosting
import Script
import Transport

/// Measures what a visitor costs, and prints it as a table for the README.
///
/// The rehearsal is a process of its own, so that only visitors are counted; `wrk` puts the same rehearsal
/// under load in the same run, as a measure of the machine.
enum Bench {
  static func main() -> Int32 {
    Descriptors.raiseLimit()
    do {
      let desk = try Desk()
      defer { desk.stop() }
      print("| what | figure |\n| --- | --- |")
      try idleMemory(desk)
      try allocations(desk)
      try roundTrips(desk)
      return 0
    } catch {
      print("visitant-bench: \(error)")
      return 1
    }
  }

  private static func row(_ what: String, _ figure: String) {
    print("| \(what) | \(figure) |")
    fflush(nil)
  }

  // MARK: Memory

  private static let idleBot = "return { on_message = function(visitor, message) end }"

  private static func idleMemory(_ desk: Desk) throws {
    for count in [1, 1_000, 5_000] {
      let before = Usage.residentBytes
      let crowd = Crowd(count, bot: idleBot, account: desk.url)
      try crowd.waitUntil(started: count)
      let each = (Usage.residentBytes - before) / count
      row("memory of an idle visitor, \(grouped(count)) of them", "\(each / 1024) KiB")
      crowd.stop()
    }
  }

  // MARK: Allocations

  private static let events = 2_000

  private static let listeningBot = """
    local heard = 0
    return {
      on_message = function(visitor, message)
        if message.from == "operator" then heard = heard + 1 end
        if heard == \(events) then visitor:destroy() end
      end,
      on_start = function(visitor) visitor:say("count \(events)") end,
    }
    """

  private static func allocations(_ desk: Desk) throws {
    let crowd = Crowd(1, bot: listeningBot, account: desk.url)
    try crowd.waitUntil(started: 1)
    let before = visitant_allocations()
    try crowd.waitUntil(ended: 1)
    let each = Double(visitant_allocations() - before) / Double(events)
    row("allocations for an event, from socket to handler", tenths(each))
    crowd.stop()
  }

  // MARK: Round trips

  private static let visitors = 50
  private static let seconds = 5.0

  private static let talkingBot = """
    return function(visitor)
      local stop = visitor:now() + \(seconds)
      local trips = 0
      while visitor:now() < stop do
        visitor:say("ping")
        visitor:expect_message{ text = "pong" }
        trips = trips + 1
      end
      visitor:metric("trips", trips)
    end
    """

  private static func roundTrips(_ desk: Desk) throws {
    let before = Usage.processorSeconds
    let crowd = Crowd(visitors, bot: talkingBot, account: desk.url)
    try crowd.waitUntil(ended: visitors)
    let trips = crowd.total(of: "trips")
    let mine = Double(trips) / (Usage.processorSeconds - before)
    crowd.stop()
    row(
      "round trips a CPU second (a message, its echo, the desk's answer, Lua at each), \(visitors) visitors",
      grouped(Int(mine)))
    guard
      let peer = try Peer.requestsPerProcessorSecond(
        url: desk.url + "/api/visitor/v1/configs/mobile", connections: visitors, seconds: Int(seconds))
    else { return row("requests a CPU second of wrk on the same rehearsal", "wrk is not installed") }
    row("requests a CPU second of wrk on the same rehearsal, \(visitors) connections", grouped(Int(peer)))
    row("wrk's requests for one round trip of ours, by CPU", tenths(peer / mine))
  }

  // MARK: Writing

  private static func tenths(_ value: Double) -> String {
    let tenths = Int((value * 10).rounded())
    return "\(tenths / 10).\(tenths % 10)"
  }

  private static func grouped(_ value: Int) -> String {
    guard value >= 1000 else { return String(value) }
    let rest = String(value % 1000)
    return grouped(value / 1000) + "," + String(repeating: "0", count: 3 - rest.count) + rest
  }
}

/// What this process has used so far.
enum Usage {
  static var residentBytes: Int {
    guard let text = ScriptFiles.read("/proc/self/statm") else { return 0 }
    let fields = String(decoding: text, as: UTF8.self).split(separator: " ")
    return fields.count > 1 ? (Int(fields[1]) ?? 0) * Int(getpagesize()) : 0
  }

  static var processorSeconds: Double { seconds(of: RUSAGE_SELF.rawValue) }
  static var childrensProcessorSeconds: Double { seconds(of: RUSAGE_CHILDREN.rawValue) }

  private static func seconds(of who: __rusage_who_t) -> Double {
    var usage = rusage()
    getrusage(who, &usage)
    return [usage.ru_utime, usage.ru_stime].reduce(0) { $0 + Double($1.tv_sec) + Double($1.tv_usec) / 1e6 }
  }
}
