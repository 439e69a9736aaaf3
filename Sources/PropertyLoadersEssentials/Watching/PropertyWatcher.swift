public import Properties
import Synchronization

/// Reloads a store when the files of its sources change.
///
///     let watcher = PropertyWatcher(container) { error in print("settings not reloaded: \(error)") }
///     try await watcher.run()       // until the task is cancelled
///
/// On Linux the kernel reports changes (inotify on the directories, so that renamed files, links and the mounts of
/// Kubernetes are seen). Where it does not, on network file systems, where a single file is mounted, after an error of the
/// kernel and on other platforms, the files are polled. What changed is in `changes(of:)` and `changes(under:)`.
///
/// Files that changed within the last `debounce` are read again before their state counts. A reload that fails for a
/// reason that may go away by itself (`PropertyLoadError.Reason.unavailable`) is tried again, after 100 ms at first and
/// then after ever longer pauses of up to 30 s. A source that is applied while the watcher runs is watched from then on.
///
/// `run` is what a service lifecycle asks of a service. Sources of parents are theirs to watch.
public struct PropertyWatcher: Sendable {
    /// How long nothing may happen before a reload where nothing else is said: 100 ms.
    public static let defaultDebounce = Duration.milliseconds(100)
    /// How often files are looked at, where that is needed and nothing else is said: each 2 s.
    public static let defaultPollInterval = Duration.seconds(2)

    /// How many times the debounce a reload waits at most for files that change all the time.
    private let patience = 20

    private let store: PropertyStore
    private let debounce: Duration
    private let pollInterval: Duration
    private let alwaysPolls: Bool
    private let onFailure: @Sendable (any Error) -> Void

    /// Makes a watcher; it does nothing until it runs.
    ///
    /// - Parameters:
    ///   - properties: a container or a store.
    ///   - debounce: how long nothing may happen before a reload, an hour at most; while changes follow each other it
    ///     waits 20 times that.
    ///   - pollInterval: how often files are looked at, where that is needed.
    ///   - alwaysPolls: whether files are looked at even where the kernel could tell of changes.
    ///   - onFailure: gets the error of a reload that failed, once for one state of the files; the store stays as it was.
    public init(
        _ properties: some PropertyReading, debounce: Duration = Self.defaultDebounce,
        pollInterval: Duration = Self.defaultPollInterval, alwaysPolls: Bool = false,
        onFailure: @escaping @Sendable (any Error) -> Void
    ) {
        self.store = properties.properties
        // It is multiplied: a duration near the longest would trap.
        self.debounce = min(debounce, .seconds(3600))
        self.pollInterval = pollInterval
        self.alwaysPolls = alwaysPolls
        self.onFailure = onFailure
    }

    /// Reloads the store once, then whenever its files change, until the task is cancelled.
    ///
    /// Afterwards no thread and no descriptor is left.
    public func run() async throws {
        let timer = Task { while true { try await Task.sleep(for: Self.timerInterval) } }
        defer { timer.cancel() }
        try? await Task.sleep(for: Self.timerStart)
        // Of several signals that come while a reload is under way, one counts.
        let (signals, signal) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        let notifier = alwaysPolls ? nil : DirectoryNotifier(debounce: debounce) { signal.yield() }
        defer { notifier?.stop() }
        let known = KnownFiles(of: store) { signal.yield() }
        defer { known.stop() }
        var retry = Retry(), reported: Report?
        defer { retry.cancel() }
        // What changed since the sources were applied.
        signal.yield()
        await withTaskGroup { group in
            var isPolling = false
            for await _ in signals {
                retry.cancel()
                guard let (outcome, isTold) = try? await reload(notifier, known) else { break }
                reported = report(outcome, after: reported)
                retry.plan(after: outcome.failure) { signal.yield() }
                if !isTold, !isPolling {
                    isPolling = true
                    group.addTask { await poll { signal.yield() } }
                }
            }
            group.cancelAll()
        }
    }

    // Dispatch takes descriptors for its first timer, and ends the process if none is left. A timer that is far away
    // takes them at the start, and not in a pause that a lack of descriptors leads to.
    private static let timerInterval = Duration.seconds(3600), timerStart = Duration.milliseconds(5)

    /// How often a reload follows another one that led to other files.
    private static let rounds = 2

    /// Reloads, and watches what the sources are read from now.
    ///
    /// - Returns: the last outcome, and whether the kernel reports every change.
    /// - Throws: a `CancellationError` where the task is cancelled.
    private func reload(
        _ notifier: DirectoryNotifier?, _ known: KnownFiles
    ) async throws -> (outcome: SteadyReload, isTold: Bool) {
        known.suspend()
        var round = 1
        while true {
            let files = store.files
            // Watched before they are read, so that no change falls between.
            let isTold = notifier.map { watch(files, $0) } ?? false
            let outcome = try await store.reloadSteadily(pause: debounce, patience: debounce * patience) {
                notifier.map(\.changeCount) ?? 0
            }
            let after = store.files
            // Once more where the sources have other files now: something may have changed before those were watched.
            if after == files || round == Self.rounds {
                known.resume(after)
                return (outcome, isTold && after == files)
            }
            round += 1
        }
    }

    private func watch(_ files: [String], _ notifier: DirectoryNotifier) -> Bool {
        WatchPlan.settled(files) { plan in
            do throws(FileDiagnostic) {
                let mounts = try MountTable()
                // What is mounted at a file changes elsewhere, where the file may be replaced, too.
                let points = plan.files.filter { mounts.isMountPoint($0.rawValue) }
                let isRemote = plan.directories.keys.contains { mounts.isRemote($0.rawValue) }
                return notifier.update(plan, files: points) && points.isEmpty && !isRemote
            } catch {
                _ = notifier.update(plan)
                return false
            }
        }
    }

    private func poll(_ signal: () -> Void) async {
        var files = Stillness(), isSettled = false
        while (try? await Task.sleep(for: pollInterval)) != nil {
            let isChanged = files.update(FileFingerprint(store.files))
            if isChanged || !isSettled { signal() }
            isSettled = files.lasts(FileFingerprint.coarsestStep)
        }
    }

    /// A failure that `onFailure` was given.
    private struct Report {
        let files: FileFingerprint
        let text: String
    }

    /// Gives a failure to `onFailure`, unless it is the last one and comes from the same state of the files.
    ///
    /// - Returns: the last failure, or nil after a success.
    private func report(_ outcome: SteadyReload, after last: Report?) -> Report? {
        guard let failure = outcome.failure else { return nil }
        let new = Report(files: outcome.files, text: "\(failure)")
        if let last, last.files == new.files, last.text.utf8.elementsEqual(new.text.utf8) { return last }
        onFailure(failure)
        return new
    }
}

/// Plans another reload after one that failed for a reason that may go away by itself.
private struct Retry: ~Copyable {
    /// The pauses double from the first to the longest.
    private static let firstPause = Duration.milliseconds(100), longestPause = Duration.seconds(30)

    private var pause = Self.firstPause
    private var task: Task<Void, any Error>?

    /// Signals after a pause, which is longer each time, if a failure may go away by itself.
    ///
    /// - Parameter failure: what the last reload failed with; any other one, or none, makes the next pause short again.
    mutating func plan(after failure: (any Error)?, _ signal: @escaping @Sendable () -> Void) {
        guard let failure = failure as? PropertyLoadError, failure.reason == .unavailable else {
            pause = Self.firstPause
            return
        }
        let now = pause
        task = Task {
            try await Task.sleep(for: now)
            signal()
        }
        pause = min(pause * 2, Self.longestPause)
    }

    /// Drops what was planned.
    mutating func cancel() {
        task?.cancel()
        task = nil
    }
}

/// Signals when a store gets sources with other files than those that are watched.
private final class KnownFiles: Sendable {
    private struct State {
        var files: [String] = []
        /// The watcher compares the files itself while it reloads.
        var isSuspended = true
    }

    private let store: PropertyStore
    private let state = Mutex(State())
    private let signal: @Sendable () -> Void
    private let observer = Mutex<Int?>(nil)

    /// Begins suspended.
    init(of store: PropertyStore, signal: @escaping @Sendable () -> Void) {
        self.store = store
        self.signal = signal
        // Weak, since the store keeps the observer.
        let number = store.addObserver { [weak self] in self?.compare() }
        observer.withLock { $0 = number }
    }

    /// Ends the signals until `resume`.
    func suspend() { state.withLock { $0.isSuspended = true } }

    /// Signals from now on when the store has other files than these.
    func resume(_ files: [String]) {
        state.withLock { $0 = State(files: files, isSuspended: false) }
        // What came in between.
        compare()
    }

    /// Ends the signals.
    func stop() {
        if let number = observer.withLock({ $0 }) { store.removeObserver(number) }
    }

    private func compare() {
        let files = store.files
        if state.withLock({ !$0.isSuspended && $0.files != files }) { signal() }
    }
}
