import Foundation
import Testing

// MARK: - Recovery

extension OperationTests {
    @Test("SIGHUP asks every source, says which one could not be asked, and that it can be read again")
    func remote() async throws {
        let process = try HostedProcess("unwatched remote")
        try await process.output.wait(for: "serving")
        try process.replace("away", by: "")
        process.send(SIGHUP)
        try await process.errors.wait(for: "reloaded: nothing has changed; not asked: Remote: no route to host")
        try process.replace("away", by: "gone")
        process.send(SIGHUP)
        try await process.errors.wait { $0.contains(/^Remote can be read again, after \d+\.\d+ s$/) }
        process.send(SIGTERM)
        #expect(await process.status() == 0)
        #expect(
            process.errors.all.contains("reloaded: 1 property has changed"), "\(process.errors.text)")
    }

    @Test("A file that was broken and is good again is a line, also if it is what it was before")
    func goodAgain() async throws {
        let process = try HostedProcess("", files: ["config.toml": "text = \"a\""])
        try await process.output.wait(for: "serving")
        try process.replace("config.toml", by: "text = ")
        try await process.errors.wait { $0.hasPrefix("not reloaded: config.toml:1:8: ") }
        try process.replace("config.toml", by: "text = \"a\"")
        try await process.errors.wait(for: "reloaded: the settings are valid again")
        process.send(SIGTERM)
        #expect(await process.status() == 0)
        #expect(process.errors.all.last == HostedProcess.stopping(SIGTERM))
    }

    @Test("A warning about a source that has no reason any more is said to be over, once")
    func warningOver() async throws {
        let secret = "secrets/password"
        let process = try HostedProcess(
            "secrets", files: ["config.toml": "", secret: "hunter2"], permissions: [secret: 0o666])
        try await process.errors.wait { $0.hasPrefix("warning: \(secret): every user of this machine can write") }
        try FileManager.default.setAttributes(
            [.posixPermissions: 0o600], ofItemAtPath: process.folder.appending(path: secret).path)
        for _ in 0..<2 {
            process.send(SIGHUP)
            try await process.errors.wait(for: "reloaded: nothing has changed")
        }
        process.send(SIGTERM)
        #expect(await process.status() == 0)
        let over = process.errors.all.filter { $0.contains("the warning is over") }
        #expect(
            over.count == 1 && over[0].hasPrefix("\(secret): the warning is over: every user of this machine"),
            "\(over)")
    }

    @Test("A warning that is at another line is no new one, and the end of one says which it was")
    func warningMoves() async throws {
        let process = try HostedProcess(
            "renamed", files: ["config.toml": "[limits]\nmax_requests = 2\nmax_bytes = 3\n"])
        try await process.output.wait(for: "serving")
        try process.replace("config.toml", by: "\n\n[limits]\nmax_requests = 2\nbytes = 3\n")
        try await process.errors.wait {
            $0 == "config.toml:3:1: the warning is over: 'limits.max_bytes' is called 'limits.bytes' now"
        }
        process.send(SIGTERM)
        #expect(await process.status() == 0)
        let warnings = process.errors.all.filter { $0.contains("'limits.max_requests' is called") }
        #expect(warnings.count == 1 && warnings[0].hasPrefix("warning: config.toml:2:1: "), "\(process.errors.all)")
    }

    @Test("SIGHUP tries a replacement that has failed again at once, and each outcome is a line")
    func retry() async throws {
        let process = try HostedProcess("follower fails")
        try await process.output.wait(for: "connected")
        try process.replace("outage", by: "")
        try process.replace("config.toml", by: "text = \"a\"")
        let failure = "Client: the former instance stays, because a new one could not be built: Client: "
        for pause in [1000, 1000] {
            try await process.errors.wait {
                $0.hasPrefix(failure) && $0.hasSuffix(". The next try is in \(pause).0 seconds")
            }
            process.send(SIGHUP)
            try await process.errors.wait(for: "reloaded: nothing has changed")
        }
        try await process.errors.wait { $0.hasPrefix(failure) }
        try process.replace("outage", by: nil)
        // A reload that is refused tries again, too.
        try process.replace("unwatched.json", by: "{")
        process.send(SIGHUP)
        try await process.errors.wait { $0.hasPrefix("not reloaded: unwatched.json:1:1: ") }
        try await process.errors.wait { $0.contains(/^Client is up to date again, after \d+\.\d+ s$/) }
        process.send(SIGTERM)
        #expect(await process.status() == 0)
    }

    @Test("A replacement that takes long is named, and its end is a line")
    func slowReplacement() async throws {
        let process = try HostedProcess("slow follower")
        try await process.output.wait(for: "connected")
        try process.replace("config.toml", by: "text = \"slow\"")
        for _ in 0..<2 { try await process.errors.wait { $0.contains(/^still replacing Client \d+\.\d+ s$/) } }
        try process.replace("go", by: "")
        try await process.errors.wait { $0.contains(/^Client is up to date again, after \d+\.\d+ s$/) }
        process.send(SIGTERM)
        #expect(await process.status() == 0)
        #expect(process.errors.all.last == HostedProcess.stopping(SIGTERM))
    }

    @Test("A replacement has two lines: one for the new instance, and one when the former one is closed")
    func replacement() async throws {
        let process = try HostedProcess("slow former")
        try await process.output.wait(for: "connected")
        try process.replace("go", by: "")
        try process.replace("config.toml", by: "text = \"new\"")
        try await process.errors.wait { $0.contains(/^Client was replaced in \d+\.\d+ s: text$/) }
        try await process.errors.wait { $0.contains(/^the former Client is closed/) }
        process.send(SIGTERM)
        #expect(await process.status() == 0)
    }

    @Test("A former instance whose closing takes long is named, also by a stop that waits for it")
    func slowFormer() async throws {
        let process = try HostedProcess("slow former")
        try await process.output.wait(for: "connected")
        try process.replace("config.toml", by: "text = \"new\"")
        for _ in 0..<2 { try await process.errors.wait { $0.contains(/^still closing the former Client \d+\.\d+ s$/) } }
        process.send(SIGTERM)
        try await process.errors.wait { $0.contains(/^still stopping: closing the former Client \d+\.\d+ s$/) }
        try process.replace("go", by: "")
        #expect(await process.status() == 0)
        #expect(process.errors.all.contains { $0.contains(/^the former Client is closed, after \d+\.\d+ s$/) })
    }

    @Test("A former instance that hangs is let go at its limit, and counted at the end")
    func hangingFormer() async throws {
        let process = try HostedProcess("former hangs")
        try await process.output.wait(for: "connected")
        try process.replace("config.toml", by: "text = \"new\"")
        try await process.errors.wait {
            $0.hasPrefix("Client: the closing of the former Client did not end within 0.05 seconds. ")
        }
        process.send(SIGTERM)
        #expect(await process.status() == 70)
        #expect(process.errors.all.last == "1 part of the service did not end: the former Client")
    }
}
