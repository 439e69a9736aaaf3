import Foundation
import Properties
import PropertyLoadersEssentials
import Synchronization
import TestSupport
import Testing

/// A watcher that runs until the end of a test.
struct Running {
    let store: PropertyStore
    let failures: Failures
    private let task: Task<Void, any Error>

    final class Failures: Sendable {
        private let messages = Mutex<[String]>([])
        func add(_ error: any Error) { messages.withLock { $0.append("\(error)") } }
        var all: [String] { messages.withLock { $0 } }
    }

    /// Starts a watcher.
    init(_ store: PropertyStore, polling: Duration = .milliseconds(20)) {
        let failures = Failures()
        self.store = store
        self.failures = failures
        let watcher = PropertyWatcher(store, debounce: .milliseconds(5), polling: polling) { failures.add($0) }
        task = Task { try await watcher.run() }
    }

    func stop() async throws {
        task.cancel()
        try await task.value
    }

    /// Waits until a property has a value.
    func wait<T: Equatable>(for name: String, _ value: T?) async {
        let changes = store.changes(of: name, as: T.self)
        if changes.current == value { return }
        for await change in changes where change.new == value { return }
    }

    /// Waits until more than `count` failures are reported, and returns the failure after the first `count`.
    func waitForFailure(after count: Int = 0) async throws -> String {
        while failures.all.count <= count { try await Task.sleep(for: .milliseconds(1)) }
        return failures.all[count]
    }
}

@Suite("Watching files", .hangLimit)
struct PropertyWatcherTests {
    private func running(_ loaders: any PropertyLoader...) throws -> Running {
        let store = PropertyStore()
        try store.apply(loaders)
        return Running(store)
    }

    @Test("A file that is written in place, replaced by renaming, removed or restored is noticed")
    func file() async throws {
        let scratch = try Scratch()
        let file = try scratch.write("x = 1", to: "config.toml")
        let running = try running(TomlPropertyLoader(url: file).optional())
        try scratch.write("x = 2", to: "config.toml")
        await running.wait(for: "x", 2)
        try Data("x = 3".utf8).write(to: file, options: .atomic)
        await running.wait(for: "x", 3)
        try FileManager.default.removeItem(at: file)
        await running.wait(for: "x", Int?.none)
        try scratch.write("x = 4", to: "config.toml")
        await running.wait(for: "x", 4)
        #expect(running.failures.all == [])
        try await running.stop()
    }

    @Test("An optional file in a missing directory is noticed when it appears, and when its directory is created again")
    func appears() async throws {
        let scratch = try Scratch()
        let running = try running(TomlPropertyLoader(url: scratch.file("a/b/config.toml")).optional())
        for round in 1...3 {
            try? FileManager.default.removeItem(at: scratch.file("a"))
            try scratch.write("x = \(round)", to: "a/b/config.toml")
            await running.wait(for: "x", round)
        }
        #expect(running.failures.all == [])
        try await running.stop()
    }

    @Test("A link in the path with a new target, and a replaced directory, are noticed")
    func links() async throws {
        let scratch = try Scratch(), manager = FileManager.default
        for release in 1...3 { try scratch.write("x = \(release)", to: "releases/\(release)/config/app.toml") }
        func link(_ release: Int) throws {
            try manager.createSymbolicLink(
                atPath: scratch.file("new").path, withDestinationPath: "releases/\(release)/config")
            _ = try manager.replaceLink(at: scratch.file("current"), with: scratch.file("new"))
        }
        try link(1)
        let running = try running(TomlPropertyLoader(url: scratch.file("current/app.toml")))
        try link(2)
        await running.wait(for: "x", 2)
        try scratch.write("x = 20", to: "releases/2/config/app.toml")
        await running.wait(for: "x", 20)
        try manager.moveItem(at: scratch.file("releases/2"), to: scratch.file("releases/old"))
        try manager.moveItem(at: scratch.file("releases/3"), to: scratch.file("releases/2"))
        await running.wait(for: "x", 3)
        try await running.stop()
    }

    @Test("A broken file is reported and the old state stays; the repaired file is loaded")
    func broken() async throws {
        let scratch = try Scratch()
        let file = try scratch.write("x = 1", to: "config.toml")
        let running = try running(TomlPropertyLoader(url: file), Given(["y": 1]))
        try Data("x = ".utf8).write(to: file, options: .atomic)
        let failure = try await running.waitForFailure()
        #expect(failure.hasPrefix("\(file.path):1:5: "))
        #expect(running.store.values == ["x=1", "y=1"])
        try Data("x = 2".utf8).write(to: file, options: .atomic)
        await running.wait(for: "x", 2)
        try await running.stop()
    }

    @Test("A directory of values and a file in a placeholder are watched")
    func directories() async throws {
        let scratch = try Scratch()
        try scratch.write("1", to: "keys/a")
        let secret = try scratch.write("s1", to: "secret")
        let running = try running(
            DirectoryPropertyLoader(url: scratch.file("keys")),
            Given(["s": .string("${file:\(secret.path)}")]).replacingPlaceholders())
        try scratch.write("2", to: "keys/b")
        await running.wait(for: "b", 2)
        try FileManager.default.removeItem(at: scratch.file("keys/a"))
        await running.wait(for: "a", Int?.none)
        try scratch.write("s2", to: "secret")
        await running.wait(for: "s", "s2")
        try await running.stop()
    }

    @Test(
        "No duration overflows, and a watcher that waits for it stops at once",
        arguments: [Duration.seconds(Int64.max), .seconds(Int64.min)])
    func extremes(duration: Duration) async throws {
        let watcher = PropertyWatcher(
            PropertyStore(), debounce: .seconds(Int64.max), longestDelay: duration, polling: duration
        ) { Issue.record($0) }
        let (starts, start) = AsyncStream.makeStream(of: Void.self)
        let task = Task {
            start.yield()
            try await watcher.run()
        }
        for await _ in starts { break }
        task.cancel()
        try await task.value
    }

    @Test("The files of a source that is applied while the watcher runs are watched")
    func appliedLater() async throws {
        let scratch = try Scratch()
        let store = PropertyStore()
        try store.apply(TomlPropertyLoader(url: try scratch.write("x = 1", to: "first/a.toml")))
        let running = Running(store)
        try scratch.write("x = 2", to: "first/a.toml")
        await running.wait(for: "x", 2)
        try store.apply(TomlPropertyLoader(url: try scratch.write("y = 1", to: "second/b.toml")))
        try scratch.write("y = 2", to: "second/b.toml")
        await running.wait(for: "y", 2)
        try scratch.write("y = 3", to: "second/b.toml")
        await running.wait(for: "y", 3)
        try await running.stop()
    }

    @Test("A failure is reported once for each state of a file, however often it is loaded")
    func reportedOnce() async throws {
        let scratch = try Scratch()
        let file = try scratch.write("x = 1", to: "config.toml")
        let other = try scratch.write("y = 1", to: "other.toml"), failing = Failing(file: other)
        let running = try running(TomlPropertyLoader(url: file), failing)
        try Data("y = ".utf8).write(to: other, options: .atomic)
        let first = try await running.waitForFailure()
        // The loader reports a reason for which it is loaded again.
        let loads = failing.loads.withLock { $0 }
        while failing.loads.withLock({ $0 }) < loads + 3 { try await Task.sleep(for: .milliseconds(5)) }
        #expect(running.failures.all.count == 1)
        try Data("y =  ".utf8).write(to: other, options: .atomic)
        #expect(try await running.waitForFailure(after: 1) == first)
        try Data("y = 2".utf8).write(to: other, options: .atomic)
        await running.wait(for: "y", 2)
        try Data("y = ".utf8).write(to: other, options: .atomic)
        #expect(try await running.waitForFailure(after: 2) == first)
        try await running.stop()
    }

    /// Loads a file of TOML, whose errors may end by themselves.
    private final class Failing: PropertyLoader {
        let file: URL
        let loads = Mutex(0)
        init(file: URL) { self.file = file }
        func load() throws -> PropertyLayer {
            loads.withLock { $0 += 1 }
            do {
                return try TomlPropertyLoader(url: file).load()
            } catch let error as PropertyLoadError {
                throw PropertyLoadError(.unavailable, "broken", at: PropertyOrigin(source: error.origin.source))
            }
        }
    }

    @Test("A change is loaded whatever modification time the file has then, even the time before the change")
    func modificationTimes() async throws {
        let scratch = try Scratch()
        let file = try scratch.write("x = 0", to: "config.toml")
        let running = try running(TomlPropertyLoader(url: file))
        let before = try FileManager.default.attributesOfItem(atPath: file.path)[.modificationDate] as? Date
        let day = 86_400.0
        let times = [
            before, Date() - day, Date() + day, Date() + 9_000 * day, Date(timeIntervalSince1970: -day), before,
        ]
        for (index, time) in times.enumerated() {
            // In place, with the same size.
            try scratch.write("x = \(index + 1)", to: "config.toml")
            try FileManager.default.setAttributes([.modificationDate: #require(time)], ofItemAtPath: file.path)
            await running.wait(for: "x", index + 1)
        }
        #expect(running.failures.all == [])
        try await running.stop()
    }

    @Test("Each state of a Kubernetes mount is loaded, and the last one of many")
    func kubernetes() async throws {
        let mount = try KubernetesMount(), rounds = LongRun.rounds(10)
        try mount.swap(to: ["round": "0\n"])
        let running = try running(DirectoryPropertyLoader(url: mount.url))
        // Waits for each state before the next one …
        for round in 1...rounds {
            try mount.swap(to: ["round": "\(round)\n"])
            await running.wait(for: "round", round)
        }
        // … and then changes the state as fast as possible.
        for round in (rounds + 1)...(2 * rounds) { try mount.swap(to: ["round": "\(round)"]) }
        await running.wait(for: "round", 2 * rounds)
        #expect(running.failures.all.isEmpty)
        try await running.stop()
    }

    @Test("Changes of other files in the directory cause no reload")
    func others() async throws {
        let scratch = try Scratch()
        let file = try scratch.write("x = 1", to: "config.toml")
        let store = try PropertyStore(sources: TomlPropertyLoader(url: file))
        let reloads = Mutex(0)
        let watcher = PropertyWatcher(store, debounce: .milliseconds(5), polling: .milliseconds(5)) {
            Issue.record($0)
        } onReload: { _ in
            reloads.withLock { $0 += 1 }
        }
        let task = Task { try await watcher.run() }
        while reloads.withLock({ $0 }) < 1 { try await Task.sleep(for: .milliseconds(1)) }
        for number in 0..<50 { try scratch.write("\(number)", to: "other.log") }
        // A rename is a single change, however long the writing takes.
        try Data("x = 2".utf8).write(to: file, options: .atomic)
        while store.property("x") != 2 { try await Task.sleep(for: .milliseconds(1)) }
        task.cancel()
        try await task.value
        #expect(reloads.withLock { $0 } == 2)
    }
}

extension FileManager {
    /// Renames a link over another link, as `mv -T` does.
    func replaceLink(at old: URL, with new: URL) throws {
        try KubernetesMount.rename(new.path, old.path)
    }
}
