import Synchronization

/// Those who are told that a store has another state.
final class Observers: Sendable {
    private struct State {
        var next = 0
        var all: [Int: @Sendable () -> Void] = [:]
    }
    private let state = Mutex(State())

    /// Adds one; gives the number to remove it by.
    func add(_ observer: @escaping @Sendable () -> Void) -> Int {
        state.withLock { state in
            state.next += 1
            state.all[state.next] = observer
            return state.next
        }
    }

    /// Removes one.
    func remove(_ number: Int) {
        // Given out of the lock, since its last release may run another object's deinit.
        _ = state.withLock { $0.all.removeValue(forKey: number) }
    }

    /// Tells all, with no lock held.
    func notify() {
        let all = state.withLock { Array($0.all.values) }
        for observer in all { observer() }
    }
}
