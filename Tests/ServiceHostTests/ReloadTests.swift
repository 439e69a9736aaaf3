import Foundation
import Testing

@Suite("Reloading while a service runs", .timeLimit(.minutes(10)))
struct ReloadTests {
    @Test("SIGHUP reloads the sources: a broken one is reported, and the next good one is used")
    func signal() async throws {
        let process = try HostedProcess("counts loads")
        // By the start, and by the watcher when it begins.
        try await process.output.wait(for: "loaded")
        try await process.output.wait(for: "loaded")
        try process.replace("unwatched.json", by: #"{"text": 5}"#)
        process.send(SIGHUP)
        try await process.errors.wait(
            for: "not reloaded: unwatched.json:1:10: 'text' is the integer 5; expected a string. Put it in quotes.")
        try process.replace("unwatched.json", by: #"{"text": "Good evening", "password": "hunter2"}"#)
        process.send(SIGHUP)
        try await process.output.wait(for: #"password: none → ******** (unwatched.json:1:38)"#)
        try await process.output.wait(for: #"text: none → "Good evening" (unwatched.json:1:10)"#)
        process.send(SIGTERM)
        #expect(await process.status() == 0)
        #expect(process.errors.all.count == 1)
    }

    @Test("A change of a file is used without a signal, and a broken file is reported")
    func file() async throws {
        let process = try HostedProcess("", files: ["config.toml": "text = \"a\""])
        try await process.output.wait(for: "serving")
        try process.replace("config.toml", by: "text = \"b\"")
        try await process.output.wait(for: #"text: "a" → "b" (config.toml:1:8)"#)
        try process.replace("config.toml", by: "text = \"c")
        try await process.errors.wait(
            for: "not reloaded: config.toml:1:8: the string that starts here has no end; "
                + "expected `\"` before the end of the line")
        try process.replace("config.toml", by: "text = \"d\"")
        try await process.output.wait(for: #"text: "b" → "d" (config.toml:1:8)"#)
        process.send(SIGTERM)
        #expect(await process.status() == 0)
    }

    @Test("SIGHUP during the start does not end the process")
    func signalInStart() async throws {
        let process = try HostedProcess("start waits")
        try await process.output.wait(for: "starting")
        process.send(SIGHUP)
        process.send(SIGTERM)
        #expect(await process.status() == 0)
    }
}
