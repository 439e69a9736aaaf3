import Foundation
import Testing

/// Everything with real processes and signals. A test waits for what the process prints, never for a time.
@Suite("A service in one call", .timeLimit(.minutes(10)))
struct RunTests {
    func expectEnd(
        of process: HostedProcess, _ status: Int32, errors: String = "",
        sourceLocation: SourceLocation = #_sourceLocation
    ) async {
        #expect(await process.status() == status, sourceLocation: sourceLocation)
        #expect(process.errors.others.joined(separator: "\n") == errors, sourceLocation: sourceLocation)
    }

    let advice = "Let it end when its task is cancelled, or give the closing more time"

    // MARK: - The body

    @Test("When the body returns, everything is closed, and the status is 0")
    func bodyReturns() async throws {
        let process = try HostedProcess("body returns")
        await expectEnd(of: process, 0)
        #expect(process.output.all == ["serving", "served", "closing", "closed"])
        #expect(process.errors.all.count == 2)
        #expect(process.errors.all.first?.contains(/^started in \d+\.\d+ s: 2 services$/) == true)
        #expect(process.errors.all.last == "the service ended by itself")
    }

    @Test("A body that returns after a signal has not ended by itself, and neither has a check")
    func endAfterSignal() async throws {
        let process = try HostedProcess("serves on")
        try await process.output.wait(for: "ready, cancelled: false")
        process.send(SIGTERM)
        #expect(await process.status() == 0)
        #expect(process.errors.all.filter { $0.hasPrefix("started in ") }.count == 1)
        #expect(!process.errors.all.contains("the service ended by itself"))
        for arguments in [["--check"], ["services"]] {
            let answer = try HostedProcess("", arguments)
            #expect(await answer.status() == 0)
            #expect(answer.errors.all.allSatisfy { $0.hasPrefix("clos") })
        }
    }

    @Test(
        "A signal cancels the body, everything is closed, and the status is 0, also if the log function blocks",
        arguments: [(SIGTERM, ""), (SIGINT, ""), (SIGTERM, "log blocks")])
    func signalInBody(signal: Int32, behavior: String) async throws {
        let process = try HostedProcess(behavior)
        // The line is in the pipe while the process runs.
        try await process.output.wait(for: "serving")
        process.send(signal)
        await expectEnd(of: process, 0)
        #expect(process.output.all == ["serving", "closing", "closed"])
    }

    @Test("A body that throws is one line and the status 69, after everything was closed")
    func bodyThrows() async throws {
        let process = try HostedProcess("body throws")
        await expectEnd(of: process, 69, errors: "the service threw Failure: the disk is full")
        #expect(process.output.all == ["serving", "closing", "closed"])
    }

    @Test("A port in use is one line and the status 69")
    func portInUse() async throws {
        let first = try HostedProcess("body listens")
        let line = try await first.output.wait { $0.hasPrefix("listening on ") }
        let port = line.dropFirst("listening on ".count)
        let second = try HostedProcess("body listens", ["--port=\(port)"])
        await expectEnd(of: second, 69, errors: "the service threw Failure: port \(port): Address already in use")
        first.send(SIGTERM)
        await expectEnd(of: first, 0)
    }

    @Test("A body that does not end in its time is reported, everything is closed, and the status is 70")
    func bodyIsLate() async throws {
        let process = try HostedProcess("body is late")
        try await process.output.wait(for: "serving")
        process.send(SIGTERM)
        await expectEnd(
            of: process, 70,
            errors: """
                the service did not end within 1.0 seconds of its cancellation
                1 part of the service did not end: the body
                """)
        #expect(process.output.all == ["serving", "closing", "closed"])
    }

    @Test("During the delay after a signal, the service serves on, and its phase is stopping")
    func servesOn() async throws {
        let process = try HostedProcess("serves on")
        try await process.output.wait(for: "ready, cancelled: false")
        process.send(SIGTERM)
        await expectEnd(of: process, 0)
        #expect(process.output.all.suffix(4) == ["stopping, cancelled: false", "served", "closing", "closed"])
    }

    @Test("After the delay, the body is cancelled")
    func cancelledAfterDelay() async throws {
        let process = try HostedProcess("serves on, and is cancelled")
        try await process.output.wait(for: "ready")
        process.send(SIGTERM)
        await expectEnd(of: process, 0)
        #expect(process.output.all.suffix(4) == ["stopping", "cancelled", "closing", "closed"])
    }

    @Test(
        "A file that the body opens does not get what is printed, whichever stream is closed",
        arguments: [[0], [1], [2], [0, 1, 2], [1, 2]])
    func closedStreams(closed: [Int]) async throws {
        let process = try HostedProcess("body opens a file", closes: closed)
        #expect(await process.status() == 0)
        func text(_ name: String) throws -> String {
            try String(contentsOf: process.folder.appending(path: name), encoding: .utf8)
        }
        let opened = try text("opened")
        #expect(opened == "")
        let names = try text("descriptors").split(separator: " ")
        #expect(names.count == 4 && names.last == "opened")
        #if canImport(Glibc)
            // Dispatch may have taken a number.
            for descriptor in closed {
                #expect(names[descriptor] == "/dev/null" || names[descriptor].hasPrefix("anon_inode:"), "\(names)")
            }
        #endif
    }

    // MARK: - The end

    @Test("A service that is not closed by the deadline is reported, and the status is 70")
    func closeIsLate() async throws {
        let process = try HostedProcess("close is late")
        try await process.output.wait(for: "serving")
        process.send(SIGTERM)
        #expect(await process.status() == 70)
        #expect(
            process.errors.others == [
                "Pool: the closing of Pool did not end within 0.5 seconds. " + advice,
                "1 part of the service did not end: Pool",
            ])
    }

    @Test("A process whose tasks block all threads ends a second after the deadline")
    func blockedThreads() async throws {
        let process = try HostedProcess("all threads are late")
        try await process.output.wait(for: "serving")
        process.send(SIGTERM)
        await expectEnd(of: process, 70, errors: "the process did not end within 1.5 seconds of the signal")
    }

    @Test("A log function that blocks at SIGHUP does not delay the end of a process whose threads are blocked")
    func blockedLogAtHangup() async throws {
        let process = try HostedProcess("log blocks, all threads close late")
        try await process.output.wait(for: "closing")
        process.send(SIGHUP)
        try await process.errors.wait(for: "not reloaded: the service is stopping")
        process.send(SIGTERM)
        await expectEnd(
            of: process, 70,
            errors: """
                not reloaded: the service is stopping
                the process did not end within 1.5 seconds of the signal
                """)
    }

    @Test("A service whose closing fails is reported, and the status is 70")
    func closeThrows() async throws {
        let process = try HostedProcess("close throws")
        try await process.output.wait(for: "serving")
        process.send(SIGTERM)
        await expectEnd(of: process, 70, errors: "Pool: the closing of Pool threw: the pool is stuck")
    }

    @Test(
        "A later second signal ends the process at once, with its status and what is still open",
        arguments: [("slow close", "closing Pool"), ("slow body", "the service itself")])
    func secondSignal(scenario: String, open: String) async throws {
        let process = try HostedProcess(scenario)
        try await process.output.wait(for: "serving")
        process.send(SIGTERM)
        try await process.errors.wait { $0.contains(/^still stopping: .* [1-9]\d*\.\d s$/) }
        process.send(SIGINT)
        #expect(await process.status() == 128 + SIGINT)
        #expect(process.errors.all.last == "ended by another signal: SIGINT; still open: \(open)")
    }

    @Test("A later second signal ends the process also if its log hangs")
    func secondSignalWithHangingLog() async throws {
        let process = try HostedProcess("slow close, log blocks")
        try await process.output.wait(for: "serving")
        process.send(SIGTERM)
        try await process.output.wait(for: "closing for more than a second")
        process.send(SIGTERM)
        #expect(await process.status() == 128 + SIGTERM)
        #expect(
            process.errors.all.suffix(2) == [
                HostedProcess.stopping(SIGTERM), "ended by another signal: SIGTERM; still open: closing Pool",
            ])
    }

    @Test("Two signals of one stop are one signal", arguments: ["", "composed"])
    func twoSignals(scenario: String) async throws {
        let process = try HostedProcess(scenario)
        try await process.output.wait(for: "serving")
        process.send(SIGTERM)
        process.send(SIGINT)
        #expect(await process.status() == 0)
        #expect(process.output.all == ["serving", "closing", "closed"])
    }

    // MARK: - Signals

    @Test("A write to a closed pipe fails, and does not end the process")
    func closedPipe() async throws {
        let process = try HostedProcess("body writes to a closed pipe")
        try await process.output.wait(for: "the pipe is closed")
        process.send(SIGTERM)
        await expectEnd(of: process, 0)
    }

    @Test("A service that is composed by hand gets the signals")
    func composed() async throws {
        let process = try HostedProcess("composed")
        try await process.output.wait(for: "serving")
        process.send(SIGHUP)
        process.send(SIGTERM)
        await expectEnd(of: process, 0)
        #expect(process.output.all == ["serving", "closing", "closed"])
    }
}
