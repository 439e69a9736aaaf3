import Foundation
import Testing

// MARK: - The start

extension RunTests {
    @Test("Warnings are reported when the service has started, such as that of a key that a file has twice")
    func warnings() async throws {
        let process = try HostedProcess("warns", files: ["config.json": #"{"text": "Hi", "text": "Ho"}"#])
        try await process.output.wait(for: "serving")
        process.send(SIGTERM)
        await expectEnd(
            of: process, 0,
            errors: "warning: config.json:1:16: the key `text` is defined twice, and this value counts "
                + "(first at config.json:1:2). Remove one of the two.")
    }

    @Test("A service that is registered again after the start is a warning, because the others work")
    func registeredLate() async throws {
        let process = try HostedProcess("registers late")
        try await process.errors.wait(
            for: "warning: Pool: Pool was registered again after the start, and its former instance stays in Server. "
                + "Register it before the start")
        process.send(SIGTERM)
        #expect(await process.status() == 0)
    }

    @Test("A directory of secrets that is missing is a problem of the start")
    func missingSecrets() async throws {
        let process = try HostedProcess("secrets")
        await expectEnd(
            of: process, 78,
            errors: """
                secrets: no such directory \(process.folder.path)/secrets. Create it, or mount it there.
                Missing keys, unknown keys and services are checked when all sources can be loaded.
                """)
    }

    @Test("Every mistake of the configuration is in one report, and the status is that of the command line")
    func brokenConfiguration() async throws {
        let process = try HostedProcess("", ["--port=many"], files: ["config.toml": "text = 5\ntxet = \"a\""])
        await expectEnd(
            of: process, 64,
            errors: """
                The configuration has 3 problems:
                  command line --port  'port' is the text "many"; expected an integer from 0 to 65535. Write decimal digits.
                  config.toml:1:8      'text' is the integer 5; expected a string. Put it in quotes.
                  config.toml:2:1      'txet' is neither declared nor read by a service. Check its spelling, or remove it. The developer can declare it, or allow it by unknownKeys: .ignored.
                Not every service was built: a key that only those services read is listed as unknown.
                """)
        #expect(process.output.all == [])
    }

    @Test("A file that is not there has the status 78")
    func missingFile() async throws {
        let process = try HostedProcess("", files: [:])
        await expectEnd(
            of: process, 78,
            errors: """
                config.toml: no such file in \(process.folder.path). Create it, correct its path, or start the program in the directory that has it.
                Missing keys, unknown keys and services are checked when all sources can be loaded.
                """)
    }

    @Test("A file that need not exist leaves the profile as it is")
    func optionalFile() async throws {
        let process = try HostedProcess("optional file", ["--check"], files: [:])
        await expectEnd(of: process, 0)
        let profile = try HostedProcess(
            "optional file", ["--check"], files: ["config.test.toml": "port = 1"], profile: "test")
        await expectEnd(of: profile, 0)
        #expect(profile.output.all.first == "port = 1 (config.test.toml:1:8)")
        let missing = try HostedProcess("optional file", ["--check"], files: [:], profile: "test")
        #expect(await missing.status() == 78)
    }

    @Test("The error of a loader of the service has the name of its source, and the status 69")
    func sourceThrows() async throws {
        let process = try HostedProcess("source throws")
        await expectEnd(
            of: process, 69,
            errors: """
                UnwatchedFile: no route
                Missing keys, unknown keys and services are checked when all sources can be loaded.
                """)
    }

    @Test("The variable of the profile adds a file, which must exist")
    func profile() async throws {
        let process = try HostedProcess(
            "", ["--check"], files: ["config.toml": "", "config.test.toml": "port = 1"], profile: "test")
        await expectEnd(of: process, 0)
        #expect(process.output.all.first == "port = 1 (config.test.toml:1:8)")
        let other = try HostedProcess("", ["--check"], profile: "test")
        #expect(await other.status() == 78)
        #expect(
            other.errors.text.hasPrefix(
                "config.test.toml: no such file in \(other.folder.path), which the profile 'test' needs"))
    }

    @Test("A service that cannot be built has the status 69, and what was built is closed")
    func startFails() async throws {
        let process = try HostedProcess("start fails")
        await expectEnd(of: process, 69, errors: "Server: the factory of Server threw: the network is down")
        #expect(process.output.all == ["closing", "closed"])
    }

    @Test("A failed start is reported before what was built is closed, and keeps its status after a signal")
    func signalAfterFailure() async throws {
        let process = try HostedProcess("slow close, start fails")
        try await process.output.wait(for: "closing")
        try await process.errors.wait { $0.contains(/^still stopping: closing Pool \d+\.\d+ s$/) }
        process.send(SIGTERM)
        try await process.errors.wait(for: HostedProcess.stopping(SIGTERM))
        try process.replace("go", by: "")
        #expect(await process.status() == 69)
        let first = process.errors.all.first { !$0.hasPrefix("still starting: ") }
        #expect(first == "Server: the factory of Server threw: the network is down")
    }

    @Test("After a signal during the start, what had failed before is reported, and the rest is not")
    func signalAfterFactoryFailed() async throws {
        let process = try HostedProcess("start fails, and goes on")
        try await process.output.wait(for: "building")
        process.send(SIGTERM)
        try await process.errors.wait(for: HostedProcess.stopping(SIGTERM))
        try process.replace("go", by: "")
        await expectEnd(of: process, 69, errors: "Server: the factory of Server threw: the network is down")
    }

    @Test("A signal during the start ends it without a report, what was built is closed, and the status is 0")
    func signalInStart() async throws {
        let process = try HostedProcess("start waits")
        try await process.output.wait(for: "starting")
        process.send(SIGTERM)
        await expectEnd(of: process, 0)
        #expect(process.output.all == ["starting", "closing", "closed"])
        #expect(process.errors.all == [HostedProcess.stopping(SIGTERM)])
    }

    @Test("A factory that does not end after a signal is reported, and the status is 70")
    func startIsLate() async throws {
        let process = try HostedProcess("start is late")
        try await process.output.wait(for: "starting")
        process.send(SIGTERM)
        #expect(await process.status() == 70)
        // The hook of the pool is started at the deadline, and may end before anybody looks.
        #expect(
            process.errors.others.first == "Server: the construction of Server did not end within 0.5 seconds. "
                + advice)
        #expect(process.errors.all.last?.contains(" of the service did not end: Server") == true)
    }

    @Test("A start that exceeds its deadline names what is open, closes what was built, and the status is 69")
    func startDeadline() async throws {
        let process = try HostedProcess("start waits, deadline")
        await expectEnd(
            of: process, 69, errors: "the service did not start within 2.0 seconds; still open: Server")
        #expect(process.output.all.suffix(2) == ["closing", "closed"])
        let blocked = try HostedProcess("start blocks, deadline")
        await expectEnd(
            of: blocked, 69,
            errors: """
                the service did not start within 2.0 seconds; still open: Server
                the process did not end within 0.5 seconds of the deadline of its start
                """)
        let quick = try HostedProcess("deadline")
        try await quick.output.wait(for: "serving")
        quick.send(SIGTERM)
        await expectEnd(of: quick, 0)
    }

    // MARK: - A slow start

    @Test("A start that takes long says what it waits for, and at its end what was slow")
    func slowStart() async throws {
        let process = try HostedProcess("slow start")
        try await process.errors.wait { $0.contains(/^still starting: Server \d+\.\d+ s, waiting for Pool$/) }
        try await process.errors.wait { $0.contains(/^still starting: Pool \d+\.\d+ s$/) }
        try process.replace("go", by: "")
        try await process.output.wait(for: "serving")
        process.send(SIGTERM)
        #expect(await process.status() == 0)
        let last = try #require(process.errors.all.last { $0.hasPrefix("started in ") })
        #expect(last.contains(/^started in \d+\.\d+ s: 2 services; slowest: Server \d+\.\d+ s, Pool \d+\.\d+ s$/))
    }

    @Test("A start that waits for a source says so")
    func slowSource() async throws {
        let process = try HostedProcess("slow source")
        try await process.errors.wait { $0.contains(/^still starting: loading the sources \d+\.\d+ s$/) }
        try await process.output.wait(for: "serving")
        process.send(SIGTERM)
        #expect(await process.status() == 0)
    }
}
