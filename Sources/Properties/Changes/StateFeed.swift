import Synchronization

/// The states of one store in their order, for one reader.
///
/// The reader takes one at a time. One that falls far behind misses states between, never the last: what it is told
/// then is the difference between the states that it saw.
final class StateFeed: Sendable {
    /// How many states wait for a reader at most.
    private static let limit = 64

    private weak let store: PropertyStore?
    private let continuation: AsyncStream<PropertySnapshot>.Continuation
    private let last: Mutex<PropertySnapshot>

    /// The state at the beginning, and all that come after it.
    static func states(of store: PropertyStore) -> (current: PropertySnapshot, later: AsyncStream<PropertySnapshot>) {
        let (stream, continuation) = AsyncStream.makeStream(
            of: PropertySnapshot.self, bufferingPolicy: .bufferingNewest(limit))
        let current = store.snapshot
        let feed = StateFeed(store, continuation, current)
        // A store's state is also its parents' state.
        let lineage = sequence(first: store, next: \.parent).map { store in
            (store.observers, store.observers.add { feed.pull() })
        }
        continuation.onTermination = { _ in
            for (observers, number) in lineage { observers.remove(number) }
        }
        // What came between the first look and the last registration.
        feed.pull()
        return (current, stream)
    }

    private init(
        _ store: PropertyStore, _ continuation: AsyncStream<PropertySnapshot>.Continuation, _ current: PropertySnapshot
    ) {
        self.store = store
        self.continuation = continuation
        last = Mutex(current)
    }

    /// Hands on the store's state if it is another one.
    private func pull() {
        guard let store else { return continuation.finish() }
        // Under the lock, so that of two callers the one with the older state cannot come last. What nobody needs
        // any more is given out of it, since its last release may run a user's deinit.
        let released = last.withLock { last -> [PropertySnapshot] in
            let state = store.snapshot
            guard state !== last else { return [] }
            let old = last
            last = state
            if case .dropped(let dropped) = continuation.yield(state) { return [old, dropped] }
            return [old]
        }
        _ = released
    }
}
