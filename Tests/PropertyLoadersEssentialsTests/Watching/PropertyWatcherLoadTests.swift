#if os(Linux)
    import Dispatch
    import Foundation
    import Properties
    import PropertyLoadersEssentials
    import Synchronization
    import TestSupport
    import Testing

    /// The resources of this process, to check that a test leaks none.
    enum OwnProcess {
        static var descriptors: Int { count("/proc/self/fd") }

        /// The number of descriptors that watchers have.
        static var watchDescriptors: Int {
            let folder = "/proc/self/fd", manager = FileManager.default
            let names = (try? manager.contentsOfDirectory(atPath: folder)) ?? []
            let targets = names.map { (try? manager.destinationOfSymbolicLink(atPath: "\(folder)/\($0)")) ?? "" }
            return targets.count { $0.hasPrefix("pipe:") || $0 == "anon_inode:inotify" }
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
            let rounds = LongRun.rounds(20)
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

        @Test("Watchers that start and stop leave no thread and no descriptor")
        func leavesNothing() async {
            // In its own process, because other tests open descriptors and start threads.
            await #expect(processExitsWith: .success) {
                let scratch = try Scratch(), rounds = LongRun.rounds(20)
                let file = try scratch.write("x = 0", to: "config.toml")
                let store = try PropertyStore(sources: TomlPropertyLoader(url: file))
                let threads = OwnProcess.threads, descriptors = OwnProcess.watchDescriptors
                for round in 1...rounds {
                    let running = Running(store)
                    try Data("x = \(round)".utf8).write(to: file, options: .atomic)
                    if round % 2 == 0 { await running.wait(for: "x", round) }
                    try await running.stop()
                }
                #expect(OwnProcess.watchDescriptors == descriptors)
                // The thread pool of the runtime may grow a little.
                let more = OwnProcess.threads - threads
                #expect(more < rounds / 2, "\(more) more threads")
            }
        }
    }
#endif
