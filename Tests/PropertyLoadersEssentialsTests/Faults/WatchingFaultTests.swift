#if os(Linux)
    import FoundationEssentials
    import Properties
    import PropertyLoadersEssentials
    import Testing

    #if canImport(Glibc)
        import Glibc
    #elseif canImport(Musl)
        import Musl
    #endif

    // Each test runs in its own process, because injected failures affect the whole process.
    @Suite("Changes while system calls fail", .hangLimit)
    struct WatchingFaultTests {
        @Test("A change is loaded although a call fails", arguments: InjectedFailures.Call.allCases.indices)
        func once(index: Int) async {
            await #expect(processExitsWith: .success) { [index = index as Int] in
                let call = InjectedFailures.Call.allCases[index]
                for scenario in 0..<OwnProcess.rounds(12) {
                    let code = Fault.codes[scenario % Fault.codes.count], first = 1 + scenario
                    let watched = try WatchedSources(), calls = Calls()
                    // Two successive calls fail, since a plan that differs from the next one is made again.
                    InjectedFailures.set { $0 == call && (first...first + 1).contains(calls.next($0)) ? code : nil }
                    let running = Running(watched.store)
                    let place: Comment = "\(call) \(first) fails with \(code)"
                    #expect(try await watched.load(1), place)
                    InjectedFailures.set(nil)
                    #expect(try await watched.load(2), place)
                    try await running.stop()
                }
            }
        }

        @Test(
            "While a call keeps failing, the process rests, and a change is loaded when the fault ends",
            arguments: InjectedFailures.Call.allCases.indices)
        func forAWhile(index: Int) async {
            await #expect(processExitsWith: .success) { [index = index as Int] in
                let call = InjectedFailures.Call.allCases[index]
                var descriptors: [Int] = []
                try await OwnProcess.openTimers()
                for code in Fault.codes where code != EINTR {
                    let watched = try WatchedSources()
                    let running = Running(watched.store, pollInterval: .milliseconds(100))
                    let place: Comment = "\(call) fails with \(code)"
                    #expect(try await watched.load(1), place)
                    InjectedFailures.set { $0 == call ? code : nil }
                    try watched.sources.set(2)
                    let clock = ContinuousClock(), begin = (clock.now, OwnProcess.processorTime)
                    try await Task.sleep(for: .milliseconds(400))
                    // A loop without pauses takes 400 ms of each thread that runs it. The watcher takes 10 ms. On a
                    // busy machine the pause may last seconds, in which the watcher does more.
                    let (elapsed, time) = (clock.now - begin.0, OwnProcess.processorTime - begin.1)
                    #expect(time < max(.milliseconds(200), elapsed / 2), place)
                    // A reload between the changes of two files loads only the first of them.
                    #expect(Set(FaultySources.values(in: watched.store)).isSubset(of: [1, 2]), place)
                    InjectedFailures.set(nil)
                    #expect(try await watched.load(2), place)
                    #expect(try await watched.load(3), place)
                    try await running.stop()
                    descriptors.append(OwnProcess.descriptors)
                }
                #expect(descriptors.count == 5)
                #expect(Set(descriptors).count == 1, "\(descriptors)")
            }
        }

        @Test("A directory that is denied only while the watches are set is watched after that")
        func denied() async {
            await #expect(processExitsWith: .success) {
                for other in 2...10 {
                    let scratch = try Scratch()
                    let file = try scratch.write("x = 0", to: "config.toml")
                    let store = try PropertyStore(sources: TomlPropertyLoader(url: file)), calls = Calls()
                    InjectedFailures.set {
                        guard $0 == .status else { return nil }
                        return [1, other].contains(calls.next($0)) ? EACCES : nil
                    }
                    let running = Running(store)
                    while calls.count(.status) < 20 { try await Task.sleep(for: .milliseconds(1)) }
                    InjectedFailures.set(nil)
                    try Data("x = 1".utf8).write(to: file, options: .atomic)
                    await running.wait(for: "x", 1)
                    try await running.stop()
                }
            }
        }
    }

    /// A store of `FaultySources`, and their files.
    private struct WatchedSources {
        let sources: FaultySources
        let store = PropertyStore()

        init() throws {
            sources = try FaultySources(value: 0)
            try store.apply(sources.loaders)
        }

        /// Changes all files, and waits until the store has the new values, or until it takes too long.
        func load(_ value: Int) async throws -> Bool {
            try sources.set(value)
            for _ in 0..<4_000 {
                if FaultySources.values(in: store).allSatisfy({ $0 == value }) { return true }
                try await Task.sleep(for: .milliseconds(5))
            }
            return false
        }
    }

    extension OwnProcess {
        /// The processor time of all threads of this process.
        static var processorTime: Duration {
            var time = timespec()
            unsafe clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
            return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
        }
    }
#endif
