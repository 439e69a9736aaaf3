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

    @Suite("Watching under load", .serialized, .timeLimit(.minutes(10)))
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

        @Test(
            "After many writes, half of them invalid, the last valid state is loaded, and memory stays bounded"
        )
        func storm() async throws {
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
                if round == max(rounds / 5, 1) { (memory, descriptors) = (OwnProcess.memory, OwnProcess.descriptors) }
            }
            try Data("x = \(rounds + 1)\ntext = \"good\"\n".utf8).write(to: file)
            await running.wait(for: "x", rounds + 1)
            #expect(store.property("text") == "good")
            #expect(OwnProcess.memory < memory + 32 << 20)
            #expect(await OwnProcess.hasDescriptors(atMost: descriptors + 8))
            try await running.stop()
        }

        @Test("Watchers that start and stop leave no thread and no descriptor")
        func leavesNothing() async throws {
            let scratch = try Scratch()
            let store = PropertyStore()
            try store.apply(TomlPropertyLoader(url: try scratch.write("x = 1", to: "config.toml")))
            let threads = OwnProcess.threads, descriptors = OwnProcess.descriptors
            for _ in 0..<100 {
                let running = Running(store)
                try await Task.sleep(for: .milliseconds(1))
                try await running.stop()
            }
            // The limits are generous, because other tests run at the same time and the runtime's thread pool grows a
            // little.
            #expect(OwnProcess.threads < threads + 50)
            #expect(await OwnProcess.hasDescriptors(atMost: descriptors + 50))
        }
    }
#endif
