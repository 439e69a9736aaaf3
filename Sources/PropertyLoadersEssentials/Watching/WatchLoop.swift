import Properties
import SharedState

/// The work of a watcher, on its own thread: waits for changes, and reloads the store.
struct WatchLoop {
    private typealias Instant = ContinuousClock.Instant

    /// A failure that was passed to `onFailure`.
    private struct Report: Equatable {
        let files: FileFingerprint
        let text: String
    }

    /// The maximum number of loads of files that change during each load.
    private static let attemptLimit = 8
    /// The pauses before something that failed is repeated double from the first to the longest one.
    static let firstPause = Duration.milliseconds(100), longestPause = Duration.seconds(30)

    private let watcher: PropertyWatcher
    private let waker: Waker
    private let inbox: AwaitedResults
    private let clock = ContinuousClock()
    private let paths: WatchedPaths
    /// The files of the store when they were last watched, and whether the kernel does not report every change of them.
    private var files: [String] = [], isPolling = false
    /// The state of the files at the last look. A write changes it earlier than the kernel reports the write.
    private var seen = FileFingerprint([])
    private var debounce: Debounce
    private var attempts = 0
    private var nextPause = Self.firstPause, retryTime: Instant?
    private var reported: Report?

    private var store: PropertyStore { watcher.store }

    init(_ watcher: PropertyWatcher, _ waker: Waker, _ inbox: AwaitedResults) {
        (self.watcher, self.waker, self.inbox) = (watcher, waker, inbox)
        paths = WatchedPaths(watcher.polling == nil ? try? Inotify() : nil)
        debounce = Debounce(pause: watcher.debounce, longestDelay: watcher.longestDelay)
    }

    /// Reloads the store once, then whenever its files change, until the waker is stopped.
    mutating func run() {
        watch()
        seen = FileFingerprint(files)
        // The files may have changed since the sources were applied.
        debounce.note(at: clock.now)
        while !waker.isStopped {
            if !waker.wait(for: paths.descriptor, time: timeout) {
                paths.fail()
                watch()
            }
            _ = noteChanges()
            if let due, clock.now >= due { reload() }
        }
    }

    /// The time of the next reload. A change ends the pause before a failed reload is repeated.
    private var due: Instant? { debounce.due ?? retryTime }

    private var timeout: Duration? {
        [due.map { $0 - clock.now }, isPolling ? watcher.pollInterval : nil].compactMap(\.self).min()
    }

    /// Watches the files of the store.
    private mutating func watch() {
        files = store.files
        isPolling = !paths.update(files)
    }

    /// Looks for changes since the last call.
    ///
    /// - Returns: whether there are any.
    private mutating func noteChanges() -> Bool {
        var results: [ConfigurationErrors?] = []
        inbox.withLock { swap(&$0, &results) }
        for failure in results.compactMap(\.self) { watcher.onFailure(failure) }
        let hasNewLayer = results.contains { $0 == nil }
        if hasNewLayer { debounce.note(isWriting: nil, at: clock.now) }
        let isWriting = paths.takeEvents()
        if files != store.files { watch() }
        let current = FileFingerprint(files)
        guard isWriting != nil || current != seen else { return hasNewLayer }
        seen = current
        // A change of the status comes before its event, which says whether the file is complete.
        debounce.note(isWriting: isWriting ?? !isPolling, at: clock.now)
        return true
    }

    /// Loads the sources again, and publishes them unless their files have changed meanwhile.
    private mutating func reload() {
        // Watches the files before they are read, so that no change in between is lost.
        watch()
        let loaded = store.loadAgain()
        attempts += 1
        // Loads the files again if they have changed, so that two states are not mixed. The last attempt is published
        // although files keep changing: each file is complete, and the changes cause another reload.
        let isChanged = noteChanges()
        if isChanged, attempts < Self.attemptLimit { return }
        attempts = 0
        debounce.end(at: clock.now)
        if isChanged { debounce.note(at: clock.now) }
        do throws(ConfigurationErrors) {
            // If another reload was published meanwhile, this one may be older.
            guard let pending = try store.publish(loaded) else { return debounce.note(at: clock.now) }
            (reported, retryTime, nextPause) = (nil, nil, Self.firstPause)
            watcher.onReload(pending)
        } catch {
            fail(error)
        }
    }

    /// Reports a failed reload, and schedules another one if the failure may end by itself.
    private mutating func fail(_ failure: ConfigurationErrors) {
        let isTemporary = failure.problems.contains { Self.mayEndByItself($0.error) }
        retryTime = isTemporary ? clock.now + nextPause : nil
        nextPause = isTemporary ? min(nextPause * 2, Self.longestPause) : Self.firstPause
        let report = Report(files: seen, text: "\(failure)")
        guard report != reported else { return }
        reported = report
        watcher.onFailure(failure)
    }

    /// Whether an error may end without a change of the files. The kernel does not report when access that SELinux or a
    /// file server denied is allowed again.
    private static func mayEndByItself(_ failure: any Error) -> Bool {
        guard let error = failure as? PropertyLoadError else { return false }
        return [.unavailable, .unreadable].contains(error.reason)
    }
}
