/// What has been handed over and not yet been taken, in order; any thread puts in, the writer takes out.
final class JobQueue: @unchecked Sendable {
  // The guard of everything below is `gate`.
  private let gate = Gate()
  private var waiting: [Job] = []
  private var closing = false
  private var ended = false
  private var counted = StoreCount()

  /// - Returns: False when the queue has been closed; the job has not been taken then.
  func put(_ job: Job) -> Bool {
    var isFirst = false
    let accepted = gate.locked {
      guard !closing else { return false }
      isFirst = waiting.isEmpty
      waiting.append(job)
      return true
    }
    // The writer sleeps only while nothing waits.
    if isFirst { gate.ring() }
    return accepted
  }

  /// Waits for jobs and takes all of them; `nil` once the queue is closed and empty.
  func take() -> [Job]? {
    gate.wait { waiting.isEmpty && !closing }
    return gate.locked {
      guard !waiting.isEmpty else { return nil }
      defer { waiting = [] }
      return waiting
    }
  }

  /// Lets nothing more in.
  func close() {
    gate.locked { closing = true }
    gate.ring()
  }

  /// The writer has written everything and let go of the file.
  func writerEnded() {
    gate.locked { ended = true }
    gate.ring()
  }

  func waitForWriter() {
    gate.wait { !ended }
  }

  func groupWritten(jobs: Int) {
    gate.locked {
      counted.transactions += 1
      counted.jobs += jobs
    }
  }

  var count: StoreCount { gate.locked { counted } }
}

/// What a store has written since it was opened.
package struct StoreCount: Equatable, Sendable {
  package fileprivate(set) var transactions = 0
  /// Units, and visits and runs begun or ended or looked for.
  package fileprivate(set) var jobs = 0
}
