import Foundation
import Properties
import PropertyLoadersEssentials
import Synchronization
import Testing

@Suite("A watcher under a service lifecycle", .hangLimit)
struct PropertyWatcherLifecycleTests {
    private struct Failed: Error {}

    /// A function that waits until `end` is called, or until the task is cancelled.
    private final class Signal: Sendable {
        private let (stream, continuation) = AsyncStream.makeStream(of: Void.self)
        func wait() async throws {
            for await _ in stream { return }
            throw CancellationError()
        }
        func end() { continuation.yield() }
    }

    @Test("The watcher reloads until the function returns, and then ends")
    func ends() async throws {
        let scratch = try Scratch()
        let file = try scratch.write("x = 1", to: "config.toml")
        let store = try PropertyStore(sources: TomlPropertyLoader(url: file))
        let signal = Signal()
        let watcher = PropertyWatcher(store, debounce: .milliseconds(5)) { Issue.record($0) }
        let changes = store.changes(of: "x", as: Int.self)
        let task = Task { try await watcher.run(until: signal.wait) }
        try scratch.write("x = 2", to: "config.toml")
        for await change in changes where change.new == 2 { break }
        signal.end()
        try await task.value
    }

    @Test("onReload is called after each good reload, also after one that restores the old contents")
    func health() async throws {
        let scratch = try Scratch()
        let file = try scratch.write("x = 1", to: "config.toml")
        let store = try PropertyStore(sources: TomlPropertyLoader(url: file))
        let (events, continuation) = AsyncStream.makeStream(of: String.self)
        let watcher = PropertyWatcher(store, debounce: .milliseconds(5)) { _ in
            continuation.yield("failed")
        } onReload: { _ in
            continuation.yield("good")
        }
        let task = Task { try await watcher.run() }
        var iterator = events.makeAsyncIterator()
        func wait(for event: String) async { while await iterator.next() != event {} }
        await wait(for: "good")
        try scratch.write("x = ", to: "config.toml")
        await wait(for: "failed")
        try scratch.write("x = 1", to: "config.toml")
        await wait(for: "good")
        task.cancel()
        try await task.value
    }

    @Test("An error of the function ends the watcher and is thrown")
    func failure() async throws {
        let watcher = PropertyWatcher(PropertyStore()) { Issue.record($0) }
        await #expect(throws: Failed.self) { try await watcher.run(until: { throw Failed() }) }
    }

    @Test("A cancelled task cancels the function and ends the watcher without an error")
    func cancellation() async throws {
        let signal = Signal()
        let task = Task {
            try await PropertyWatcher(PropertyStore()) { Issue.record($0) }.run(until: signal.wait)
        }
        task.cancel()
        try await task.value
        let sleeping = Task {
            try await PropertyWatcher(PropertyStore()) { Issue.record($0) }
                .run(until: { try await Task.sleep(for: .seconds(3600)) })
        }
        sleeping.cancel()
        try await sleeping.value
    }

}
