public import Properties

/// Reloads a store when the files of its sources change.
///
///     let watcher = PropertyWatcher(container) { error in print("settings not reloaded: \(error)") }
///     try await watcher.run()       // until the task is cancelled
///
/// On Linux the kernel tells of changes (inotify on the directories, so that renamed files, links and the mounts of
/// Kubernetes are seen). Where it does not, on network file systems and on other platforms, the files are looked at
/// from time to time. What changed is in `changes(of:)` and `changes(under:)`.
///
/// `run` is what a service lifecycle asks of a service. Sources of parents are theirs to watch.
public struct PropertyWatcher: Sendable {
    /// How long nothing may happen before a reload where nothing else is said: 100 ms.
    public static let defaultDebounce = Duration.milliseconds(100)
    /// How often files are looked at, where that is needed and nothing else is said: each 2 s.
    public static let defaultPollInterval = Duration.seconds(2)

    private let store: PropertyStore
    private let debounce: Duration
    private let pollInterval: Duration
    private let alwaysPolls: Bool
    private let onFailure: @Sendable (any Error) -> Void

    /// Makes a watcher; it does nothing until it runs.
    ///
    /// - Parameters:
    ///   - properties: a container or a store.
    ///   - debounce: how long nothing may happen before a reload; while changes follow each other it waits 20 times that.
    ///   - pollInterval: how often files are looked at, where that is needed.
    ///   - alwaysPolls: whether files are looked at even where the kernel could tell of changes.
    ///   - onFailure: gets the error of each reload that failed; the store stays as it was.
    public init(
        _ properties: some PropertyReading, debounce: Duration = Self.defaultDebounce,
        pollInterval: Duration = Self.defaultPollInterval, alwaysPolls: Bool = false,
        onFailure: @escaping @Sendable (any Error) -> Void
    ) {
        self.store = properties.properties
        self.debounce = debounce
        self.pollInterval = pollInterval
        self.alwaysPolls = alwaysPolls
        self.onFailure = onFailure
    }

    /// Reloads the store once, then whenever its files change, until the task is cancelled.
    ///
    /// Afterwards no thread and no descriptor is left.
    public func run() async throws {
        // Of several signals that come while a reload is under way, one counts.
        let (signals, signal) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        let notifier = alwaysPolls ? nil : DirectoryNotifier(debounce: debounce) { signal.yield() }
        defer { notifier?.stop() }
        // What changed since the sources were applied.
        signal.yield()
        await withTaskGroup { group in
            var isPolling = false
            for await _ in signals {
                let isTold = reload(notifier)
                if !isTold, !isPolling {
                    isPolling = true
                    group.addTask { await poll { signal.yield() } }
                }
            }
            group.cancelAll()
        }
    }

    /// Reloads, and watches what the sources are read from now.
    ///
    /// - Returns: whether the kernel tells of every change.
    private func reload(_ notifier: DirectoryNotifier?) -> Bool {
        var isTold = false
        // Once more where the sources have other files now: something may have changed before those were watched.
        for _ in 0..<2 {
            let files = store.files
            // Watched before they are read, so that no change falls between.
            isTold = notifier.map { watch(files, $0) } ?? false
            do {
                try store.reloadSteadily()
            } catch {
                onFailure(error)
            }
            guard store.files != files, !Task.isCancelled else { break }
        }
        return isTold
    }

    private func watch(_ files: [String], _ notifier: DirectoryNotifier) -> Bool {
        WatchPlan.settled(files) { notifier.update($0) && !isRemote($0) }
    }

    private func isRemote(_ plan: WatchPlan) -> Bool {
        let remote = RemoteFileSystems()
        return plan.directories.keys.contains { remote.contains($0) }
    }

    private func poll(_ signal: () -> Void) async {
        var last: FileFingerprint?
        while (try? await Task.sleep(for: pollInterval)) != nil {
            let current = FileFingerprint(store.files)
            if current != last || !current.isSettled { signal() }
            last = current
        }
    }
}

extension PropertyStore {
    /// How often files are read again that change while they are read.
    private static let attempts = 8

    /// Reloads from files that did not change meanwhile, so that no state mixes two of them.
    ///
    /// - Throws: what a loader throws while its file stays as it is.
    fileprivate func reloadSteadily() throws {
        for _ in 1..<Self.attempts {
            let files = files
            let before = FileFingerprint(files)
            let outcome = Result { try loadAgain() }
            guard FileFingerprint(files) == before else { continue }
            if try publish(outcome.get()) { return }
        }
        // They never stand still: each file is whole, and the next change leads to another reload.
        try reload()
    }
}
