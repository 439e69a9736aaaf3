#if os(Linux)
    import Foundation
    import Properties
    import PropertyLoadersEssentials
    import Synchronization
    import TestSupport
    import Testing

    // Each test runs in its own process, because it affects the whole process.
    @Suite("Watching while system calls fail", .hangLimit)
    struct WatchingFaultTests {
        @Test("A change is loaded although a call fails", arguments: InjectedFailures.Call.allCases.indices)
        func once(index: Int) async {
            await #expect(processExitsWith: .success) { [index = index as Int] in
                let call = InjectedFailures.Call.allCases[index]
                for scenario in 0..<LongRun.rounds(2) {
                    let code = Fault.codes[scenario % Fault.codes.count], first = 1 + scenario % 20
                    let sources = try FaultySources(value: 0), store = PropertyStore(), calls = Calls()
                    try store.apply(sources.loaders)
                    InjectedFailures.set { $0 == call && calls.next($0) == first ? code : nil }
                    let running = Running(store, fallback: .milliseconds(20))
                    for value in 1...2 {
                        try sources.set(value)
                        await running.wait(for: sources, value)
                        InjectedFailures.set(nil)
                    }
                    try await running.stop()
                }
            }
        }

        @Test(
            "While a call keeps failing, the old state stays, and a change is loaded when the fault ends",
            arguments: InjectedFailures.Call.allCases.indices)
        func forAWhile(index: Int) async {
            await #expect(processExitsWith: .success) { [index = index as Int] in
                let call = InjectedFailures.Call.allCases[index], descriptors = OwnProcess.watchDescriptors
                for code in LongRun.isRequested ? [EIO, EMFILE, EACCES] : [EIO] {
                    let sources = try FaultySources(value: 0), store = PropertyStore(), calls = Calls()
                    try store.apply(sources.loaders)
                    InjectedFailures.set { $0 == call && calls.next($0) > 0 ? code : nil }
                    let running = Running(store, fallback: .milliseconds(20))
                    while calls.count(call) == 0 { try await Task.sleep(for: .milliseconds(1)) }
                    try sources.set(1)
                    // A reload between the changes of two files loads only the first of them.
                    #expect(Set(FaultySources.values(in: store)).isSubset(of: [0, 1]), "\(call) fails with \(code)")
                    InjectedFailures.set(nil)
                    await running.wait(for: sources, 1)
                    try sources.set(2)
                    await running.wait(for: sources, 2)
                    try await running.stop()
                }
                #expect(OwnProcess.watchDescriptors == descriptors)
            }
        }

        @Test("A change whose event the kernel dropped is loaded")
        func overflow() async {
            await #expect(processExitsWith: .success) {
                let scratch = try Scratch()
                let file = try scratch.write("x = 0", to: "config.toml")
                try scratch.write("x = 2", to: "next.toml")
                let running = Running(try PropertyStore(sources: TomlPropertyLoader(url: file)))
                try Data("x = 1".utf8).write(to: file, options: .atomic)
                await running.wait(for: "x", 1)
                // Stops the thread that reads the events, until the queue of the kernel is full.
                let isStopped = Atomic(true)
                InjectedFailures.set { call in
                    while call == .events, isStopped.load(ordering: .acquiring) { usleep(1000) }
                    return nil
                }
                let other = scratch.file("other").path
                for _ in 0...OwnProcess.eventLimit / 3 {
                    let descriptor = unsafe open(other, O_CREAT | O_WRONLY | O_CLOEXEC, 0o600)
                    close(descriptor)
                    _ = unsafe unlink(other)
                }
                try KubernetesMount.rename(scratch.file("next.toml").path, file.path)
                isStopped.store(false, ordering: .releasing)
                await running.wait(for: "x", 2)
                try await running.stop()
            }
        }

        @Test("A directory that is removed and created many times is watched, with no watch too many")
        func recreated() async {
            await #expect(processExitsWith: .success) {
                let scratch = try Scratch()
                let file = try scratch.write("x = 0", to: "a/b/config.toml")
                let running = Running(try PropertyStore(sources: TomlPropertyLoader(url: file).optional()))
                for round in 1...LongRun.rounds(100) {
                    try FileManager.default.removeItem(at: scratch.file("a"))
                    try scratch.write("x = \(round)", to: "a/b/config.toml")
                    if round % 20 == 0 { await running.wait(for: "x", round) }
                }
                #expect(running.failures.all == [], "\(running.failures.all)")
                // The root, /tmp, the directory of the test, two in it, and the file.
                let watches = OwnProcess.watches
                #expect(watches <= 10, "\(watches) watches")
                try await running.stop()
                #expect(OwnProcess.watches == 0)
            }
        }

        @Test("Changes while the process is stopped are loaded when it continues")
        func stopped() async {
            await #expect(processExitsWith: .success) {
                let scratch = try Scratch()
                let file = try scratch.write("x = 0", to: "config.toml")
                let running = Running(try PropertyStore(sources: TomlPropertyLoader(url: file).optional()))
                let shell = Process()
                shell.executableURL = URL(filePath: "/bin/sh")
                shell.arguments = [
                    "-c",
                    """
                    kill -STOP $PPID
                    rm config.toml; echo 'x = -1' >config.toml
                    echo 'x = 1' >next.toml; mv next.toml config.toml
                    kill -CONT $PPID
                    """,
                ]
                shell.currentDirectoryURL = scratch.url
                try await shell.runToEnd()
                #expect(shell.terminationStatus == 0)
                await running.wait(for: "x", 1)
                #expect(running.failures.all == [])
                try await running.stop()
            }
        }
    }

    extension Running {
        /// Waits until all sources have a value.
        fileprivate func wait(for sources: FaultySources, _ value: Int) async {
            let changes = store.changes()
            if FaultySources.values(in: store).allSatisfy({ $0 == value }) { return }
            for await _ in changes where FaultySources.values(in: store).allSatisfy({ $0 == value }) { return }
        }
    }

    extension OwnProcess {
        /// The maximum number of inotify events that the kernel queues.
        fileprivate static var eventLimit: Int {
            let text = try? String(contentsOfFile: "/proc/sys/fs/inotify/max_queued_events", encoding: .utf8)
            return text.flatMap { Int($0.trimmingCharacters(in: .whitespacesAndNewlines)) } ?? 16_384
        }

        /// The number of directories and files that all inotify instances of this process watch.
        fileprivate static var watches: Int {
            let folder = "/proc/self/fdinfo"
            let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
            let texts = names.compactMap { try? String(contentsOfFile: "\(folder)/\($0)", encoding: .utf8) }
            return texts.reduce(0) { $0 + $1.split(separator: "\n").count { $0.hasPrefix("inotify wd:") } }
        }
    }
#endif
