#if os(Linux)
    import FoundationEssentials
    import Properties
    import PropertyLoadersEssentials
    import Synchronization
    import Testing

    #if canImport(Glibc)
        import Glibc
    #elseif canImport(Musl)
        import Musl
    #endif

    // Each test runs in its own process, because injected failures affect the whole process.
    @Suite("Watching while system calls fail", .hangLimit)
    struct DirectoryNotifierTests {
        @Test("A wait that fails for lack of memory is repeated without spinning", arguments: [false, true])
        func memory(ofPoll: Bool) async {
            await #expect(processExitsWith: .success) { [ofPoll = ofPoll as Bool] in
                let scratch = try Scratch()
                let file = try scratch.write("x = 1", to: "config.toml")
                let running = Running(
                    try PropertyStore(sources: TomlPropertyLoader(url: file)), pollInterval: Running.never)
                try Data("x = 2".utf8).write(to: file, options: .atomic)
                await running.wait(for: "x", 2)
                let calls = Calls()
                InjectedFailures.set { $0 == (ofPoll ? .poll : .events) && calls.next($0) <= 3 ? ENOMEM : nil }
                try Data("x = 3".utf8).write(to: file, options: .atomic)
                await running.wait(for: "x", 3)
                #expect(calls.count(ofPoll ? .poll : .events) < 20)
                try await running.stop()
            }
        }

        @Test("If waiting fails permanently, the files are polled", arguments: [EINVAL, ENOMEM, EIO], [false, true])
        func forGood(code: CInt, ofPoll: Bool) async {
            await #expect(processExitsWith: .success) { [code = code as CInt, ofPoll = ofPoll as Bool] in
                let scratch = try Scratch()
                let file = try scratch.write("x = 1", to: "config.toml")
                let running = Running(try PropertyStore(sources: TomlPropertyLoader(url: file)))
                try Data("x = 2".utf8).write(to: file, options: .atomic)
                await running.wait(for: "x", 2)
                let calls = Calls()
                InjectedFailures.set {
                    guard $0 == (ofPoll ? .poll : .events) else { return nil }
                    _ = calls.next($0)
                    return code
                }
                for number in 3...5 {
                    try Data("x = \(number)".utf8).write(to: file, options: .atomic)
                    await running.wait(for: "x", number)
                }
                // More calls would mean a loop without pauses.
                #expect(calls.count(ofPoll ? .poll : .events) < 20)
                try await running.stop()
            }
        }

        @Test("A reload that finds no free file descriptor is reported once and tried again")
        func descriptors() async {
            await #expect(processExitsWith: .success) {
                let scratch = try Scratch()
                let file = try scratch.write("x = 1", to: "config.toml")
                try scratch.write("x = 2", to: "next.toml")
                let running = Running(
                    try PropertyStore(sources: TomlPropertyLoader(url: file)), pollInterval: Running.never)
                try Data("x = 1.5".utf8).write(to: file, options: .atomic)
                await running.wait(for: "x", 1.5)
                // A process without free descriptors could end at any time: Dispatch opens one when it checks its pool
                // of threads.
                InjectedFailures.set { $0 == .open ? EMFILE : nil }
                try KubernetesMount.rename(scratch.file("next.toml").path, file.path)
                _ = try await running.waitForFailure()
                try await Task.sleep(for: .milliseconds(250))
                InjectedFailures.set(nil)
                await running.wait(for: "x", 2)
                // One failure for this change, and one more if the reload for the first change was late.
                #expect(running.failures.all.count <= 2)
                #expect(running.failures.all.first?.contains("the file cannot be read now: ") == true)
                try await running.stop()
            }
        }

        @Test("The pauses between attempts grow, and a new change ends the current pause")
        func growing() async {
            await #expect(processExitsWith: .success) {
                let scratch = try Scratch()
                let file = try scratch.write("x = 1", to: "config.toml")
                let loads = Calls()
                let running = Running(
                    try PropertyStore(sources: Counted(base: TomlPropertyLoader(url: file), calls: loads)),
                    pollInterval: Running.never)
                try Data("x = 2".utf8).write(to: file, options: .atomic)
                await running.wait(for: "x", 2)
                let before = loads.count(.read), clock = ContinuousClock(), begin = clock.now
                InjectedFailures.set { $0 == .read ? EIO : nil }
                try Data("x = 3".utf8).write(to: file, options: .atomic)
                while loads.count(.read) < before + 5 { try await Task.sleep(for: .milliseconds(5)) }
                // The first of the five loads may be a late reload for the first change. The pauses between the other
                // four are at least 100, 200 and 400 ms.
                #expect(clock.now - begin > .milliseconds(690))
                InjectedFailures.set(nil)
                try Data("x = 4".utf8).write(to: file, options: .atomic)
                await running.wait(for: "x", 4)
                try await running.stop()
            }
        }
    }

    /// A loader that counts its loads.
    private struct Counted<Base: PropertyLoader>: PropertyLoader {
        let base: Base
        let calls: Calls

        func load() throws -> PropertyLayer {
            _ = calls.next(.read)
            return try base.load().propertyLayer
        }
    }
#endif
