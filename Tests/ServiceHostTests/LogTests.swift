import Foundation
import Testing

@Suite("The log of a service", .timeLimit(.minutes(10)))
struct LogTests {
    @Test("A function gets everything that run writes, with its parts")
    func events() async throws {
        let process = try HostedProcess("logs JSON", files: ["config.toml": "text = \"a\"", "secrets/x": ""])
        try await process.output.wait(for: "serving")
        try process.replace("config.toml", by: "text = \"b\"\nport = 80\npassword = \"hunter2\"")
        // The task that writes the changes and the watcher, which writes the others, do not wait for each other.
        for _ in 0..<3 { try await process.output.wait { $0.hasPrefix("{") } }
        let pending =
            #"{"time": "", "level": "warning", "text": "port stays 0 until a restart; config.toml:2:8 says 80", "column": "8", "#
            + #""event": "pending", "file": "config.toml", "key": "port", "line": "2", "new": "80", "old": "0"}"#
        #expect(
            process.output.all.map(\.timeless).filter { $0.hasPrefix("{") }.sorted() == [
                #"{"time": "", "level": "info", "text": "password: none → ******** (config.toml:3:12)", "column": "12", "#
                    + #""event": "changed", "file": "config.toml", "key": "password", "line": "3", "new": "********"}"#,
                #"{"time": "", "level": "info", "text": "text: \"a\" (config.toml:1:8) → \"b\" (config.toml:1:8)", "column": "8", "#
                    + #""event": "changed", "file": "config.toml", "key": "text", "line": "1", "new": "\"b\"", "#
                    + #""old": "\"a\""}"#, pending,
            ])
        process.send(SIGHUP)
        try await process.output.wait(
            for:
                #"{"time": "", "level": "info", "text": "reloaded: nothing has changed; 1 setting waits for a restart", "#
                + #""event": "reloaded"}"#)
        try await process.output.wait(for: pending)
        try process.replace("config.toml", by: "text = 5")
        try await process.output.wait(
            for:
                #"{"time": "", "level": "error", "text": "not reloaded: config.toml:1:8: 'text' is the integer 5; expected a "#
                + #"string. Put it in quotes.", "column": "8", "event": "refused", "file": "config.toml", "#
                + #""key": "text", "line": "1"}"#)
        process.send(SIGTERM)
        #expect(await process.status() == 0)
        #expect(process.errors.all == [])
    }

    @Test("Each problem of a start is an event, and so is what was not checked")
    func start() async throws {
        let process = try HostedProcess(
            "logs JSON", ["--port=many"], files: ["config.toml": "text = 5\n\"new\\nline\" = 1"])
        #expect(await process.status() == 78)
        #expect(process.errors.all == [])
        #expect(
            process.output.all.map(\.timeless) == [
                #"{"time": "", "level": "error", "text": "command line --port: 'port' is the text \"many\"; expected an integer from "#
                    + #"0 to 65535. Write decimal digits.", "event": "invalid", "key": "port", "#
                    + #""source": "command line --port"}"#,
                #"{"time": "", "level": "error", "text": "config.toml:1:8: 'text' is the integer 5; expected a string. Put it in "#
                    + #"quotes.", "column": "8", "event": "invalid", "file": "config.toml", "key": "text", "line": "1"}"#,
                #"{"time": "", "level": "error", "text": "config.toml:2:1: 'new\\nline' is not a key that is read. Check its "#
                    + #"spelling, or remove it.", "column": "1", "event": "invalid", "file": "config.toml", "#
                    + #""key": "new\nline", "line": "2"}"#,
                #"{"time": "", "level": "error", "text": "Not every service was built: a key that only those services read is "#
                    + #"listed as unknown.", "event": "invalid"}"#,
            ])
    }

    @Test("The error of a body and of a closing are events of one line")
    func end() async throws {
        let process = try HostedProcess("logs JSON and throws")
        #expect(await process.status() == 69)
        #expect(
            process.output.all.map(\.timeless).filter { $0.hasPrefix("{") } == [
                #"{"time": "", "level": "error", "text": "the service threw Failure: the disk\\nis full", "event": "ended"}"#
            ])
    }
}
