import SharedState

/// Passes the states of a store to one reader, in order.
///
/// A reader that falls far behind misses states, but never the last state. The reader compares each state with its
/// previous state, so the next comparison includes the changes in missed states.
final class StateFeed: Sendable {
    /// The maximum number of states that are buffered for a reader.
    private static let limit = 64

    private weak let store: PropertyStore?
    private let continuation: AsyncStream<MergedState>.Continuation
    private let last: Guarded<MergedState>

    /// Returns the current state, and a stream of all later ones.
    static func states(of store: PropertyStore) -> (current: MergedState, later: AsyncStream<MergedState>) {
        let (stream, continuation) = AsyncStream.makeStream(
            of: MergedState.self, bufferingPolicy: .bufferingNewest(limit))
        let current = store.current
        let feed = StateFeed(store, continuation, current)
        // The feed observes all parents, too, because a change of a parent changes the state.
        let lineage = sequence(first: store, next: \.parent).map { store in
            (store.observers, store.observers.add { feed.pull() })
        }
        continuation.onTermination = { _ in
            for (observers, id) in lineage { observers.remove(id) }
        }
        // Fetches a change that happened while the observers were being added, which not all of them may have seen.
        feed.pull()
        return (current, stream)
    }

    private init(
        _ store: PropertyStore, _ continuation: AsyncStream<MergedState>.Continuation, _ current: MergedState
    ) {
        (self.store, self.continuation, last) = (store, continuation, Guarded(current))
    }

    /// Passes on the store's state if it is new.
    private func pull() {
        guard let store else { return continuation.finish() }
        // The state is read and passed on under the lock, so that the older state of two concurrent calls cannot be
        // passed on last. Old states are released after unlocking: see `Lock`.
        let released = last.withLock { last -> [MergedState] in
            let state = store.current
            guard state !== last else { return [] }
            let old = last
            last = state
            if case .dropped(let dropped) = continuation.yield(state) { return [old, dropped] }
            return [old]
        }
        _ = released
    }
}
