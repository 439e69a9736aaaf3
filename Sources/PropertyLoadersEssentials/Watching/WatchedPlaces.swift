#if os(Linux)
    import Properties
    import Synchronization

    /// What inotify watches and what happened there, for the thread that waits and the task that plans and reloads.
    final class WatchedPlaces: Sendable {
        struct Place {
            let path: String
            /// What matters in it, if it is a directory.
            var names = WatchPlan.Names()
        }

        /// A directory or file, whatever its path.
        struct Identity: Equatable {
            let path: String
            let device: UInt64?, inode: UInt64?
        }

        fileprivate struct NamedPlace: Hashable {
            let watch: CInt
            let name: String
        }

        fileprivate struct State {
            /// By the kernel's numbers.
            var places: [CInt: Place] = [:]
            /// What the paths of the plan led to.
            var identities: [Identity] = []
            var debounce: Debounce<NamedPlace>
            /// How many changes there were.
            var count = 0
        }

        private let state: Mutex<State>
        private let clock = ContinuousClock()

        init(debounce: Duration) { state = Mutex(State(debounce: Debounce(debounce))) }

        static func identities(of paths: [String]) -> [Identity] {
            paths.map { path in
                let status = try? System.status(at: path)
                return Identity(path: path, device: status?.device, inode: status?.inode)
            }
        }

        /// Returns what was watched before.
        func replace(_ places: [CInt: Place], _ identities: [Identity]) -> [CInt: Place] {
            state.withLock { state in
                defer { (state.places, state.identities) = (places, identities) }
                return state.places
            }
        }

        /// Whether a path leads to something else by now.
        var isMountedOver: Bool {
            let old = state.withLock { $0.identities }
            return Self.identities(of: old.map(\.path)) != old
        }

        /// Notes that something was mounted or unmounted.
        func noteMounts() {
            guard isMountedOver else { return }
            state.withLock { $0.change(at: clock.now) }
        }

        /// Reads the next events and notes those that matter.
        func take(from inotify: Inotify) throws(FileDiagnostic) {
            // Under the lock, so that no event is between the kernel and this state when somebody asks for the changes.
            let outcome = state.withLock { state in
                Result { () throws(FileDiagnostic) in
                    for event in try inotify.events() { state.note(event, at: clock.now) }
                }
            }
            try outcome.get()
        }

        /// The number of changes so far; nil while a file is created and not closed.
        func changeCount(_ inotify: Inotify) -> Int? {
            let (count, isNew) = state.withLock { state in
                let before = state.count
                // What fails here fails for the waiting thread too, which handles it.
                for _ in 0..<Self.readLimit {
                    guard let events = try? inotify.events(), !events.isEmpty else { break }
                    for event in events { state.note(event, at: clock.now) }
                }
                return (state.debounce.isWriting ? nil : state.count, state.count != before)
            }
            // The thread has not seen these events, and the debounce has an end now.
            if isNew { inotify.wake() }
            return count
        }

        /// How many deliveries of the kernel are counted at once: more than its queue of 16,384 events has at a time.
        private static let readLimit = 100

        /// How long to wait for the end of the debounce; nil if there is nothing to wait for.
        var rest: Duration? {
            state.withLock { $0.debounce.due }.map { max(.zero, $0 - clock.now) }
        }

        /// Whether changes count now; they are forgotten then.
        func areDue() -> Bool {
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

        // A link has no writer.
        private static func isBeingWritten(_ path: String) -> Bool {
            guard let status = try? System.status(ofLink: path) else { return false }
            return status.kind == .regular && status.linkCount == 1
        }
    }

    /// Decides when changes that follow each other count.
    ///
    /// They count when nothing has followed for a while and no file is left that was created and not yet closed.
    struct Debounce<Place: Hashable> {
        /// How many times the pause changes wait at most while others follow.
        static var patience: Int { 20 }

        private let pause: Duration
        private var first, last: ContinuousClock.Instant?
        private var unfinished: Set<Place> = []

        /// Begins with no changes.
        ///
        /// - Parameter pause: how long nothing may follow.
        init(_ pause: Duration) { self.pause = pause }

        /// Takes a change.
        mutating func change(at now: ContinuousClock.Instant) {
            first = first ?? now
            last = now
        }

        /// Notes that a file was created which somebody may be writing.
        mutating func create(_ place: Place) { unfinished.insert(place) }

        /// Notes that a file is closed or gone.
        mutating func finish(_ place: Place) { unfinished.remove(place) }

        /// Forgets which files were created: the reports of their ends are lost.
        mutating func forgetCreated() { unfinished = [] }

        /// Whether a file was created and is not closed yet.
        var isWriting: Bool { !unfinished.isEmpty }

        /// When the changes count; nil while there are none.
        var due: ContinuousClock.Instant? {
            guard let first, let last else { return nil }
            let patience = pause * Self.patience
            if isWriting { return first + max(patience, SteadyReload.writingPatience) }
            return min(last + pause, first + patience)
        }

        /// Begins anew once the changes count.
        mutating func reset() { (first, last, unfinished) = (nil, nil, []) }
    }
#endif
