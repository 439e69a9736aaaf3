public import Properties
import SharedState

/// Reloads a store when the files of its sources change.
///
///     let watcher = PropertyWatcher(container) { error in print("settings not reloaded: \(error)") }
///     try await watcher.run()       // until the task is cancelled
///
/// On Linux the kernel reports changes (by inotify on the directories, so that the watcher notices renamed files, links
/// and the mounts of Kubernetes). The watcher polls the files where the kernel does not report: on other platforms, on
/// network file systems, if a single file is mounted, and after an error of the kernel. `changes(of:)` and
/// `changes(under:)` tell what changed.
///
/// Files that changed within the last `debounce` are read again before their state counts. A reload that fails for a
/// reason that may go away by itself (`PropertyLoadError.Reason.unavailable`) is tried again after pauses that double
/// from 100 ms to 30 s. A source that is applied while the watcher runs is watched from then on.
///
/// A service lifecycle can call `run` as it is. The sources of a parent need a watcher of the parent.
public struct PropertyWatcher: Sendable {
    /// The default time without changes before a reload: 100 ms.
    public static let defaultDebounce = Duration.milliseconds(100)
    /// The default interval of polling: 2 s.
    public static let defaultPollInterval = Duration.seconds(2)

    /// How many times the debounce a reload waits at most while files keep changing.
    private let patience = 20

    private let store: PropertyStore
    private let debounce: Duration
    private let pollInterval: Duration
    private let alwaysPolls: Bool
    private let onFailure: @Sendable (any Error) -> Void

    /// Makes a watcher. It does nothing until `run` is called.
    ///
    /// - Parameters:
    ///   - properties: a container or a store.
    ///   - debounce: the time without changes before a reload, an hour at most. While changes keep coming, a reload waits
    ///     20 times that at most.
    ///   - pollInterval: the interval of polling, where that is needed.
    ///   - alwaysPolls: whether to poll even if the kernel reports changes.
    ///   - onFailure: receives the error of a failed reload, once for one state of the files. The store stays as it was.
    public init(
        _ properties: some PropertyReading, debounce: Duration = Self.defaultDebounce,
        pollInterval: Duration = Self.defaultPollInterval, alwaysPolls: Bool = false,
        onFailure: @escaping @Sendable (any Error) -> Void
    ) {
        self.store = properties.properties
        // It is multiplied, which would trap for a duration near the longest.
        self.debounce = min(debounce, .seconds(3600))
        self.pollInterval = pollInterval
        self.alwaysPolls = alwaysPolls
        self.onFailure = onFailure
    }

    /// Reloads the store once, then whenever its files change, until the task is cancelled.
    ///
    /// When it returns, its thread has ended and its descriptors are closed.
    public func run() async throws {
        let timer = Task { while true { try await Task.sleep(for: Self.timerInterval) } }
        defer { timer.cancel() }
        try? await Task.sleep(for: Self.timerStart)
        // Several signals during one reload lead to one more reload.
        let (signals, signal) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        let notifier = alwaysPolls ? nil : DirectoryNotifier(debounce: debounce) { signal.yield() }
        defer { notifier?.stop() }
        let known = KnownFiles(of: store) { signal.yield() }
        defer { known.stop() }
        var retry = Retry(), reported: Report?
        defer { retry.cancel() }
        // The files may have changed since the sources were applied.
        signal.yield()
        await withTaskGroup { group in
            var isPolling = false
            for await _ in signals {
                retry.cancel()
                guard let (outcome, seesEveryChange) = try? await reload(notifier, known) else { break }
                reported = report(outcome, after: reported)
                retry.schedule(after: outcome.failure) { signal.yield() }
                if !seesEveryChange, !isPolling {
                    isPolling = true
                    group.addTask { await poll { signal.yield() } }
                }
            }
            group.cancelAll()
        }
    }

    // Dispatch opens descriptors for its first timer, and ends the process if there are none. A timer in the far future
    // makes it open them at the start, and not in a pause that a lack of descriptors leads to.
    private static let timerInterval = Duration.seconds(3600), timerStart = Duration.milliseconds(5)

    /// How often files are loaded again because the sources now have other files.
    private static let rounds = 2

    /// Reloads, and watches the files that the sources have now.
    ///
    /// - Returns: the last outcome, and whether the kernel reports every change.
    /// - Throws: a `CancellationError` if the task is cancelled.
    private func reload(
        _ notifier: DirectoryNotifier?, _ known: KnownFiles
    ) async throws -> (outcome: SteadyReload, seesEveryChange: Bool) {
        known.suspend()
        var round = 1
        while true {
            let files = store.files
            // Watched before they are read, so that no change in between is lost.
            let seesEveryChange = notifier.map { watch(files, $0) } ?? false
            let outcome = try await store.reloadSteadily(pause: debounce, patience: debounce * patience) {
                notifier.map(\.changeCount) ?? 0
            }
            let after = store.files
            // Again if the sources have other files now, which may have changed before they were watched.
            if after == files || round == Self.rounds {
                known.resume(after)
                return (outcome, seesEveryChange && after == files)
            }
            round += 1
        }
    }

    private func watch(_ files: [String], _ notifier: DirectoryNotifier) -> Bool {
        WatchPlan.settled(files) { plan in
            do throws(FileDiagnostic) {
                let mounts = try MountTable()
                // A file that is mounted by itself is replaced in another directory, which cannot be watched.
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

    /// A failure that `onFailure` received.
    private struct Report {
        let files: FileFingerprint
        let text: String
    }

    /// Passes a failure to `onFailure`, unless it is the last one again, from the same state of the files.
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

/// Schedules another reload after one that failed for a reason that may go away by itself.
private struct Retry: ~Copyable {
    /// The pauses double from the first to the longest.
    private static let firstPause = Duration.milliseconds(100), longestPause = Duration.seconds(30)

    private var pause = Self.firstPause
    private var task: Task<Void, any Error>?

    /// Signals after a pause, which doubles each time, if a failure may go away by itself.
    ///
    /// - Parameters:
    ///   - failure: the error of the last reload. Any other error, or nil, makes the next pause short again.
    ///   - signal: starts the reload.
    mutating func schedule(after failure: (any Error)?, _ signal: @escaping @Sendable () -> Void) {
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

    /// Cancels the scheduled reload.
    mutating func cancel() {
        task?.cancel()
        task = nil
    }
}

/// Signals when a store gets sources with other files than those that are watched.
private final class KnownFiles: Sendable {
    private struct State {
        var observer: Int?
        /// Nil while the watcher reloads, since it then compares the files itself.
        var files: [String]?
    }

    private let store: PropertyStore
    private let state = Guarded(State())
    private let signal: @Sendable () -> Void

    /// Begins suspended.
    init(of store: PropertyStore, signal: @escaping @Sendable () -> Void) {
        self.store = store
        self.signal = signal
        // Weak, since the store retains the observer.
        let number = store.addObserver { [weak self] in self?.compare() }
        state.withLock { $0.observer = number }
    }

    /// Stops the signals until `resume`.
    func suspend() { state.withLock { $0.files = nil } }

    /// Signals from now on when the store has other files than these.
    func resume(_ files: [String]) {
        state.withLock { $0.files = files }
        // A source may have been applied before this call.
        compare()
    }

    /// Stops the signals for good.
    func stop() {
        if let number = state.withLock({ $0.observer }) { store.removeObserver(number) }
    }

    private func compare() {
        if let known = state.withLock({ $0.files }), known != store.files { signal() }
    }
}
