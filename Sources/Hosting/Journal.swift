package import Store
package import Transport

/// Where a visitor's steps are kept: what was committed survives a crash.
///
/// Confined to its loop's thread.
package protocol Journal: AnyObject {
  /// Keeps a unit, whole or not at all, then calls `done` on the loop's thread, in the order of the calls.
  func commit(_ unit: CommitUnit, _ done: @escaping (StoreError?) -> Void)
}

/// Keeps nothing: for visits that nobody resumes.
package final class NoJournal: Journal {
  private let loop: any Loop

  package init(loop: any Loop) {
    self.loop = loop
  }

  package func commit(_ unit: CommitUnit, _ done: @escaping (StoreError?) -> Void) {
    loop.soon { done(nil) }
  }
}

/// Keeps units in the store, through its writer's thread.
///
/// `@unchecked Sendable`: the guard is the loop's thread, on which both `commit` and what it posts run.
package final class StoreJournal: Journal, @unchecked Sendable {
  private let loop: PollLoop
  private let store: Store
  private var waiting: [UInt64: (StoreError?) -> Void] = [:]
  private var next: UInt64 = 0

  package init(loop: PollLoop, store: Store) {
    self.loop = loop
    self.store = store
  }

  package func commit(_ unit: CommitUnit, _ done: @escaping (StoreError?) -> Void) {
    let ticket = next
    next += 1
    waiting[ticket] = done
    store.commit(unit) { [self] error in
      loop.post { self.waiting.removeValue(forKey: ticket)?(error) }
    }
  }
}
