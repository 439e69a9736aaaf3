internal import SharedState

/// Reloads a store when its sources change.
///
///     let watcher = PropertyWatcher(container) { error in print("settings not reloaded: \(error)") }
///     try await watcher.run()       // until the task is cancelled
///
/// The watcher compares the metadata of the files with the metadata of its last check, four times a second by default.
/// It follows links, so it notices renamed files, replaced links and directories, and the mounts of Kubernetes.
/// `changes(of:)` and `changes(under:)` return the changes of properties.
///
/// A reload waits until the files have not changed for `debounce`, so that it does not read incomplete files, but at most
/// `longestDelay`. If a file cannot be read (`PropertyLoadError.Reason.unavailable` and `unreadable`), the watcher tries
/// again, after pauses that double from 100 ms to 30 s. A source that is applied while the watcher runs is watched from
/// then on.
///
/// A source that must be awaited and has `changes` is loaded once, and whenever these have an element. While it cannot be
/// loaded, its last layer stays, the watcher tries again after the same pauses, and changes of other sources are
/// published.
///
/// `run(until:)` ends it from a library for service lifecycles. A watcher does not observe the sources of parents; each
/// parent needs its own watcher.
public struct PropertyWatcher: Sendable {
    let store: PropertyStore
    let debounce: Duration, longestDelay: Duration, polling: Duration
    let onFailure: @Sendable (ConfigurationErrors) -> Void
    let onReload: @Sendable ([PendingRestart]) -> Void
    /// Waits before a source that must be awaited is loaded again.
    package var sleep: @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) }

    /// Creates a watcher. It does nothing until `run` is called.
    ///
    /// - Parameters:
    ///   - properties: a container or a store.
    ///   - debounce: how long the files must not change before a reload, 100 ms by default.
    ///   - longestDelay: the maximum time from the first change that was noticed to the reload, while files keep
    ///     changing. By default five times `debounce`.
    ///   - polling: the interval at which the watcher checks the files, 250 ms by default.
    ///   - onFailure: receives the problems of a failed reload, which does not change the store. If the next reload fails
    ///     with the same problems and the files have not changed, it is not called again. It also receives the error of a
    ///     source that must be awaited, once while the error stays the same. Like `onReload`, it runs on the watcher's own
    ///     queue.
    ///   - onReload: is called after each successful reload, even if no property has changed. It receives the settings
    ///     that keep their values until a restart, as `reload` returns them.
    public init(
        _ properties: some PropertyReading<PropertyStore>, debounce: Duration = .milliseconds(100),
        longestDelay: Duration? = nil, polling: Duration = .milliseconds(250),
        onFailure: @escaping @Sendable (ConfigurationErrors) -> Void,
        onReload: @escaping @Sendable ([PendingRestart]) -> Void = { _ in }
    ) {
        store = properties.properties
        self.debounce = debounce.bounded
        self.longestDelay = (longestDelay ?? self.debounce * 5).bounded
        self.polling = max(polling.bounded, .milliseconds(1))
        self.onFailure = onFailure
        self.onReload = onReload
    }

    /// Reloads the store once, then whenever its files change, until the task is cancelled.
    public func run() async throws {
        let loop = WatchLoop(self)
        // It is cancelled and awaited when this method returns.
        async let _ = AwaitedWatch(watcher: self, loop: loop).run()
        await loop.run()
    }
}

// MARK: - Lifecycle

extension PropertyWatcher {
    /// Reloads the store once, then whenever its files change, until a function returns.
    ///
    /// By this function, a library for service lifecycles reports that the service must end. With
    /// swift-service-lifecycle, whose graceful shutdown does not cancel the tasks of the services:
    ///
    ///     struct SettingsService: Service {
    ///         let watcher: PropertyWatcher
    ///
    ///         func run() async throws { try await watcher.run(until: gracefulShutdown) }
    ///     }
    ///
    /// It also returns when the task is cancelled.
    ///
    /// - Parameter shutdown: waits until the watcher must end. It runs in a child task, which is cancelled if the task
    ///   is cancelled.
    /// - Throws: the error of `shutdown`, unless it is a `CancellationError`.
    public func run(until shutdown: @escaping @Sendable () async throws -> Void) async throws {
        try await withThrowingTaskGroup { group in
            group.addTask { try await run() }
            group.addTask { try await shutdown() }
            defer { group.cancelAll() }
            do { try await group.next() } catch is CancellationError {}
        }
    }
}

// A service group logs the default description of a service, which contains its watcher. Without these descriptions,
// the log would show the settings.
extension PropertyWatcher: CustomStringConvertible, CustomReflectable {
    /// The number of files that are watched now, without any setting.
    public var description: String {
        let count = Set(store.files).count
        return "PropertyWatcher of \(count == 1 ? "1 file" : "\(count) files")"
    }

    /// Contains only the description.
    public var customMirror: Mirror { Mirror(self, children: ["description": description]) }
}
