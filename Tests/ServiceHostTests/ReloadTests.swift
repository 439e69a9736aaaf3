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
        try await process.output.wait(for: #"text: "Hello" (default) → "Good evening" (unwatched.json:1:10)"#)
        try await process.errors.wait(for: "reloaded: 2 properties have changed")
        process.send(SIGHUP)
        try await process.errors.wait(for: "reloaded: nothing has changed")
        process.send(SIGTERM)
        #expect(await process.status() == 0)
        #expect(process.errors.others.count == 3)
    }

    @Test("SIGHUP is answered, and files are not looked at, where no watcher runs")
    func unwatched() async throws {
        let process = try HostedProcess("unwatched")
        try await process.output.wait(for: "serving")
        try process.replace("config.toml", by: "text = \"a\"\nport = 80")
        process.send(SIGHUP)
        try await process.errors.wait(for: "reloaded: 1 property has changed; 1 setting waits for a restart")
        try await process.errors.wait(for: "port stays 0 until a restart; config.toml:2:8 says 80")
        process.send(SIGHUP)
        // It is said again to those who ask.
        try await process.errors.wait(for: "reloaded: nothing has changed; 1 setting waits for a restart")
        try await process.errors.wait(for: "port stays 0 until a restart; config.toml:2:8 says 80")
        process.send(SIGTERM)
        #expect(await process.status() == 0)
        #expect(process.errors.others.count == 4)
    }

    @Test("SIGHUP during a reload is answered by another one after it, and never by two at once")
    func oneAfterAnother() async throws {
        let process = try HostedProcess("unwatched remote")
        try await process.output.wait(for: "serving")
        // The source sends the second signal itself, because a load has a time limit.
        try process.replace("hang up", by: "")
        try process.replace("away", by: "slow")
        process.send(SIGHUP)
        try await process.errors.wait(for: "reloaded: 1 property has changed")
        try await process.errors.wait(for: "reloaded: nothing has changed")
        process.send(SIGTERM)
        #expect(await process.status() == 0)
        #expect(process.output.all.filter { $0.hasPrefix("load") } == ["loading", "loaded", "loading", "loaded"])
    }

    @Test("SIGHUP has no effect where it is turned off, and says so")
    func noHangup() async throws {
        let process = try HostedProcess("unwatched, no hangup")
        try await process.output.wait(for: "serving")
        try process.replace("config.toml", by: "text = 5")
        process.send(SIGHUP)
        try await process.errors.wait(for: "not reloaded: the service does not reload its settings at SIGHUP")
        process.send(SIGTERM)
        #expect(await process.status() == 0)
    }

    @Test("SIGHUP is refused while the service stops")
    func stopping() async throws {
        let process = try HostedProcess("slow close")
        try await process.output.wait(for: "serving")
        process.send(SIGTERM)
        try await process.output.wait(for: "closing")
        process.send(SIGHUP)
        try await process.errors.wait(for: "not reloaded: the service is stopping")
        try process.replace("go", by: "")
        #expect(await process.status() == 0)
    }

    @Test("A changed setting that needs a restart is said once, and once more after it was taken back")
    func pending() async throws {
        let process = try HostedProcess("", files: ["config.toml": "port = 1"])
        try await process.output.wait(for: "serving")
        for port in [2, 3, 1, 3] {
            try process.replace("config.toml", by: "port = \(port)\ntext = \"\(port)\"")
            try await process.output.wait { $0.hasSuffix("→ \"\(port)\" (config.toml:2:8)") }
            if port != 1 {
                try await process.errors.wait(for: "port stays 1 until a restart; config.toml:1:8 says \(port)")
            } else {
                try await process.errors.wait(for: "port needs no restart any more; its value is 1")
            }
        }
        process.send(SIGTERM)
        #expect(await process.status() == 0)
        #expect(process.errors.others.count == 4)
    }

    @Test("A following service that cannot be built again is said, with what has changed")
    func follower() async throws {
        let process = try HostedProcess("follower fails")
        try await process.output.wait(for: "connected")
        try process.replace("config.toml", by: "text = \"down\"")
        try await process.errors.wait(
            for:
                "Client: the former instance stays, because a new one could not be built: Client: the factory of Client "
                + "threw: no connection. Changed: text: \"Hello\" (default) → \"down\" (config.toml:1:8). "
                + "The next try is in 1000.0 seconds")
        try process.replace("config.toml", by: "text = \"up\"")
        try await process.errors.wait { $0.contains(/^Client is up to date again, after \d+\.\d+ s$/) }
        process.send(SIGTERM)
        #expect(await process.status() == 0)
    }

    @Test("A change of a file is used without a signal, and a broken file is reported")
    func file() async throws {
        let process = try HostedProcess("", files: ["config.toml": "text = \"a\""])
        try await process.output.wait(for: "serving")
        try process.replace("config.toml", by: "text = \"b\"")
        try await process.output.wait(for: #"text: "a" (config.toml:1:8) → "b" (config.toml:1:8)"#)
        try process.replace("config.toml", by: "text = \"c")
        try await process.errors.wait(
            for: "not reloaded: config.toml:1:8: the string that starts here has no end; "
                + "expected `\"` before the end of the line")
        try process.replace("config.toml", by: "text = \"d\"")
        try await process.output.wait(for: #"text: "b" (config.toml:1:8) → "d" (config.toml:1:8)"#)
        process.send(SIGTERM)
        #expect(await process.status() == 0)
    }

    @Test("A wrong file holds back a rotated secret, and a line says so")
    func heldBack() async throws {
        let files = ["config.toml": "text = \"a\"", "secrets/password": "hunter2"]
        let process = try HostedProcess("secrets", files: files)
        try await process.output.wait(for: "serving")
        try process.replace("config.toml", by: "text = 5")
        let problem = "not reloaded: config.toml:1:8: 'text' is the integer 5; expected a string. Put it in quotes."
        try await process.errors.wait(for: problem)
        try process.replace("secrets/password", by: "hunter3")
        try await process.errors.wait(for: problem)
        try await process.errors.wait(for: "not reloaded: Until a reload succeeds, these changes wait, too: password.")
        try process.replace("config.toml", by: "text = \"a\"")
        try await process.errors.wait(for: "reloaded: the settings are valid again")
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
