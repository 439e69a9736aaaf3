#if os(Linux)
    import Foundation
    import Properties
    import PropertyLoadersEssentials
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

    @Suite("Watching under load", .serialized, .hangLimit)
    struct PropertyWatcherLoadTests {
        @Test("Each swap of a Kubernetes mount is loaded, and the last one of many")
        func kubernetes() async throws {
            let rounds = LongRun.rounds(20)
            let mount = try KubernetesMount()
            try mount.swap(to: ["round": "0\n"])
            let running = Running(try PropertyStore(sources: DirectoryPropertyLoader(url: mount.url)))
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
