import Properties
import Synchronization

#if os(Linux)
    /// Signals that files of a plan have changed, once no further change has followed for a while.
    ///
    /// It has four descriptors and, until `stop` is called, a thread that waits in the kernel.
    final class DirectoryNotifier: Sendable {
        private let inotify: Inotify
        private let thread: WaitingThread
        private let watched: WatchedPlaces
        private let liveness: Liveness

        private final class Liveness: Sendable {
            /// False once the thread has ended.
            let isAlive = Atomic(true)
        }

        /// Starts the thread. Returns nil if inotify is missing, or if a limit on descriptors, inotify instances or
        /// threads is reached.
        init?(debounce: Duration, signal: @escaping @Sendable () -> Void) {
            guard let inotify = Inotify() else { return nil }
            let watched = WatchedPlaces(debounce: debounce), liveness = Liveness()
            let thread = WaitingThread {
                Self.wait(for: inotify, watched, signal: signal)
                liveness.isAlive.store(false, ordering: .releasing)
                // If the wait failed, this signal causes a reload, in which the watcher notices that it has to poll.
                signal()
            }
            guard let thread else { return nil }
            (self.watched, self.inotify, self.thread, self.liveness) = (watched, inotify, thread, liveness)
        }

        /// Watches the directories of a plan, and stops watching all others.
        ///
        /// - Parameters:
        ///   - plan: the directories.
        ///   - files: mount points among the files, which are watched themselves.
        /// - Returns: whether every directory and file is watched, and nothing was mounted over them in the meantime.
        func update(_ plan: WatchPlan, files: Set<PropertyKey> = []) -> Bool {
            var places: [CInt: WatchedPlaces.Place] = [:]
            var isComplete = true
            // Recorded before the watches begin, so that a mount in between is noticed at the end of this method.
            let identities = WatchedPlaces.identities(
                of: (Array(plan.directories.keys) + plan.files).map(\.rawValue))
            // Sorted by length, so that each directory is watched after its parent. If another directory replaces it in
            // between, the parent reports that.
            for (directory, names) in plan.directories.ordered(by: {
                $0.key.rawValue.utf8.count < $1.key.rawValue.utf8.count
            }) {
                if let watch = inotify.add(directory.rawValue, isDirectory: true) {
                    places[watch, default: .init(path: directory.rawValue)].names.formUnion(names)
                } else {
                    isComplete = false
                }
            }
            for file in files {
                if let watch = inotify.add(file.rawValue, isDirectory: false) {
                    places[watch] = .init(path: file.rawValue)
                } else {
                    isComplete = false
                }
            }
            // Removes the old watches after the places are replaced: the kernel reports each removal as an event, which
            // is then ignored.
            let old = watched.replace(places, identities)
            for watch in old.keys where places[watch] == nil { inotify.remove(watch) }
            return isComplete && !watched.isMountedOver && isAlive
        }

        /// The number of changes so far, or nil while a file is written.
        ///
        /// If the number is the same before and after a read, no new file was incomplete during the read.
        var changeCount: Int? { isAlive ? watched.changeCount(inotify) : 0 }

        /// Stops the thread, and waits until it has ended.
        func stop() {
            inotify.stop()
            thread.join()
        }

        private var isAlive: Bool { liveness.isAlive.load(ordering: .acquiring) }

        /// The maximum number of consecutive waits that may fail for a temporary reason, such as a lack of memory, and
        /// the pause after each failure in milliseconds.
        private static let failureLimit = 10, pause: CInt = 100

        private static func wait(for inotify: Inotify, _ watched: WatchedPlaces, signal: () -> Void) {
            var failures = 0
            while true {
                do throws(FileDiagnostic) {
                    switch try inotify.wait(milliseconds: watched.rest?.roundedUpToMilliseconds) {
                    case .stopped: return
                    case .timeout: break
                    case .mounts: watched.noteMounts()
                    case .events: try watched.take(from: inotify)
                    }
                    failures = 0
                } catch  where error.reason == .unavailable && failures < failureLimit {
                    failures += 1
                    WaitingThread.pause(milliseconds: pause)
                } catch {
                    return
                }
                if watched.takeDueChanges() { signal() }
            }
        }
    }

    extension Duration {
        fileprivate var roundedUpToMilliseconds: Int {
            let (seconds, attoseconds) = components
            return Int(clamping: Int128(seconds) * 1000 + Int128(attoseconds / 1_000_000_000_000_000) + 1)
        }
    }
#else
    /// Not available on this platform: the watcher polls.
    final class DirectoryNotifier: Sendable {
        init?(debounce: Duration, signal: @escaping @Sendable () -> Void) { return nil }
        var changeCount: Int? { 0 }
        func update(_ plan: WatchPlan, files: Set<PropertyKey> = []) -> Bool { false }
        func stop() {}
    }
#endif
