#if os(Linux)
    import Properties
    import SharedState

    /// The directories and files that inotify watches, and the changes in them.
    ///
    /// The thread that waits for events and the task that reloads share it.
    final class WatchedPlaces: Sendable {
        struct Place {
            let path: String
            /// The names that matter in it, if it is a directory.
            var names = WatchPlan.Names()
        }

        /// The directory or file at a path, which tells whether another one is there later.
        struct Identity: Equatable {
            let path: String
            let device: UInt64?, inode: UInt64?
        }

        fileprivate struct NamedPlace: Hashable {
            let watch: CInt
            let name: String
        }

        fileprivate struct State {
            /// The places by the kernel's numbers.
            var places: [CInt: Place] = [:]
            /// What was at the paths of the plan.
            var identities: [Identity] = []
            var debounce: Debounce<NamedPlace>
            /// The number of changes so far.
            var count = 0
        }

        private let state: Guarded<State>
        private let clock = ContinuousClock()

        init(debounce: Duration) { state = Guarded(State(debounce: Debounce(debounce))) }

        static func identities(of paths: [String]) -> [Identity] {
            paths.map { path in
                let status = try? System.status(at: path)
                return Identity(path: path, device: status?.device, inode: status?.inode)
            }
        }

        /// Replaces the places, and returns the previous ones.
        func replace(_ places: [CInt: Place], _ identities: [Identity]) -> [CInt: Place] {
            state.withLock { state in
                defer { (state.places, state.identities) = (places, identities) }
                return state.places
            }
        }

        /// Whether something else is at a path by now.
        var isMountedOver: Bool {
            let old = state.withLock { $0.identities }
            return Self.identities(of: old.map(\.path)) != old
        }

        /// Records that something was mounted or unmounted.
        func noteMounts() {
            guard isMountedOver else { return }
            state.withLock { $0.change(at: clock.now) }
        }

        /// Reads the next events, and records those that matter.
        func take(from inotify: Inotify) throws(FileDiagnostic) {
            // Under the lock, so that `changeCount` misses no event that is read and not yet recorded.
            let outcome = state.withLock { state in
                Result { () throws(FileDiagnostic) in
                    for event in try inotify.events() { state.note(event, at: clock.now) }
                }
            }
            try outcome.get()
        }

        /// The number of changes so far, or nil while a new file is open for writing.
        func changeCount(_ inotify: Inotify) -> Int? {
            let (count, isNew) = state.withLock { state in
                let before = state.count
                // The waiting thread gets the same error, and handles it.
                for _ in 0..<Self.readLimit {
                    guard let events = try? inotify.events(), !events.isEmpty else { break }
                    for event in events { state.note(event, at: clock.now) }
                }
                return (state.debounce.isWriting ? nil : state.count, state.count != before)
            }
            // The thread has not seen these events, which start or extend the debounce.
            if isNew { inotify.wake() }
            return count
        }

        /// How many reads are made at once: enough for the kernel's queue of 16,384 events.
        private static let readLimit = 100

        /// The time to the end of the debounce, or nil if there are no changes.
        var rest: Duration? {
            state.withLock { $0.debounce.due }.map { max(.zero, $0 - clock.now) }
        }

        /// Whether the debounce has ended. If so, it is reset.
        func takeDueChanges() -> Bool {
            state.withLock { state in
                guard let due = state.debounce.due, clock.now >= due else { return false }
                state.debounce.reset()
                return true
            }
        }
    }

    extension WatchedPlaces.State {
        fileprivate mutating func change(at now: ContinuousClock.Instant) {
            debounce.change(at: now)
            count &+= 1
        }

        fileprivate mutating func note(_ event: Inotify.Event, at now: ContinuousClock.Instant) {
            if event.isOverflow {
                debounce.forgetCreated()
                return change(at: now)
            }
            guard let directory = places[event.watch], directory.names.contains(event.name) else { return }
            change(at: now)
            let place = WatchedPlaces.NamedPlace(watch: event.watch, name: event.name)
            switch event.kind {
            case .created: if Self.isBeingWritten("\(directory.path)/\(event.name)") { debounce.create(place) }
            case .finished: debounce.finish(place)
            case .other: break
            }
        }

        // A link is never open for writing.
        private static func isBeingWritten(_ path: String) -> Bool {
            guard let status = try? System.status(ofLink: path) else { return false }
            return status.kind == .regular && status.linkCount == 1
        }
    }

    /// Decides when a series of changes has ended.
    ///
    /// It has ended if nothing has followed for a while and every new file is closed.
    struct Debounce<Place: Hashable> {
        /// How many times the pause a series lasts at most.
        static var patience: Int { 20 }

        private let pause: Duration
        private var first, last: ContinuousClock.Instant?
        private var unfinished: Set<Place> = []

        /// Begins without changes.
        ///
        /// - Parameter pause: how long nothing may follow the last change.
        init(_ pause: Duration) { self.pause = pause }

        /// Records a change.
        mutating func change(at now: ContinuousClock.Instant) {
            first = first ?? now
            last = now
        }

        /// Records that a file was created, which may be open for writing.
        mutating func create(_ place: Place) { unfinished.insert(place) }

        /// Records that a file was closed or removed.
        mutating func finish(_ place: Place) { unfinished.remove(place) }

        /// Forgets the files that were created, since the events that they were closed are lost.
        mutating func forgetCreated() { unfinished = [] }

        /// Whether a new file is still open.
        var isWriting: Bool { !unfinished.isEmpty }

        /// When the series ends, or nil if there are no changes.
        var due: ContinuousClock.Instant? {
            guard let first, let last else { return nil }
            let patience = pause * Self.patience
            if isWriting { return first + max(patience, SteadyReload.writingPatience) }
            return min(last + pause, first + patience)
        }

        /// Begins a new series.
        mutating func reset() { (first, last, unfinished) = (nil, nil, []) }
    }
#endif
