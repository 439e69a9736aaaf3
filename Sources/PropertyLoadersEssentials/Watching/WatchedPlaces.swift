#if os(Linux)
    import Properties
    import SharedState

    /// The directories and files that inotify watches, and the changes in them.
    ///
    /// The thread that waits for events and the task that reloads share an instance.
    final class WatchedPlaces: Sendable {
        struct Place {
            let path: String
            /// The names to watch, if the place is a directory.
            var names = WatchPlan.Names()
        }

        /// Identifies the directory or file at a path, to detect a mount that puts another one there.
        struct Identity: Equatable {
            let path: String
            let device: UInt64?, inode: UInt64?
        }

        fileprivate struct NamedPlace: Hashable {
            let watch: CInt
            let name: String
        }

        fileprivate struct State {
            /// The watched places, by the number that inotify has assigned to the watch.
            var places: [CInt: Place] = [:]
            /// The directories and files at the paths of the plan, when the watches began.
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
                // No event will tell that a file in a place that is no longer watched is closed.
                state.debounce.forgetCreated { places[$0.watch] == nil }
                return state.places
            }
        }

        /// Whether one of the paths now refers to another directory or file.
        var isMountedOver: Bool {
            let old = state.withLock { $0.identities }
            return Self.identities(of: old.map(\.path)) != old
        }

        /// Records a change if one of the paths refers to another directory or file after a mount or unmount.
        func noteMounts() {
            guard isMountedOver else { return }
            state.withLock { $0.change(at: clock.now) }
        }

        /// Reads the next events, and records those of watched names.
        func take(from inotify: Inotify) throws(FileDiagnostic) {
            // Holds the lock from reading to recording. Otherwise `changeCount` could miss an event in between.
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
                // An error is ignored here: the waiting thread gets the same one and handles it.
                for _ in 0..<Self.readLimit {
                    guard let events = try? inotify.events(), !events.isEmpty else { break }
                    for event in events { state.note(event, at: clock.now) }
                }
                return (state.debounce.isWriting ? nil : state.count, state.count != before)
            }
            // Wakes the waiting thread: these events start or extend the debounce, and the thread must wait until its
            // new end.
            if isNew { inotify.wake() }
            return count
        }

        /// The maximum number of reads in one call. It is enough to empty the queue of the kernel, which holds 16,384
        /// events.
        private static let readLimit = 100

        /// The time until the end of the debounce, or nil if there are no changes.
        var rest: Duration? {
            state.withLock { $0.debounce.due }.map { max(.zero, $0 - clock.now) }
        }

        /// Returns whether the debounce has ended, and resets it in this case.
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
                debounce.forgetCreated { _ in true }
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

        // Whether a file that was created may be open for writing. Symbolic links, and hard links to existing files,
        // are complete.
        private static func isBeingWritten(_ path: String) -> Bool {
            guard let status = try? System.status(ofLink: path) else { return false }
            return status.kind == .regular && status.linkCount == 1
        }
    }

    /// Decides when a series of changes has ended.
    ///
    /// A series ends if no change has followed for a while and every new file is closed, or if it lasts too long.
    struct Debounce<Place: Hashable> {
        /// The maximum length of a series, as a multiple of the pause.
        static var patience: Int { 20 }

        private let pause: Duration
        private var first, last: ContinuousClock.Instant?
        private var unfinished: Set<Place> = []

        /// Creates an instance without changes.
        ///
        /// - Parameter pause: the time without changes after which a series ends.
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

        /// Forgets that some files may still be open for writing, because no event may tell that they are closed.
        mutating func forgetCreated(where isForgotten: (Place) -> Bool) {
            unfinished = unfinished.filter { !isForgotten($0) }
        }

        /// Whether a new file may still be open for writing.
        var isWriting: Bool { !unfinished.isEmpty }

        /// The time at which the series ends, or nil if there are no changes.
        var due: ContinuousClock.Instant? {
            guard let first, let last else { return nil }
            let patience = pause * Self.patience
            if isWriting { return first + max(patience, SteadyReload.writingPatience) }
            return min(last + pause, first + patience)
        }

        /// Removes all changes, so that the next one begins a new series.
        mutating func reset() { (first, last, unfinished) = (nil, nil, []) }
    }
#endif
