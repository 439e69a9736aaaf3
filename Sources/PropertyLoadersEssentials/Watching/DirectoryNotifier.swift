import Properties
import Synchronization

#if os(Linux)
    /// Signals when something that a plan names has happened and nothing else follows for a while.
    ///
    /// It has one thread, which waits in the kernel, and four descriptors, until `stop` is called.
    final class DirectoryNotifier: Sendable {
        private let inotify: System.Inotify
        private let thread: System.Thread
        private let watched: Watched

        /// Begins to wait; nil where the kernel has no inotify, or none left for this user.
        init?(debounce: Duration, signal: @escaping @Sendable () -> Void) {
            let watched = Watched()
            guard let inotify = System.Inotify() else { return nil }
            let thread = System.Thread {
                Self.wait(for: inotify, Debounce(debounce), watched, signal: signal)
                watched.isWaiting.store(false, ordering: .releasing)
                // If the wait failed, somebody has to learn of it.
                signal()
            }
            guard let thread else { return nil }
            (self.watched, self.inotify, self.thread) = (watched, inotify, thread)
        }

        /// Watches what a plan names and nothing else.
        ///
        /// - Parameters:
        ///   - plan: the directories.
        ///   - files: files to watch by themselves: what is mounted there changes elsewhere.
        /// - Returns: whether all of it is watched.
        func update(_ plan: WatchPlan, files: Set<String> = []) -> Bool {
            var places: [CInt: Watched.Place] = [:]
            var isComplete = true
            // Before the watches begin, so that what is mounted between the two is noticed.
            let identities = Watched.identities(of: Array(plan.directories.keys) + plan.files)
            // A directory's parent, whose path is shorter, before it: so that it tells if another one takes its place.
            for (directory, names) in plan.directories.sorted(by: { $0.key.utf8.count < $1.key.utf8.count }) {
                if let watch = inotify.add(directory, isDirectory: true) {
                    places[watch, default: .init(path: directory)].names.formUnion(names)
                } else {
                    isComplete = false
                }
            }
            for file in files {
                if let watch = inotify.add(file, isDirectory: false) {
                    places[watch] = .init(path: file)
                } else {
                    isComplete = false
                }
            }
            // Out of the list first, since the kernel tells of the removal too.
            let old = watched.replace(places, identities)
            for watch in old.keys where places[watch] == nil { inotify.remove(watch) }
            return isComplete && !watched.isMountedOver && watched.isWaiting.load(ordering: .acquiring)
        }

        /// Ends the thread and waits until it has ended.
        func stop() {
            inotify.stop()
            thread.join()
        }

        /// How often in a row a wait may fail for want of memory, and for how long it pauses then, in milliseconds.
        private static let failureLimit = 10, pause: CInt = 100

        private static func wait(
            for inotify: System.Inotify, _ debounce: Debounce<NamedPlace>, _ watched: Watched, signal: () -> Void
        ) {
            let clock = ContinuousClock()
            var debounce = debounce, failures = 0
            while true {
                let rest = debounce.due.map { max(.zero, $0 - clock.now) }
                let outcome = inotify.wait(milliseconds: rest?.roundedUpToMilliseconds)
                if case .unavailable = outcome { failures += 1 } else { failures = 0 }
                switch outcome {
                case .stopped, .failed: return
                case .unavailable where failures > Self.failureLimit: return
                case .unavailable: System.pause(milliseconds: Self.pause)
                case .timeout: break
                case .mounts: if watched.isMountedOver { debounce.change(at: clock.now) }
                case .events(let events):
                    for event in events where watched.concerns(event) {
                        debounce.change(at: clock.now)
                        note(event, watched, &debounce)
                    }
                }
                if let due = debounce.due, clock.now >= due {
                    debounce.reset()
                    signal()
                }
            }
        }

        private struct NamedPlace: Hashable {
            let watch: CInt
            let name: String
        }

        private static func note(
            _ event: System.Inotify.Event, _ watched: Watched, _ debounce: inout Debounce<NamedPlace>
        ) {
            if event.isOverflow { return debounce.forgetCreated() }
            let place = NamedPlace(watch: event.watch, name: event.name)
            switch event.kind {
            case .created: if watched.isBeingWritten(event) { debounce.create(place) }
            case .finished: debounce.finish(place)
            case .other: break
            }
        }
    }

    /// What is watched, for the thread that waits and the one that plans.
    private final class Watched: Sendable {
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

        private struct State {
            /// By the kernel's numbers.
            var places: [CInt: Place] = [:]
            /// What the paths of the plan led to.
            var identities: [Identity] = []
        }

        /// Whether the thread still waits.
        let isWaiting = Atomic(true)
        private let state = Mutex(State())

        static func identities(of paths: [String]) -> [Identity] {
            paths.map { path in
                let status = try? System.status(at: path)
                return Identity(path: path, device: status?.device, inode: status?.inode)
            }
        }

        /// Returns what was watched before.
        func replace(_ places: [CInt: Place], _ identities: [Identity]) -> [CInt: Place] {
            state.withLock { state in
                defer { state = State(places: places, identities: identities) }
                return state.places
            }
        }

        func concerns(_ event: System.Inotify.Event) -> Bool {
            event.isOverflow || state.withLock { $0.places[event.watch]?.names.contains(event.name) ?? false }
        }

        /// Whether a file that was created may have a writer: a link has none.
        func isBeingWritten(_ event: System.Inotify.Event) -> Bool {
            guard let directory = state.withLock({ $0.places[event.watch]?.path }) else { return false }
            guard let status = try? System.status(ofLink: "\(directory)/\(event.name)") else { return false }
            return status.kind == .regular && status.linkCount == 1
        }

        /// Whether a path leads to something else by now.
        var isMountedOver: Bool {
            let old = state.withLock { $0.identities }
            return Self.identities(of: old.map(\.path)) != old
        }
    }

    extension Duration {
        fileprivate var roundedUpToMilliseconds: Int {
            let (seconds, attoseconds) = components
            return Int(clamping: seconds) * 1000 + Int(attoseconds / 1_000_000_000_000_000) + 1
        }
    }
#else
    /// There is none on this platform: the watcher looks at the files from time to time.
    final class DirectoryNotifier: Sendable {
        init?(debounce: Duration, signal: @escaping @Sendable () -> Void) { return nil }
        func update(_ plan: WatchPlan, files: Set<String> = []) -> Bool { false }
        func stop() {}
    }
#endif
