import Rehearsal
import TestSupport
import Testing

struct FaultPlanTests {
  private func fault(
    _ target: Fault.Target = .init(), chance: Double = 1, harm: Fault.Harm = .cut, times: Int? = nil,
    after: Int = 0, seed: UInt64? = nil
  ) -> Fault {
    var fault = Fault()
    fault.on = target
    fault.chance = chance
    fault.harm = harm
    fault.times = times
    fault.after = after
    fault.seed = seed
    return fault
  }

  @Test func `nothing is spoiled without a fault`() {
    var plan = FaultPlan(seed: 1)
    #expect(plan.requestArrived(.delta, action: nil, now: 0) == nil)
  }

  @Test func `a fault lets the first requests through and ends after its times`() {
    var plan = FaultPlan(seed: 1)
    plan.add(fault(times: 2, after: 1))
    let spoiled = (0..<5).map { _ in plan.requestArrived(.action, action: "chat.message", now: 0) != nil }
    #expect(spoiled == [false, true, true, false, false])
  }

  @Test(arguments: [
    (Fault.Target(), Endpoint.history, nil as String?, true),
    (Fault.Target(endpoint: .action), .action, "chat.close", true),
    (Fault.Target(endpoint: .action), .delta, nil, false),
    (Fault.Target(endpoint: .action, action: "chat.message"), .action, "chat.message", true),
    (Fault.Target(endpoint: .action, action: "chat.message"), .action, "chat.start", false),
  ])
  func `a fault spoils only what it is on`(
    target: Fault.Target, endpoint: Endpoint, action: String?, isSpoiled: Bool
  ) {
    var plan = FaultPlan(seed: 1)
    plan.add(fault(target))
    #expect((plan.requestArrived(endpoint, action: action, now: 0) != nil) == isSpoiled)
  }

  @Test func `the same seed spoils the same requests, another seed others`() {
    func run(seed: UInt64) -> [Bool] {
      var plan = FaultPlan(seed: 99)
      plan.add(fault(chance: 0.5, seed: seed))
      return (0..<64).map { _ in plan.requestArrived(.delta, action: nil, now: 0) != nil }
    }
    #expect(run(seed: 7) == run(seed: 7))
    #expect(run(seed: 7) != run(seed: 8))
  }

  @Test func `a chance of a tenth spoils about a tenth`() {
    var plan = FaultPlan(seed: 5)
    plan.add(fault(chance: 0.1))
    let spoiled = (0..<10_000).filter { _ in plan.requestArrived(.delta, action: nil, now: 0) != nil }
    #expect((900...1_100).contains(spoiled.count))
  }

  @Test func `offline drops every request until its time is over`() {
    var plan = FaultPlan(seed: 1)
    plan.goOffline(for: 30, now: 100)
    #expect(plan.requestArrived(.meta, action: nil, now: 129.9)?.harm == .dropBefore)
    #expect(plan.requestArrived(.meta, action: nil, now: 130) == nil)
  }

  @Test func `of two faults the first that comes up acts`() {
    var plan = FaultPlan(seed: 1)
    plan.add(fault(harm: .dropBefore, times: 1))
    plan.add(fault(harm: .dropAfterAccept))
    let harms = (0..<2).map { _ in plan.requestArrived(.delta, action: nil, now: 0)?.harm }
    #expect(harms == [.dropBefore, .dropAfterAccept])
  }

  @Test(arguments: [
    ("/l/v/m/init", nil as String?, Endpoint.`init`), ("/l/v/m/delta", nil, .delta),
    ("/l/v/m/delta", "init", .`init`), ("/api/visitor/v1/configs/mobile", nil, .config),
    ("/l/v/get-online-status", nil, .onlineStatus), ("/favicon.ico", nil, .other),
  ])
  func `a path is known by the name of its endpoint`(path: String, event: String?, endpoint: Endpoint) {
    #expect(Endpoint(path: path, event: event) == endpoint)
  }
}
