public import Properties
import SharedState

/// Reloads a store when its sources change.
///
///     let watcher = PropertyWatcher(container) { error in print("settings not reloaded: \(error)") }
///     try await watcher.run()       // until the task is cancelled
///
/// On Linux the kernel reports changes (inotify on the directories also reports renamed files, replaced links, and the
/// mounts of Kubernetes). On other platforms, and after an error of the kernel, the watcher polls the files every 2 s. On
/// a network file system, where the kernel does not report the changes of other machines, pass `polling:`.
/// `changes(of:)` and `changes(under:)` return the changes of properties.
///
/// A reload waits until the files have not changed for `debounce`, so that it does not read incomplete files, but at most
/// `longestDelay`. If a file cannot be read (`PropertyLoadError.Reason.unavailable` and `unreadable`), the watcher tries
/// again, after pauses that double from 100 ms to 30 s. A source that is applied while the watcher runs is watched from
/// then on.
///
/// A source that must be awaited is loaded once, and whenever its `changes` have an element. While it cannot be loaded,
/// its last layer stays, the watcher tries again after the same pauses, and changes of other sources are published.
///
/// `run(until:)` ends it from a library for service lifecycles. A watcher does not observe the sources of parents; each
/// parent needs its own watcher.
public struct PropertyWatcher: Sendable {
    let store: PropertyStore
    let debounce: Duration, longestDelay: Duration
    let polling: Duration?
    let onFailure: @Sendable (ConfigurationErrors) -> Void
    let onReload: @Sendable ([PendingRestart]) -> Void
    /// The interval of polling after an error of the kernel.
    package var fallbackInterval = Duration.seconds(2)
    /// Waits before a source that must be awaited is loaded again.
    package var sleep: @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) }

    /// Creates a watcher. It does nothing until `run` is called.
    ///
    /// - Parameters:
    ///   - properties: a container or a store.
    ///   - debounce: how long the files must not change before a reload, 100 ms by default.
    ///   - longestDelay: the maximum time from a change to the reload, while files keep changing or a file is open for
    ///     writing. By default ten times `debounce`.
    ///   - polling: nil to wait for the kernel's reports of changes. Otherwise the watcher looks at the files after each
    ///     such interval instead.
    ///   - onFailure: receives the problems of a failed reload, which does not change the store. If the next reload fails
    ///     with the same problems and the files have not changed, it is not called again. It also receives the error of a
    ///     source that must be awaited, once while the error stays the same. Like `onReload`, it runs on the watcher's own
    ///     thread.
    ///   - onReload: is called after each successful reload, even if no property has changed. It receives the settings
    ///     that keep their values until a restart, as `reload` returns them.
    public init(
        _ properties: some PropertyReading<PropertyStore>, debounce: Duration = .milliseconds(100),
        longestDelay: Duration? = nil, polling: Duration? = nil,
        onFailure: @escaping @Sendable (ConfigurationErrors) -> Void,
        onReload: @escaping @Sendable ([PendingRestart]) -> Void = { _ in }
    ) {
        store = properties.properties
        self.debounce = Self.bounded(debounce)
        self.longestDelay = Self.bounded(longestDelay ?? self.debounce * 10)
        self.polling = polling.map { max(Self.bounded($0), .milliseconds(1)) }
        self.onFailure = onFailure
        self.onReload = onReload
    }

    /// Limits a duration to 0 s to one day, so that no sum of it overflows.
    private static func bounded(_ duration: Duration) -> Duration { max(.zero, min(duration, .seconds(86_400))) }

    var pollInterval: Duration { polling ?? fallbackInterval }

    /// Reloads the store once, then whenever its files change, until the task is cancelled.
    ///
    /// When it returns, the thread of the watcher has ended and its descriptors are closed.
    public func run() async throws {
        // If no descriptor or thread is available now, one may be later.
        while !Task.isCancelled, await !start() { try? await Task.sleep(for: fallbackInterval) }
    }

    /// Returns false if no descriptor or no thread is available.
    private func start() async -> Bool {
        guard let waker = try? Waker() else { return false }
        let observer = store.addObserver { waker.wake() }
        defer { store.removeObserver(observer) }
        let inbox = AwaitedResults([])
        // It is cancelled and awaited when this method returns.
        async let _ = AwaitedWatch(watcher: self, inbox: inbox, waker: waker).run()
        return await withTaskCancellationHandler {
            await WaitingThread.run {
                var loop = WatchLoop(self, waker, inbox)
                loop.run()
            }
        } onCancel: {
            waker.stop()
        }
    }
}
