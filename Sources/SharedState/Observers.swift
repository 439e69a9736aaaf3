import Synchronization

/// Functions that are called together, such as after each change of a store.
package final class Observers: Sendable {
    private struct State {
        var next = 0
        var all: [Int: @Sendable () -> Void] = [:]
    }
    private let state = Lock(State())

    package init() {}

    /// Adds an observer, and returns the ID to remove it with.
    package func add(_ observer: @escaping @Sendable () -> Void) -> Int {
        state.withLock { state in
            state.next += 1
            state.all[state.next] = observer
            return state.next
        }
    }

    /// Removes an observer.
    package func remove(_ id: Int) {
        // The function is released after unlocking: see `Lock`.
        _ = state.withLock { $0.all.removeValue(forKey: id) }
    }

    /// Calls all observers after unlocking.
    package func notify() {
        let all = state.withLock { Array($0.all.values) }
        for observer in all { observer() }
    }
}
