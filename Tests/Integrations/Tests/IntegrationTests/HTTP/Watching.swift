import AsyncHTTPClient
import Container
import Foundation
import PropertyLoaders
import Synchronization
import Testing

/// Values that a test waits for, in the order of their arrival.
final class Log<Value: Sendable>: Sendable {
    private let values = Mutex<[Value]>([])
    func add(_ value: Value) { values.withLock { $0.append(value) } }
    var all: [Value] { values.withLock { $0 } }
}

/// Waits until a condition is true.
func wait(_ condition: () -> Bool) async throws {
    while !condition() { try await Task.sleep(for: .milliseconds(5)) }
}

extension Container {
    /// Waits until a property has a value.
    func wait<T: Equatable & Sendable>(for name: String, _ value: T?) async {
        let changes = changes(of: name, as: T.self)
        if changes.current == value { return }
        for await change in changes where change.new == value { return }
    }

    /// Runs a watcher while a closure runs.
    func watching(
        onReload: @escaping @Sendable () -> Void = {}, _ body: (_ failures: Log<String>) async throws -> Void
    ) async throws {
        let failures = Log<String>()
        let watcher = PropertyWatcher(
            self, debounce: .milliseconds(5), onFailure: { failures.add("\($0)") }, onReload: { _ in onReload() })
        let task = Task { try await watcher.run() }
        defer { task.cancel() }
        try await body(failures)
        task.cancel()
        try await task.value
    }
}

/// Loads a source that must fail, and returns the error.
func failure(
    of loader: HttpPropertyLoader, sourceLocation: SourceLocation = #_sourceLocation
) async -> PropertyLoadError? {
    await #expect(throws: PropertyLoadError.self, sourceLocation: sourceLocation) { try await loader.load() }
}

extension HttpPropertyLoader {
    /// The values of the source as `name = value (place)`.
    var values: [String] {
        get async throws {
            let store = PropertyStore()
            try await store.apply(awaiting: [self])
            return store.entries.map(\.description)
        }
    }
}
