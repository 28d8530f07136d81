import Testing

@testable import Transport

struct DescriptorsTests {
  @Test func `the limit is raised as far as it goes`() {
    let raised = Descriptors.raiseLimit()
    #expect(raised == Descriptors.limit)
    #expect(raised > 0)
    #expect(Descriptors.raiseLimit() == raised)
  }

  @Test func `some nine thousand visitors fit with their far end, fewer than ten`() {
    #expect(Descriptors.needed(visitors: 9_600, rehearsedHere: true) < 20_000)
    #expect(Descriptors.needed(visitors: 10_000, rehearsedHere: true) > 20_000)
    #expect(Descriptors.needed(visitors: 19_000, rehearsedHere: false) < 20_000)
  }
}
