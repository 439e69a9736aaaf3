import Properties
import Synchronization

#if os(Linux)
    /// Signals when something that a plan names has happened and nothing else follows for a while.
    ///
    /// It has one thread, which waits in the kernel, and three descriptors, until `stop` is called.
    final class DirectoryNotifier: Sendable {
        private let inotify: System.Inotify
        private let thread: System.Thread
        private let watched: Watched

        /// What matters, by the kernel's numbers of the directories.
        private final class Watched: Sendable {
            let names = Mutex<[CInt: WatchPlan.Names]>([:])

            func concerns(_ event: System.Inotify.Event) -> Bool {
                event.isOverflow || names.withLock { $0[event.watch]?.contains(event.name) ?? false }
            }
        }

        /// Begins to wait; nil where the kernel has no inotify, or none left for this user.
        init?(debounce: Duration, signal: @escaping @Sendable () -> Void) {
            let watched = Watched()
            guard let inotify = System.Inotify() else { return nil }
            let thread = System.Thread {
                Self.wait(for: inotify, debounce: debounce, concerns: watched.concerns, signal: signal)
            }
            guard let thread else { return nil }
            (self.watched, self.inotify, self.thread) = (watched, inotify, thread)
        }

        /// Watches what a plan names and nothing else.
        ///
        /// - Returns: whether all of its directories can be watched.
        func update(_ plan: WatchPlan) -> Bool {
            var names: [CInt: WatchPlan.Names] = [:]
            var isComplete = true
            // A directory's parent, whose path is shorter, before it: so that it tells if another one takes its place.
            for (directory, some) in plan.directories.sorted(by: { $0.key.utf8.count < $1.key.utf8.count }) {
                if let watch = inotify.add(directory) {
                    names[watch, default: .init()].formUnion(some)
                } else {
                    isComplete = false
                }
            }
            // Out of the list first, since the kernel tells of the removal too.
            let old = watched.names.withLock { current in
                defer { current = names }
                return current
            }
            for watch in old.keys where names[watch] == nil { inotify.remove(watch) }
            return isComplete
        }

        /// Ends the thread and waits until it has ended.
        func stop() {
            inotify.stop()
            thread.join()
        }

        /// How many times the debounce a signal waits at most while changes follow each other.
        private static let patience = 20

        private static func wait(
            for inotify: System.Inotify, debounce: Duration, concerns: (System.Inotify.Event) -> Bool,
            signal: () -> Void
        ) {
            let clock = ContinuousClock()
            var first: ContinuousClock.Instant?
            var last = clock.now
            while true {
                let rest = first.map { max(.zero, min(last + debounce, $0 + debounce * patience) - clock.now) }
                switch inotify.wait(milliseconds: rest?.roundedUpToMilliseconds) {
                case .stopped: return
                case .timeout: break
                case .events(let events):
                    if events.contains(where: concerns) {
                        last = clock.now
                        first = first ?? last
                    }
                }
                guard let begin = first, clock.now >= min(last + debounce, begin + debounce * patience) else {
                    continue
                }
                first = nil
                signal()
            }
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
        func update(_ plan: WatchPlan) -> Bool { false }
        func stop() {}
    }
#endif
