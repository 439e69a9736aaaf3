#if os(Linux)
    import Foundation
    import Properties
    import PropertyLoadersEssentials
    import Synchronization
    import TestSupport
    import Testing

    // Each test runs in its own process, because it affects the whole process.
    @Suite("Watching under hard conditions", .hangLimit)
    struct WatchingEnduranceTests {
        @Test("A change whose event the kernel dropped is loaded")
        func overflow() async {
            await #expect(processExitsWith: .success) {
                let scratch = try Scratch()
                let file = try scratch.write("x = 0", to: "config.toml")
                try scratch.write("x = 2", to: "next.toml")
                let running = Running(
                    try PropertyStore(sources: TomlPropertyLoader(url: file)), pollInterval: Running.never)
                try Data("x = 1".utf8).write(to: file, options: .atomic)
                await running.wait(for: "x", 1)
                try await Task.sleep(for: .milliseconds(100))
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

        @Test("A directory that is removed and created a thousand times is watched, with no watch too many")
        func recreated() async {
            await #expect(processExitsWith: .success) {
                let scratch = try Scratch()
                let file = try scratch.write("x = 0", to: "a/b/config.toml")
                let store = try PropertyStore(sources: TomlPropertyLoader(url: file).optional())
                let running = Running(store, pollInterval: Running.never)
                try scratch.write("x = 1", to: "a/b/config.toml")
                await running.wait(for: "x", 1)
                let descriptors = OwnProcess.descriptors
                for round in 2...1000 {
                    try FileManager.default.removeItem(at: scratch.file("a"))
                    try scratch.write("x = \(round)", to: "a/b/config.toml")
                    if round % 100 == 0 { await running.wait(for: "x", round) }
                }
                #expect(running.failures.all == [], "\(running.failures.all)")
                // The runtime may open those for its timers late, and one more reload may read now. A directory that
                // leaves a descriptor leaves a thousand.
                #expect(await OwnProcess.hasDescriptors(atMost: descriptors + 8), "more than \(descriptors) + 8")
                // The root, /tmp, the directory of the test, and two in it.
                let watches = OwnProcess.watches
                #expect(watches <= 10, "\(watches) watches")
                try await running.stop()
                #expect(OwnProcess.watches == 0)
            }
        }

        @Test("A file that is open for writing in a directory that is replaced does not delay the reload")
        func replacedWhileWritten() async {
            await #expect(processExitsWith: .success) {
                let scratch = try Scratch()
                try scratch.write("x = 0", to: "a/config.toml")
                try scratch.write("x = 2", to: "next/config.toml")
                let loader = TomlPropertyLoader(url: scratch.file("a/config.toml")).optional()
                let running = Running(try PropertyStore(sources: loader), pollInterval: Running.never)
                try scratch.write("x = 1", to: "a/config.toml")
                await running.wait(for: "x", 1)
                try await Task.sleep(for: .milliseconds(100))
                let file = scratch.file("a/config.toml")
                let calls = Calls(), writer = Mutex<SlowWriter?>(nil)
                InjectedFailures.set { call in
                    _ = calls.next(call)
                    // Runs after the plan, and before the watches of the plan replace the earlier ones. It acts once,
                    // since it removes the text, and not in a late reload for `x = 1`, after which the test would write
                    // the text to the new directory.
                    if call == .watch, (try? String(contentsOf: file, encoding: .utf8)) == "x = 1.5" {
                        try? FileManager.default.removeItem(at: file)
                        let new = try? SlowWriter(file)
                        writer.withLock { $0 = new }
                        usleep(50_000)
                        try? KubernetesMount.rename(scratch.file("a").path, scratch.file("old").path)
                        try? KubernetesMount.rename(scratch.file("next").path, scratch.file("a").path)
                    }
                    return nil
                }
                try Data("x = 1.5".utf8).write(to: file, options: .atomic)
                await running.wait(for: "x", 2)
                // While a file is open for writing, a reload waits for 10 s, and reads the events every 5 ms.
                #expect(calls.count(.events) < 500)
                writer.withLock { $0?.end() }
                try await running.stop()
            }
        }

        @Test("Changes while the process is stopped are loaded when it continues")
        func stopped() async {
            await #expect(processExitsWith: .success) {
                let scratch = try Scratch()
                let file = try scratch.write("x = 0", to: "config.toml")
                let store = try PropertyStore(sources: TomlPropertyLoader(url: file).optional())
                let running = Running(store, pollInterval: Running.never)
                for round in 1...3 {
                    let shell = Process()
                    shell.executableURL = URL(filePath: "/bin/sh")
                    shell.arguments = [
                        "-c",
                        """
                        kill -STOP $PPID
                        rm config.toml; echo 'x = -1' >config.toml; sleep 0.2
                        echo 'x = \(round)' >next.toml; mv next.toml config.toml
                        kill -CONT $PPID
                        """,
                    ]
                    shell.currentDirectoryURL = scratch.url
                    try await shell.runToEnd()
                    #expect(shell.terminationStatus == 0)
                    await running.wait(for: "x", round)
                }
                #expect(running.failures.all == [])
                try await running.stop()
            }
        }

        @Test("A watcher that starts with few free descriptors works, and loads a change when there are more")
        func fewDescriptors() async {
            await #expect(processExitsWith: .success) {
                var descriptors: [Int] = []
                try await OwnProcess.openTimers()
                for free in (0...12).reversed() {
                    let scratch = try Scratch()
                    let file = try scratch.write("x = 0", to: "config.toml")
                    try scratch.write("x = 1", to: "next.toml")
                    let store = try PropertyStore(sources: TomlPropertyLoader(url: file))
                    // Dispatch opens a descriptor when it checks its pool of threads, and ends the process if none is
                    // free. So one remains for it, and the calls of the watcher fail instead.
                    let held = HeldDescriptors(leaving: max(free, 1))
                    if free == 0 { InjectedFailures.set { [.start, .open].contains($0) ? EMFILE : nil } }
                    let running = Running(store)
                    try KubernetesMount.rename(scratch.file("next.toml").path, file.path)
                    try await Task.sleep(for: .milliseconds(50))
                    held.release()
                    InjectedFailures.set(nil)
                    await running.wait(for: "x", 1)
                    try await running.stop()
                    descriptors.append(OwnProcess.descriptors)
                }
                #expect(descriptors.count == 13)
                #expect(Set(descriptors).count == 1, "\(descriptors)")
            }
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
