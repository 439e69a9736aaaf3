import Dispatch

/// The loop of a watcher, which checks the files at intervals, and reloads the store.
actor WatchLoop {
    private typealias Instant = ContinuousClock.Instant

    /// A failure that was passed to `onFailure`.
    private struct Report {
        let files: FileFingerprint?
        let text: String

        func isSame(as other: Report?) -> Bool {
            guard let other, text == other.text, let files, let former = other.files else { return false }
            return !files.differs(from: former)
        }
    }

    /// The maximum number of loads of files that change during each load.
    private static let attemptLimit = 8
    /// The pauses before a failed operation is repeated double, from the first pause to the longest.
    static let firstPause = Duration.milliseconds(100), longestPause = Duration.seconds(30)

    private let watcher: PropertyWatcher
    private let executor = WatchExecutor()
    /// The state of the files at the last check, or nil before the first one.
    private var seen: FileFingerprint?
    private var debounce: Debounce
    private var attempts = 0
    private var nextPause = WatchLoop.firstPause, retryTime: Instant?
    private var reported: Report?

    nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe executor.asUnownedSerialExecutor() }

    init(_ watcher: PropertyWatcher) {
        self.watcher = watcher
        debounce = Debounce(pause: watcher.debounce, longestDelay: watcher.longestDelay)
    }

    /// Reloads the store once, then whenever its files change, until the task is cancelled.
    func run() async {
        while !Task.isCancelled {
            _ = noteChanges()
            if let due, .now >= due { reload() }
            // A series of changes may end before the next check.
            try? await Task.sleep(for: min(watcher.polling, due.map { $0 - .now } ?? watcher.polling))
        }
    }

    /// Handles the load of a source that must be awaited.
    ///
    /// - Parameter failure: its error, or nil if there is a new layer.
    func handle(_ failure: ConfigurationErrors?) {
        if let failure { watcher.onFailure(failure) } else { debounce.note(at: .now) }
    }

    /// The time of the next reload. A change ends the pause before a failed reload is repeated.
    private var due: Instant? { debounce.due ?? retryTime }

    /// Returns whether the files of the store have changed since the last call.
    private func noteChanges() -> Bool {
        let current = FileFingerprint(watcher.store.files, after: seen)
        defer { seen = current }
        if let seen, !current.differs(from: seen) { return false }
        debounce.note(at: .now)
        return true
    }

    /// Loads the sources again, and publishes them unless their files have changed meanwhile.
    private func reload() {
        let loaded = watcher.store.loadAgain()
        attempts += 1
        // Loads the files again if they have changed, so that two states are not mixed. If files still change at the
        // last attempt, its result is published: each file is complete, and the changes cause another reload.
        let isChanged = noteChanges()
        if isChanged, attempts < Self.attemptLimit { return }
        attempts = 0
        debounce.end()
        if isChanged { debounce.note(at: .now) }
        do throws(ConfigurationErrors) {
            // If another reload was published meanwhile, this reload may be older.
            guard let pending = try watcher.store.replaceSources(by: loaded) else { return debounce.note(at: .now) }
            (reported, retryTime, nextPause) = (nil, nil, Self.firstPause)
            watcher.onReload(pending)
        } catch {
            fail(error)
        }
    }

    /// Reports a failed reload, and schedules the next if the failure may end by itself.
    private func fail(_ failure: ConfigurationErrors) {
        let isTemporary = failure.problems.contains { Self.mayEndByItself($0.error) }
        retryTime = isTemporary ? .now + nextPause : nil
        nextPause = isTemporary ? min(nextPause * 2, Self.longestPause) : Self.firstPause
        let report = Report(files: seen, text: "\(failure)")
        if report.isSame(as: reported) { return }
        reported = report
        watcher.onFailure(failure)
    }

    /// Whether an error may end without a change of the files, as when SELinux or a file server allows access again.
    private static func mayEndByItself(_ failure: any Error) -> Bool {
        guard let error = failure as? PropertyLoadError else { return false }
        return [.unavailable, .unreadable].contains(error.reason)
    }
}

/// Runs the jobs of an actor on a queue of its own.
///
/// Reading a file may block, and tasks share a small pool of threads.
private final class WatchExecutor: SerialExecutor {
    private let queue = DispatchQueue(label: "PropertyWatcher")

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async { unsafe job.runSynchronously(on: self.asUnownedSerialExecutor()) }
    }
}
