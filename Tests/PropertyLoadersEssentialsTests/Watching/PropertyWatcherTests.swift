import Foundation
import Properties
import PropertyLoadersEssentials
import Synchronization
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

    /// Longer than any test.
    static let never = Duration.seconds(3600)

    /// Starts a watcher.
    ///
    /// - Parameters:
    ///   - store: the store that it reloads.
    ///   - polls: whether it polls. Otherwise the test sees only the changes that the kernel reports.
    ///   - longestDelay: the longest delay of the watcher, by default ten times its debounce of 5 ms.
    ///   - fallback: the interval of polling after an error of the kernel.
    init(_ store: PropertyStore, polls: Bool = false, longestDelay: Duration? = nil, fallback: Duration = Self.never) {
        let failures = Failures()
        self.store = store
        self.failures = failures
        task = Task {
            #if os(Linux)
                // Without an inotify instance the watcher would poll, and so never see a change.
                while fallback == Self.never, !OwnProcess.hasFreeInotifyInstance {
                    try await Task.sleep(for: .milliseconds(5))
                }
            #endif
            var watcher = PropertyWatcher(
                store, debounce: .milliseconds(5), longestDelay: longestDelay,
                polling: polls ? .milliseconds(20) : nil
            ) { failures.add($0) }
            #if os(Linux)
                watcher.fallbackInterval = fallback
            #else
                watcher.fallbackInterval = .milliseconds(20)
            #endif
            try await watcher.run()
        }
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
    private func running(_ loaders: [any PropertyLoader], polls: Bool) throws -> Running {
        let store = PropertyStore()
        try store.apply(loaders)
        return Running(store, polls: polls)
    }

    @Test(
        "A file that is written in place, replaced by renaming, removed or restored is noticed",
        arguments: [false, true])
    func file(polls: Bool) async throws {
        let scratch = try Scratch()
        let file = try scratch.write("x = 1", to: "config.toml")
        let running = try running([TomlPropertyLoader(url: file).optional()], polls: polls)
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

    @Test("An optional file in a missing directory is noticed when it appears", arguments: [false, true])
    func appears(polls: Bool) async throws {
        let scratch = try Scratch()
        let running = try running([TomlPropertyLoader(url: scratch.file("a/b/config.toml")).optional()], polls: polls)
        try scratch.write("x = 1", to: "a/b/config.toml")
        await running.wait(for: "x", 1)
        try await running.stop()
    }

    @Test(
        "A link in the path with a new target, and a replaced directory, are noticed", arguments: [false, true])
    func links(polls: Bool) async throws {
        let scratch = try Scratch(), manager = FileManager.default
        for release in 1...3 { try scratch.write("x = \(release)", to: "releases/\(release)/config/app.toml") }
        func link(_ release: Int) throws {
            try manager.createSymbolicLink(
                atPath: scratch.file("new").path, withDestinationPath: "releases/\(release)/config")
            _ = try manager.replaceLink(at: scratch.file("current"), with: scratch.file("new"))
        }
        try link(1)
        let running = try running([TomlPropertyLoader(url: scratch.file("current/app.toml"))], polls: polls)
        try link(2)
        await running.wait(for: "x", 2)
        try scratch.write("x = 20", to: "releases/2/config/app.toml")
        await running.wait(for: "x", 20)
        try manager.moveItem(at: scratch.file("releases/2"), to: scratch.file("releases/old"))
        try manager.moveItem(at: scratch.file("releases/3"), to: scratch.file("releases/2"))
        await running.wait(for: "x", 3)
        try await running.stop()
    }

    @Test("A broken file is reported and the old state stays; the repaired file is loaded", arguments: [false, true])
    func broken(polls: Bool) async throws {
        let scratch = try Scratch()
        let file = try scratch.write("x = 1", to: "config.toml")
        let running = try running([TomlPropertyLoader(url: file), Given(["y": 1])], polls: polls)
        try Data("x = ".utf8).write(to: file, options: .atomic)
        let failure = try await running.waitForFailure()
        #expect(failure.hasPrefix("\(file.path):1:5: "))
        #expect(running.store.values == ["x=1", "y=1"])
        try Data("x = 2".utf8).write(to: file, options: .atomic)
        await running.wait(for: "x", 2)
        try await running.stop()
    }

    @Test("A directory of values and a file in a placeholder are watched", arguments: [false, true])
    func directories(polls: Bool) async throws {
        let scratch = try Scratch()
        try scratch.write("1", to: "keys/a")
        let secret = try scratch.write("s1", to: "secret")
        let running = try running(
            [
                DirectoryPropertyLoader(url: scratch.file("keys")),
                Given(["s": .string("${file:\(secret.path)}")]).replacingPlaceholders(),
            ], polls: polls)
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

    @Test("A change between the first load and the start of the watcher is noticed")
    func before() async throws {
        let scratch = try Scratch()
        let file = try scratch.write("x = 1", to: "config.toml")
        let store = PropertyStore()
        try store.apply(TomlPropertyLoader(url: file))
        try scratch.write("x = 2", to: "config.toml")
        let running = Running(store)
        await running.wait(for: "x", 2)
        try await running.stop()
    }

    @Test("The files of a source that is applied while the watcher runs are watched", arguments: [false, true])
    func appliedLater(polls: Bool) async throws {
        let scratch = try Scratch()
        let store = PropertyStore()
        try store.apply(TomlPropertyLoader(url: try scratch.write("x = 1", to: "first/a.toml")))
        let running = Running(store, polls: polls)
        try scratch.write("x = 2", to: "first/a.toml")
        await running.wait(for: "x", 2)
        try store.apply(TomlPropertyLoader(url: try scratch.write("y = 1", to: "second/b.toml")))
        try scratch.write("y = 2", to: "second/b.toml")
        await running.wait(for: "y", 2)
        try scratch.write("y = 3", to: "second/b.toml")
        await running.wait(for: "y", 3)
        try await running.stop()
    }

    @Test("A failure is reported once for each state of a file, however often it is loaded", arguments: [false, true])
    func reportedOnce(polls: Bool) async throws {
        let scratch = try Scratch()
        let file = try scratch.write("x = 1", to: "config.toml")
        let other = try scratch.write("y = 1", to: "other.toml"), failing = Failing(file: other)
        let running = try running([TomlPropertyLoader(url: file), failing], polls: polls)
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

    @Test(
        "A change is loaded whatever modification time the file has then, even the time before the change",
        arguments: [false, true])
    func modificationTimes(polls: Bool) async throws {
        let scratch = try Scratch()
        let file = try scratch.write("x = 0", to: "config.toml")
        let running = try running([TomlPropertyLoader(url: file)], polls: polls)
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

    #if os(Linux)
        @Test("A file that is removed, created and written slowly is loaded when it is closed")
        func slowlyWritten() async throws {
            let scratch = try Scratch()
            let file = try scratch.write("x = 7", to: "config.toml")
            let store = try PropertyStore(sources: TomlPropertyLoader(url: file).optional())
            let running = Running(store, longestDelay: Running.never)
            let changes = store.changes(of: "x", as: Int.self)
            try Data("x = 8".utf8).write(to: file, options: .atomic)
            await running.wait(for: "x", 8)
            try FileManager.default.removeItem(at: file)
            let writer = try SlowWriter(file)
            for text in ["x = 1", "0", "0"] {
                try writer.append(text)
                // Longer than the debounce. It may be any longer: the test passes then, too.
                try await Task.sleep(for: .milliseconds(20))
            }
            writer.end()
            await running.wait(for: "x", 100)
            try await running.stop()
            var seen: [Int] = []
            for await change in changes {
                if let new = change.new { seen.append(new) }
                if change.new == 100 { break }
            }
            #expect(seen == [8, 100])
        }

        @Test("A file that is written in place and stays open is loaded after the longest delay")
        func open() async throws {
            let scratch = try Scratch()
            let file = try scratch.write("x = 1", to: "config.toml")
            let running = try running([TomlPropertyLoader(url: file)], polls: false)
            let writer = try SlowWriter(file)
            for value in 2...3 {
                try writer.append("x = \(value)\n" + String(repeating: "#", count: value) + "\n")
                if value == 2 { await running.wait(for: "x", 2) }
            }
            _ = try await running.waitForFailure()
            writer.end()
            try await running.stop()
        }

        @Test("A file whose contents are changed through another directory, such as a mounted file, is noticed")
        func mounted() async throws {
            let scratch = try Scratch()
            let file = try scratch.write("x = 1", to: "host/config.toml")
            try scratch.write("", to: "guest/other")
            let link = scratch.file("guest/config.toml")
            try FileManager.default.linkItem(at: file, to: link)
            let running = try running([TomlPropertyLoader(url: link)], polls: false)
            for value in 2...3 {
                try scratch.write("x = \(value)", to: "host/config.toml")
                await running.wait(for: "x", value)
            }
            try await running.stop()
        }
    #endif

    @Test("Changes of other files in the directory cause no reload")
    func others() async throws {
        final class Counting: PropertyLoader {
            let file: URL
            let loads = Mutex(0)
            init(_ file: URL) { self.file = file }
            func load() throws -> PropertyLayer {
                loads.withLock { $0 += 1 }
                return try TomlPropertyLoader(url: file).load()
            }
        }
        let scratch = try Scratch()
        let file = try scratch.write("x = 1", to: "config.toml")
        let loader = Counting(file)
        let running = Running(try PropertyStore(sources: loader))
        while loader.loads.withLock({ $0 }) < 2 { try await Task.sleep(for: .milliseconds(1)) }
        for number in 0..<50 { try scratch.write("\(number)", to: "other.log") }
        // A rename is a single change, however long the writing takes.
        try Data("x = 2".utf8).write(to: file, options: .atomic)
        await running.wait(for: "x", 2)
        // One load by `apply`, one when the watcher starts, one for the change, and one more if the change comes during
        // the start of the watcher.
        #expect(loader.loads.withLock { $0 } <= 4)
        try await running.stop()
    }
}

extension FileManager {
    /// Renames a link over another one, as `mv -T` does.
    func replaceLink(at old: URL, with new: URL) throws {
        try KubernetesMount.rename(new.path, old.path)
    }
}
