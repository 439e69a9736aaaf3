import Properties
import Synchronization

#if os(Linux)
    /// Signals after changes of the files that a plan names, once nothing else follows for a while.
    ///
    /// Until `stop` is called it has one thread, which waits in the kernel, and four descriptors.
    final class DirectoryNotifier: Sendable {
        private let inotify: Inotify
        private let thread: WaitingThread
        private let watched: WatchedPlaces
        private let liveness: Liveness

        private final class Liveness: Sendable {
            /// False once the thread has ended.
            let isAlive = Atomic(true)
        }

        /// Starts the thread. Returns nil if the kernel has no inotify, or this user can have no more of it.
        init?(debounce: Duration, signal: @escaping @Sendable () -> Void) {
            guard let inotify = Inotify() else { return nil }
            let watched = WatchedPlaces(debounce: debounce), liveness = Liveness()
            let thread = WaitingThread {
                Self.wait(for: inotify, watched, signal: signal)
                liveness.isAlive.store(false, ordering: .releasing)
                // The wait may have failed. Then the watcher has to poll.
                signal()
            }
            guard let thread else { return nil }
            (self.watched, self.inotify, self.thread, self.liveness) = (watched, inotify, thread, liveness)
        }

        /// Watches what a plan names, and nothing else.
        ///
        /// - Parameters:
        ///   - plan: the directories.
        ///   - files: files to watch by themselves, since something is mounted there.
        /// - Returns: whether all of them are watched.
        func update(_ plan: WatchPlan, files: Set<PropertyKey> = []) -> Bool {
            var places: [CInt: WatchedPlaces.Place] = [:]
            var isComplete = true
            // Before the watches begin, so that a mount between the two is noticed.
            let identities = WatchedPlaces.identities(
                of: (Array(plan.directories.keys) + plan.files).map(\.rawValue))
            // A directory after its parent, whose path is shorter and which reports that another directory takes its place.
            for (directory, names) in plan.directories.sorted(by: {
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
            // After the places are replaced, since the kernel reports the removal, too.
            let old = watched.replace(places, identities)
            for watch in old.keys where places[watch] == nil { inotify.remove(watch) }
            return isComplete && !watched.isMountedOver && isAlive
        }

        /// The number of changes so far, or nil while a file is written.
        ///
        /// What is read between two equal numbers contains no half of a new file.
        var changeCount: Int? { isAlive ? watched.changeCount(inotify) : 0 }

        /// Ends the thread and waits until it has ended.
        func stop() {
            inotify.stop()
            thread.join()
        }

        private var isAlive: Bool { liveness.isAlive.load(ordering: .acquiring) }

        /// How often in a row a wait may fail for lack of memory, and the pause after each failure, in milliseconds.
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
