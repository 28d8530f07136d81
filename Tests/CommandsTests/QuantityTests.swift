import Commands
import TestSupport
import Testing

struct QuantityTests {
  @Test(arguments: [
    ("250ms", 0.25), ("90s", 90), ("2m", 120), ("1h30m", 5400), ("1h1m1s1ms", 3661.001), ("1.5s", 1.5),
    ("0s", 0),
  ])
  func `a time is read in seconds`(text: String, seconds: Double) {
    #expect(Quantity.seconds(text) == seconds)
  }

  @Test(arguments: [
    "", "5", "s", "5x", "-5s", "1m1h", "5s5s", "1..5s", ".5s", "5.s", "5 s", "٣s", "1e3s", "ms", "5S",
  ])
  func `what is no time is refused`(text: String) {
    #expect(Quantity.seconds(text) == nil)
  }

  @Test(arguments: [("64K", 65_536), ("2M", 2_097_152), ("1G", 1_073_741_824), ("512", 512), ("0", 0)])
  func `a size is read in bytes`(text: String, bytes: Int) {
    #expect(Quantity.bytes(text) == bytes)
  }

  @Test(arguments: ["", "K", "-1K", "+1K", "1.5M", "1T", "1KB", "9223372036854775807G"])
  func `what is no size is refused`(text: String) {
    #expect(Quantity.bytes(text) == nil)
  }

  @Test func `what is written as a time is read as that time`() {
    var generator = SeededGenerator(seed: 1)
    for _ in 0..<500 {
      let seconds = Double(Int.random(in: 0...500_000, using: &generator))
      #expect(Quantity.seconds(Quantity.text(seconds: seconds)) == seconds)
    }
  }

  @Test func `noise is no time, no size, and no trap`() {
    var generator = SeededGenerator(seed: 2)
    let letters = Array("0123456789hms.KMG -é")
    for _ in 0..<5_000 {
      let text = String(
        (0..<Int.random(in: 0...12, using: &generator)).map { _ in
          letters.randomElement(using: &generator) ?? " "
        })
      if let seconds = Quantity.seconds(text) { #expect(seconds >= 0) }
      if let bytes = Quantity.bytes(text) { #expect(bytes >= 0) }
    }
  }
}
