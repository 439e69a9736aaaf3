public import Properties
import SharedState

/// Reloads a store when the files of its sources change.
///
///     let watcher = PropertyWatcher(container) { error in print("settings not reloaded: \(error)") }
///     try await watcher.run()       // until the task is cancelled
///
/// On Linux the kernel reports changes (inotify on the directories also reports renamed files, replaced links, and the
/// mounts of Kubernetes). Where the kernel does not report changes, the watcher polls the files: on other platforms, on
/// network file systems, for a file that is itself a mount point, and after an error of the kernel. `changes(of:)` and
/// `changes(under:)` return the changes of properties.
///
/// A reload waits until the files have not changed for `debounce`, so that it does not read incomplete files. If a file
/// cannot be read (`PropertyLoadError.Reason.unavailable` and `unreadable`), the watcher tries again, after pauses that
/// double from 100 ms to 30 s. A source that is applied while the watcher runs is watched from then on.
///
/// `run(until:)` ends it from a library for service lifecycles. A watcher does not observe the sources of parents; each
/// parent needs its own watcher.
public struct PropertyWatcher: Sendable {
    /// The default time without changes before a reload: 100 ms.
    public static let defaultDebounce = Duration.milliseconds(100)
    /// The default interval of polling: 2 s.
    public static let defaultPollInterval = Duration.seconds(2)

    /// The maximum wait for files that keep changing, as a multiple of `debounce`.
    private let patience = 20

    private let store: PropertyStore
    private let debounce: Duration
    private let pollInterval: Duration
    private let alwaysPolls: Bool
    private let onFailure: @Sendable (any Error) -> Void
    private let onReload: @Sendable () -> Void

    /// Creates a watcher. It does nothing until `run` is called.
    ///
    /// - Parameters:
    ///   - properties: a container or a store.
    ///   - debounce: how long the files must not change before a reload, at most an hour. If they keep changing, a
    ///     reload starts after 20 times this duration, or after 10 s if that is longer and a new file is still open for
    ///     writing.
    ///   - pollInterval: the interval of polling, where polling is needed.
    ///   - alwaysPolls: whether to poll even if the kernel reports changes.
    ///   - onFailure: receives the error of a failed reload, which does not change the store: a `PropertyErrors` with
    ///     all problems if the new values fail the checks of `PropertyStore.reload()`. If the next reload fails with
    ///     the same error and the files have not changed, it is not called again.
    ///   - onReload: is called after each successful reload, even if no property has changed. With `onFailure`, it
    ///     tells whether the store has the latest state of the files.
    public init(
        _ properties: some PropertyReading<PropertyStore>, debounce: Duration = Self.defaultDebounce,
        pollInterval: Duration = Self.defaultPollInterval, alwaysPolls: Bool = false,
        onFailure: @escaping @Sendable (any Error) -> Void, onReload: @escaping @Sendable () -> Void = {}
    ) {
        self.store = properties.properties
        // Limited because it is multiplied by `patience`, which would overflow for a very long duration.
        self.debounce = min(debounce, .seconds(3600))
        self.pollInterval = pollInterval
        self.alwaysPolls = alwaysPolls
        self.onFailure = onFailure
        self.onReload = onReload
    }

    /// The paths of the files and directories that the watcher observes at the moment.
    var files: [String] { store.files }

    /// Reloads the store once, then whenever its files change, until the task is cancelled.
    ///
    /// When it returns, the thread of the watcher has ended and its descriptors are closed.
    public func run() async throws {
        let timer = Task { while true { try await Task.sleep(for: Self.timerInterval) } }
        defer { timer.cancel() }
        try? await Task.sleep(for: Self.timerStart)
        // The stream buffers one signal, so several signals during a reload cause only one more reload.
        let (signals, signal) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        let notifier = alwaysPolls ? nil : DirectoryNotifier(debounce: debounce) { signal.yield() }
        defer { notifier?.stop() }
        let known = KnownFiles(of: store) { signal.yield() }
        defer { known.stop() }
        var retry = Retry(), reported: Report?
        defer { retry.cancel() }
        // Starts the first reload: the files may have changed since the sources were applied.
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

    // Dispatch opens descriptors for its first timer, and terminates the process if none are free. A timer in the far
    // future makes Dispatch open them soon after `run` starts, and not only in the pause after a reload that failed
    // because no descriptor was free.
    private static let timerInterval = Duration.seconds(3600), timerStart = Duration.milliseconds(5)

    /// The maximum number of loads in one reload. A second load is needed if the sources have other files after the
    /// first.
    private static let rounds = 2

    /// Reloads the store, and watches the files of its sources.
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
            // Watches the files before they are read, so that no change in between is lost.
            let seesEveryChange = notifier.map { watch(files, $0) } ?? false
            let outcome = try await store.reloadSteadily(pause: debounce, patience: debounce * patience) {
                notifier.map(\.changeCount) ?? 0
            }
            let after = store.files
            // If the sources have other files now, loads them again: they may have changed before they were watched.
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
                // A file that is itself a mount point is replaced in another directory, which cannot be watched.
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

    /// A failure that was passed to `onFailure`.
    private struct Report {
        let files: FileFingerprint
        let text: String
    }

    /// Calls `onReload` after a success. Passes a failure to `onFailure`, unless it is the same as the last one and the
    /// files have not changed.
    ///
    /// - Returns: the last failure that was passed, or nil after a success.
    private func report(_ outcome: SteadyReload, after last: Report?) -> Report? {
        guard let failure = outcome.failure else {
            onReload()
            return nil
        }
        let new = Report(files: outcome.files, text: "\(failure)")
        if let last, last.files == new.files, last.text.utf8.elementsEqual(new.text.utf8) { return last }
        onFailure(failure)
        return new
    }
}

/// Schedules another reload after one that could not read a file.
private struct Retry: ~Copyable {
    /// The pauses double from the first to the longest one.
    private static let firstPause = Duration.milliseconds(100), longestPause = Duration.seconds(30)

    private var pause = Self.firstPause
    private var task: Task<Void, any Error>?

    /// Schedules a signal if a failure may end without a change of the files. The pause before it doubles each time.
    ///
    /// - Parameters:
    ///   - failure: the error of the last reload. After nil or another error, the next pause is the first one again.
    ///   - signal: starts the reload.
    mutating func schedule(after failure: (any Error)?, _ signal: @escaping @Sendable () -> Void) {
        guard let failure, Self.mayEndByItself(failure) else {
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

    /// Whether an error, or one of several errors, may end without a change of the files. The kernel does not report
    /// when access that SELinux or a file server denied is allowed again.
    private static func mayEndByItself(_ failure: any Error) -> Bool {
        if let all = failure as? ConfigurationErrors { return all.problems.contains { mayEndByItself($0.error) } }
        guard let error = failure as? PropertyLoadError else { return false }
        return [.unavailable, .unreadable].contains(error.reason)
    }

    /// Cancels the scheduled reload.
    mutating func cancel() {
        task?.cancel()
        task = nil
    }
}

/// Signals when the files of the sources of a store are no longer those that are watched.
private final class KnownFiles: Sendable {
    private struct State {
        var observer: Int?
        /// The watched files. Nil while the watcher reloads, since it then compares the files itself.
        var files: [String]?
    }

    private let store: PropertyStore
    private let state = Guarded(State())
    private let signal: @Sendable () -> Void

    /// Creates an instance that sends no signals until `resume` is called.
    init(of store: PropertyStore, signal: @escaping @Sendable () -> Void) {
        self.store = store
        self.signal = signal
        // Weak, since the store retains the observer.
        let number = store.addObserver { [weak self] in self?.compare() }
        state.withLock { $0.observer = number }
    }

    /// Stops the signals until `resume`.
    func suspend() { state.withLock { $0.files = nil } }

    /// Signals from now on whenever the files of the store are not `files`.
    func resume(_ files: [String]) {
        state.withLock { $0.files = files }
        // Sources may have been applied while the signals were suspended.
        compare()
    }

    /// Stops the signals permanently.
    func stop() {
        if let number = state.withLock({ $0.observer }) { store.removeObserver(number) }
    }

    private func compare() {
        if let known = state.withLock({ $0.files }), known != store.files { signal() }
    }
}
