#if os(Linux)
    import Dispatch
    import Foundation
    import Properties
    import PropertyLoadersEssentials
    import Synchronization
    import Testing

    /// The resources of this process, to check that a test leaks none.
    enum OwnProcess {
        static var descriptors: Int { count("/proc/self/fd") }

        /// Waits until the process has at most a number of descriptors. Other tests may hold more for a time.
        static func hasDescriptors(atMost limit: Int) async -> Bool {
            for _ in 0..<3_000 where descriptors > limit { try? await Task.sleep(for: .milliseconds(10)) }
            return descriptors <= limit
        }

        /// Waits until Dispatch has opened the two descriptors of its timers, at most five seconds.
        ///
        /// It opens them when it first waits for a timer, and terminates the process if no descriptor is free. Its
        /// thread may be so late that the first timers are already due, and then opens none for them. Another version
        /// of Dispatch may need only one.
        static func openTimers() async throws {
            let folder = "/proc/self/fd", manager = FileManager.default
            func timers() throws -> Int {
                try manager.contentsOfDirectory(atPath: folder).count {
                    (try? manager.destinationOfSymbolicLink(atPath: "\(folder)/\($0)")) == "anon_inode:[timerfd]"
                }
            }
            for _ in 0..<500 where try timers() < 2 { try await Task.sleep(for: .milliseconds(10)) }
        }

        /// Whether another inotify instance can be opened. All processes of a user share a limit, which may be as low
        /// as 128.
        static var hasFreeInotifyInstance: Bool {
            let descriptor = inotify_init1(CInt(IN_CLOEXEC))
            guard descriptor >= 0 else { return errno != EMFILE }
            close(descriptor)
            return true
        }

        static var threads: Int { count("/proc/self/task") }

        /// The resident memory in bytes.
        static var memory: Int {
            let text = (try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8)) ?? ""
            return (text.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0) * 4096
        }

        /// Returns the number of rounds of a long test: the variable `SERVICES_ROUNDS`, or the given small number.
        static func rounds(_ short: Int) -> Int {
            ProcessInfo.processInfo.environment["SERVICES_ROUNDS"].flatMap { Int($0) } ?? short
        }

        private static func count(_ directory: String) -> Int {
            (try? FileManager.default.contentsOfDirectory(atPath: directory).count) ?? 0
        }
    }

    /// A thread that reads a table whose values are all the same number. The number only grows.
    final class Reader: Sendable {
        private struct State {
            var isOver = false, reads = 0, torn = 0, last = 0
        }
        private let state = Mutex(State())
        private let ended = DispatchSemaphore(value: 0)

        init(_ store: PropertyStore) {
            Thread.detachNewThread { [self] in
                while !state.withLock({ $0.isOver }) { read(store) }
                read(store)
                ended.signal()
            }
        }

        /// Stops the thread and returns the number of its reads, the number of torn reads and the last state. A torn
        /// read mixes two states or returns an older state than the read before it.
        func stop() -> (reads: Int, torn: Int, last: Int) {
            state.withLock { $0.isOver = true }
            ended.wait()
            return state.withLock { ($0.reads, $0.torn, $0.last) }
        }

        private func read(_ store: PropertyStore) {
            let values: [String: Int] = store.property("state") ?? [:]
            let isWhole = values.count == 3 && Set(values.values).count == 1
            state.withLock { state in
                state.reads += 1
                if !isWhole || values["a"] ?? -1 < state.last { state.torn += 1 }
                state.last = values["a"] ?? state.last
            }
        }
    }

    @Suite("Watching under load", .serialized, .hangLimit)
    struct PropertyWatcherLoadTests {
        @Test("While Kubernetes swaps a mount, four threads read no torn state, and they see the final state")
        func kubernetes() async throws {
            let rounds = OwnProcess.rounds(50)
            let mount = try KubernetesMount()
            func swap(to round: Int) throws {
                try mount.swap(to: ["state.a": "\(round)\n", "state.b": "\(round)\n", "state.c": "\(round)"])
            }
            try swap(to: 0)
            let store = PropertyStore()
            try store.apply(DirectoryPropertyLoader(url: mount.url))
            let running = Running(store)
            let readers = (0..<4).map { _ in Reader(store) }
            // Waits for each state before the next one …
            for round in 1...rounds {
                try swap(to: round)
                await running.wait(for: "state.a", round)
            }
            // … and then changes the state as fast as possible.
            for round in (rounds + 1)...(2 * rounds) { try swap(to: round) }
            await running.wait(for: "state.a", 2 * rounds)
            for reader in readers {
                let (reads, torn, last) = reader.stop()
                #expect(reads > 0)
                #expect(torn == 0)
                #expect(last == 2 * rounds)
            }
            #expect(running.failures.all.isEmpty)
            try await running.stop()
        }

        // The next two tests run in processes of their own, because other tests open descriptors and start threads.
        @Test(
            "After many writes, half of them invalid, the last valid state is loaded, and memory stays bounded"
        )
        func storm() async {
            await #expect(processExitsWith: .success) {
                try await OwnProcess.openTimers()
                let rounds = OwnProcess.rounds(1000)
                let scratch = try Scratch()
                let file = try scratch.write("x = 0", to: "config.toml")
                let store = PropertyStore()
                try store.apply(TomlPropertyLoader(url: file))
                let running = Running(store)
                var memory = 0, descriptors = 0
                for round in 1...rounds {
                    let end = round % 2 == 0 ? "\"" : ""
                    try Data("x = \(round)\ntext = \"good\(end)\n".utf8).write(to: file)
                    // Sometimes waits, so that the watcher can load a state.
                    if round % 50 == 0 { try await Task.sleep(for: .milliseconds(7)) }
                    if round == max(rounds / 5, 1) {
                        (memory, descriptors) = (OwnProcess.memory, OwnProcess.descriptors)
                    }
                }
                try Data("x = \(rounds + 1)\ntext = \"good\"\n".utf8).write(to: file)
                await running.wait(for: "x", rounds + 1)
                #expect(store.property("text") == "good")
                #expect(OwnProcess.memory < memory + 32 << 20)
                #expect(await OwnProcess.hasDescriptors(atMost: descriptors + 8))
                try await running.stop()
            }
        }

        @Test("Watchers that start and stop leave no thread and no descriptor")
        func leavesNothing() async {
            await #expect(processExitsWith: .success) {
                try await OwnProcess.openTimers()
                let scratch = try Scratch()
                let store = PropertyStore()
                try store.apply(TomlPropertyLoader(url: try scratch.write("x = 1", to: "config.toml")))
                func run() async throws {
                    let running = Running(store)
                    try await Task.sleep(for: .milliseconds(1))
                    try await running.stop()
                }
                try await run()
                let threads = OwnProcess.threads, descriptors = OwnProcess.descriptors
                for _ in 0..<100 { try await run() }
                // The thread pool of the runtime may grow a little. A watcher that leaves a thread leaves a hundred.
                let more = OwnProcess.threads - threads
                #expect(more < 50, "\(more) more threads")
                #expect(await OwnProcess.hasDescriptors(atMost: descriptors), "more than \(descriptors)")
            }
        }
    }
#endif
