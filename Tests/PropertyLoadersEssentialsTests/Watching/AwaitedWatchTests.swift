import Properties
import PropertyLoadersEssentials
import Synchronization
import TestSupport
import Testing

@Suite("Watching sources that must be awaited", .hangLimit)
struct AwaitedWatchTests {
    /// A watcher that runs until the end of a test, and whose pauses the test ends.
    private final class Watch: Sendable {
        let store = PropertyStore()
        let failures = Running.Failures()
        private let task = Mutex<Task<Void, any Error>?>(nil)
        private let allPauses = Mutex<[Duration]>([])
        private let permits: AsyncStream<Void>.Continuation

        /// Applies sources, and starts the watcher.
        init(_ loaders: PropertySources) async throws {
            let (permitted, permits) = AsyncStream.makeStream(of: Void.self)
            self.permits = permits
            try await store.apply(awaiting: loaders, timeout: .seconds(600))
            var watcher = PropertyWatcher(store, debounce: .milliseconds(5), polling: .milliseconds(20)) {
                [failures] in failures.add($0)
            }
            let turns = Turns(permitted)
            watcher.sleep = { [weak self] time in
                if time == .milliseconds(5) { return }
                self?.allPauses.withLock { $0.append(time) }
                await turns.take()
            }
            task.withLock { [watcher] in $0 = Task { try await watcher.run() } }
        }

        /// The pauses after failures and ends.
        var pauses: [Duration] { allPauses.withLock { $0 } }

        /// Ends the current pause, or the next one.
        func endPause() { permits.yield() }

        func stop() async throws {
            let task = task.withLock { $0 }
            task?.cancel()
            permits.finish()
            try await task?.value
        }

        func wait<T: Equatable>(for name: String, _ value: T?) async {
            let changes = store.changes(of: name, as: T.self)
            if changes.current == value { return }
            for await change in changes where change.new == value { return }
        }
    }

    /// Lets one waiting task go on for each element of a stream.
    private actor Turns {
        private var permits: AsyncStream<Void>.Iterator
        init(_ permits: AsyncStream<Void>) { self.permits = permits.makeAsyncIterator() }
        func take() async {
            var iterator = permits
            _ = await iterator.next(isolation: self)
            permits = iterator
        }
    }

    private func until(_ condition: () -> Bool) async {
        while !condition(), !Task.isCancelled { await Task.yield() }
    }

    @Test("A change is published, and one from before the watcher too")
    func change() async throws {
        let remote = Remote("etcd", ["x": 1])
        let watch = try await Watch([remote, Given(["y": 1])])
        remote.set(["x": 2])
        remote.announce()
        await watch.wait(for: "x", 2)
        for x in 3...20 {
            remote.set(["x": .integer(Int64(x))])
            remote.announce()
        }
        await watch.wait(for: "x", 20)
        #expect(watch.pauses == [])
        try await watch.stop()
        #expect(watch.failures.all == [])
        #expect(remote.sequences == 0)
    }

    @Test(
        """
        A source that is away keeps its last layer, is reported once, is tried again after pauses that double, and does \
        not hide the changes of others
        """)
    func away() async throws {
        let remote = Remote("etcd", ["x": 1]), other = Remote("consul", ["y": 1])
        let watch = try await Watch([remote, other])
        await until { remote.sequences == 1 }
        remote.setAway(true)
        remote.cut()
        let expected = [100, 200, 400, 800, 1600, 3200, 6400, 12800, 25600, 30_000, 30_000]
        for count in 1...expected.count {
            await until { watch.pauses.count == count }
            if count < expected.count { watch.endPause() }
        }
        #expect(watch.pauses == expected.map { .milliseconds($0) })
        // The first load is the load of the sequence. A pause separates all loads.
        #expect(remote.loads == 2 + expected.count - 1)
        other.set(["y": 2])
        other.announce()
        await watch.wait(for: "y", 2)
        #expect(watch.store.values == ["x=1", "y=2"])
        await until { !watch.failures.all.isEmpty }
        #expect(watch.failures.all == ["Remote: connection refused"])
        remote.set(["x": 2])
        remote.setAway(false)
        watch.endPause()
        await watch.wait(for: "x", 2)
        try await watch.stop()
    }

    @Test("Each outage of a source is reported, and each begins with the first pause, however soon it follows")
    func flapping() async throws {
        let remote = Remote("etcd", ["x": 1])
        let watch = try await Watch([remote])
        for count in 1...3 {
            await until { remote.sequences == 1 }
            remote.setAway(true)
            remote.cut()
            await until { watch.pauses.count == 3 * count - 2 }
            for later in 1...2 {
                watch.endPause()
                await until { watch.pauses.count == 3 * count - 2 + later }
            }
            remote.setAway(false)
            watch.endPause()
            await until { remote.sequences == 1 }
            #expect(watch.failures.all == Array(repeating: "Remote: connection refused", count: count))
        }
        let pauses: [Duration] = [.milliseconds(100), .milliseconds(200), .milliseconds(400)]
        #expect(watch.pauses == pauses + pauses + pauses)
        try await watch.stop()
    }

    @Test("A sequence of changes that ends at once causes no load without a pause")
    func ending() async throws {
        let ending = Ending()
        let watch = try await Watch([ending])
        for count in 1...5 {
            await until { watch.pauses.count == count }
            #expect(ending.loads.withLock { $0 } == 1 + count)
            watch.endPause()
        }
        #expect(watch.failures.all == [])
        // It is not an outage, but after three times the pauses grow.
        #expect(Array(watch.pauses.prefix(5)) == [100, 100, 100, 200, 400].map { Duration.milliseconds($0) })
        try await watch.stop()
    }

    @Test("A source that reports no changes is not loaded again, and one that does is, for changes during the start")
    func loadsAtTheBeginning() async throws {
        let silent = Silent(), remote = Remote("etcd", ["x": 1])
        let watch = try await Watch([silent, remote])
        // The change is not announced.
        remote.set(["x": 2])
        await watch.wait(for: "x", 2)
        for x in 3...20 {
            remote.set(["x": .integer(Int64(x))])
            remote.announce()
            await watch.wait(for: "x", Int(x))
        }
        #expect(silent.loads.withLock { $0 } == 1)
        #expect(watch.store.values == ["silent=1", "x=20"])
        _ = try await watch.store.reloadAll()
        #expect(silent.loads.withLock { $0 } == 2)
        try await watch.stop()
    }

    private final class Silent: AsyncPropertyLoader {
        let loads = Mutex(0)
        func load() async throws -> PropertyLayer {
            loads.withLock { $0 += 1 }
            return ["silent": 1]
        }
    }

    private final class Ending: AsyncPropertyLoader {
        let loads = Mutex(0)
        func load() async throws -> PropertyLayer {
            loads.withLock { $0 += 1 }
            return ["x": 1]
        }
        var changes: some AsyncSequence<Void, any Error> { AsyncThrowingStream { $0.finish() } }
    }

    @Test("A source that is applied while the watcher runs is followed, and one that was replaced is not")
    func appliedLater() async throws {
        let first = Remote("etcd", ["x": 1])
        let watch = try await Watch([first])
        await until { first.sequences == 1 }
        let second = Remote("etcd", ["x": 2])
        try await watch.store.apply(awaiting: [second], timeout: patience)
        await until { first.sequences == 0 && second.sequences == 1 }
        second.set(["x": 3])
        second.announce()
        await watch.wait(for: "x", 3)
        try await watch.stop()
        #expect(second.sequences == 0)
    }

    @Test("Values that fail a check are refused and reported, and the next good ones are published")
    func refused() async throws {
        let remote = Remote("etcd", ["port": 1])
        let watch = try await Watch([remote])
        watch.store.declare(TypedKey<Int>("port"))
        remote.set(["port": "x"])
        remote.announce()
        await until { !watch.failures.all.isEmpty }
        #expect(watch.failures.all.first?.hasPrefix("etcd /port revision 3: 'port' is the string \"x\"") == true)
        #expect(watch.store.values == ["port=1"])
        remote.set(["port": 2])
        remote.announce()
        await watch.wait(for: "port", 2)
        try await watch.stop()
    }
}
