import Dispatch
import SharedState
import Synchronization
import Testing

@Suite("A striped lock: readers on many threads, and writers that all of them see")
struct StripedLockTests {
    /// Shares a lock between threads.
    private final class Owner<Value>: Sendable {
        let lock: StripedLock<Value>
        init(_ value: sending Value) { lock = StripedLock(value, stripes: 16) }
    }

    @Test("Each thread sees only whole values, and never an older value after a newer one")
    func order() {
        let owner = Owner((0, 0))
        let newest = Atomic(0), wrong = Atomic(0)
        DispatchQueue.concurrentPerform(iterations: 6) { thread in
            for _ in 0..<2000 {
                if thread < 2 {
                    let new = owner.lock.withWrite { value in
                        value = (value.0 + 1, value.1 + 1)
                        return value.0
                    }
                    newest.max(new, ordering: .relaxed)
                } else {
                    let known = newest.load(ordering: .relaxed)
                    let (one, other) = owner.lock.value
                    if one != other || one < known { wrong.add(1, ordering: .relaxed) }
                }
            }
        }
        #expect(wrong.load(ordering: .relaxed) == 0)
        #expect(owner.lock.value == (4000, 4000))
    }
}
