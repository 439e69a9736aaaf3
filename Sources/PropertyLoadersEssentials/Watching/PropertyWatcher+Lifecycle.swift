extension PropertyWatcher {
    /// Reloads the store once, then whenever its files change, until a function returns.
    ///
    /// The function is the way in which a library for service lifecycles reports that the service is to end. With
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
    /// - Parameter shutdown: waits until the watcher is to end. It runs in a child task, which is cancelled if the task
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

// Without these, the default description of a service that has a watcher, which is the name of the service in the log
// of a service group, would show the settings.
extension PropertyWatcher: CustomStringConvertible, CustomReflectable {
    /// The number of files that are watched now, without any setting.
    public var description: String {
        let count = Set(store.files).count
        return "PropertyWatcher of \(count == 1 ? "1 file" : "\(count) files")"
    }

    /// Contains only the description.
    public var customMirror: Mirror { Mirror(self, children: ["description": description]) }
}
