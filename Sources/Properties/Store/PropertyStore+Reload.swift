import Synchronization

extension PropertyStore {
    /// Loads all sources of this store again and puts the new state in place in one step; the parents' sources are
    /// theirs to reload.
    ///
    /// - Throws: what the first loader that fails throws. The store stays as it was.
    public func reload() throws {
        while try !publish(loadAgain()) {}
    }

    /// The files and directories that the sources of this store were read from, by path, the parents' left out.
    public var files: [String] { state.layers.flatMap { $0.files + ($0.lookups?.files ?? []) } }

    /// Loads all sources again, and changes nothing yet.
    package func loadAgain() throws -> ReloadedSources { try ReloadedSources(state.sources) }

    /// Puts sources that were loaded again in the place of those that they were, in one step.
    ///
    /// - Returns: false where another reload came in between: what it read may be newer, so nothing was changed, and
    ///   the sources have to be loaded once more.
    package func publish(_ reloaded: ReloadedSources) throws(PropertyLoadError) -> Bool {
        try changeLayers { state in
            let places = state.sources.indices.map { place in
                (place, reloaded.sources.first { $0.number == state.sources[place].number })
            }
            guard places.allSatisfy({ $1 == nil || state.sources[$0].clock < reloaded.began }) else { return false }
            // What was applied meanwhile stays, and what was taken away does not come back.
            for (place, new) in places { if let new { state.sources[place] = new } }
            return true
        }
    }

    /// Calls a function after each change of what this store has of its own.
    ///
    /// - Parameter observer: runs on the thread that makes the change; it must not keep the store alive.
    /// - Returns: a number to end it with.
    package func addObserver(_ observer: @escaping @Sendable () -> Void) -> Int { observers.add(observer) }

    /// Ends what `addObserver` began.
    package func removeObserver(_ number: Int) { observers.remove(number) }
}

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
