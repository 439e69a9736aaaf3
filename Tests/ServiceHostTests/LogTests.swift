import Foundation
import ServiceHost
import SharedState
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
            process.output.events.sorted() == [
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
        #expect(await process.status() == 64)
        #expect(process.errors.all == [])
        #expect(
            process.output.all.map(\.timeless) == [
                #"{"time": "", "level": "error", "text": "command line --port: 'port' is the text \"many\"; expected an integer from "#
                    + #"0 to 65535. Write decimal digits.", "event": "invalid", "key": "port", "#
                    + #""source": "command line --port"}"#,
                #"{"time": "", "level": "error", "text": "config.toml:1:8: 'text' is the integer 5; expected a string. Put it in "#
                    + #"quotes.", "column": "8", "event": "invalid", "file": "config.toml", "key": "text", "line": "1"}"#,
                #"{"time": "", "level": "error", "text": "config.toml:2:1: 'new\\nline' is neither declared nor read by a service. Check its "#
                    + #"spelling, or remove it. The developer can declare it, or allow it by unknownKeys: .ignored.", "column": "1", "event": "invalid", "file": "config.toml", "#
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
            process.output.events == [
                #"{"time": "", "level": "error", "text": "the service threw Failure: the disk\\nis full", "event": "ended"}"#
            ])
    }

    @Test("A standard error stream that nobody reads stops neither the service nor its end")
    func stalledReader() async throws {
        let process = try HostedProcess("counts loads", files: ["config.toml": "text = \"a\""], stalls: true)
        try await process.output.wait(for: "serving")
        // More lines than there are threads for tasks.
        for _ in 0..<ProcessInfo.processInfo.activeProcessorCount + 2 {
            process.send(SIGHUP)
            try await process.output.wait(for: "loaded")
        }
        try process.replace("config.toml", by: "text = \"b\"")
        try await process.output.wait { $0.hasPrefix("text: \"a\"") }
        process.send(SIGTERM)
        #expect(await process.status() == 0)
        #expect(process.output.all.suffix(2) == ["closing", "closed"])
    }

    // MARK: - The format

    @Test("The user chooses the form of the lines by a variable or an option, and neither is a property")
    func format() async throws {
        let time = #/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z /#
        for (variables, arguments) in [
            (["HOSTED_LOG_FORMAT": "json"], []), (["HOSTED_LOG_FORMAT": "detailed"], ["--log-format=json"]),
        ] as [([String: String], [String])] {
            let process = try HostedProcess(
                "", arguments, files: ["config.toml": "text = \"a\""], variables: variables)
            try await process.output.wait(for: "serving")
            try process.replace("config.toml", by: "text = \"b\"")
            try await process.output.wait { $0.contains("\"event\": \"changed\"") }
            try process.replace("config.toml", by: "text = 5\nport = \"x\"")
            for _ in 0..<2 { try await process.errors.wait { $0.contains("\"event\": \"refused\"") } }
            process.send(SIGTERM)
            #expect(await process.status() == 0)
            for line in process.errors.all { _ = try JSONSerialization.jsonObject(with: Data(line.utf8)) }
        }
        let process = try HostedProcess("", ["--log-format=detailed"])
        try await process.output.wait(for: "serving")
        try process.replace("config.toml", by: "text = 5\nport = \"x\"")
        for name in ["text", "port"] {
            try await process.errors.wait {
                $0.contains(" error not reloaded: config.toml:") && $0.contains("'\(name)'")
            }
        }
        process.send(SIGTERM)
        #expect(await process.status() == 0)
        for line in process.errors.all { #expect(line.prefixMatch(of: time) != nil, "\(line)") }
    }

    @Test("The report of a start has the format, and a format that is none starts nothing")
    func formatOfStart() async throws {
        let files = ["config.toml": "text = 5"]
        let json = try HostedProcess("", ["--log-format=json"], files: files)
        #expect(await json.status() == 78)
        #expect(json.errors.all.first?.contains("\"event\": \"invalid\"") == true)
        for line in json.errors.all { _ = try JSONSerialization.jsonObject(with: Data(line.utf8)) }
        let option = try HostedProcess("", ["--log-format=xml"])
        #expect(await option.status() == 64)
        #expect(
            option.errors.all == [
                "command line --log-format: this is not a format of lines; expected text, detailed or json."
            ])
        let variable = try HostedProcess("", variables: ["HOSTED_LOG_FORMAT": "xml"])
        #expect(await variable.status() == 78)
        #expect(
            variable.errors.all == [
                "environment HOSTED_LOG_FORMAT: this is not a format of lines; expected text, detailed or json."
            ])
        let empty = try HostedProcess("body returns", variables: ["HOSTED_LOG_FORMAT": ""])
        #expect(await empty.status() == 0)
        #expect(empty.errors.all.last == "the service ended by itself")
    }

    // MARK: - The queue

    /// What a queue has written, and a gate for its thread.
    private final class Written: Sendable {
        let texts = Guarded<[String]>([])
        let gate = Signal<Void>()

        func queue() -> LogQueue {
            let queue = LogQueue("test") { count in self.texts.withLock { $0.append("\(count) dropped") } }
            queue.add(LogQueue.Line(.info, size: 0, isKept: true) { self.gate.block() })
            return queue
        }

        func line(_ level: ServiceEvent.Level, _ text: String, size: Int = 1, isKept: Bool = false) -> LogQueue.Line {
            LogQueue.Line(level, size: size, isKept: isKept) { self.texts.withLock { $0.append(text) } }
        }

        func all(of queue: LogQueue) async -> [String] {
            let end = queue.mark()
            gate.send(())
            await end.value()
            return texts.withLock { $0 }
        }
    }

    @Test("A full queue drops the latest of the least urgent lines, keeps what is never dropped, and counts")
    func fullQueue() async throws {
        let written = Written(), queue = written.queue()
        for index in 0..<LogQueue.maximumCount { queue.add(written.line(.info, "info \(index)")) }
        queue.add(written.line(.info, "late info"))
        queue.add(written.line(.warning, "warning"))
        queue.add(written.line(.error, "error"))
        queue.add(written.line(.info, "answer", isKept: true))
        let all = await written.all(of: queue)
        #expect(all.first == "info 0")
        #expect(!all.contains("late info") && !all.contains("info \(LogQueue.maximumCount - 1)"))
        #expect(all.suffix(4).sorted() == ["3 dropped", "answer", "error", "warning"], "\(all.suffix(6))")
    }

    @Test("Errors make room for no line, and a large line is written if nothing else waits")
    func sizes() async throws {
        let written = Written(), queue = written.queue(), size = LogQueue.maximumSize
        queue.add(written.line(.warning, "half", size: size / 2))
        queue.add(written.line(.error, "error", size: size / 2))
        queue.add(written.line(.warning, "no room", size: 1))
        queue.add(written.line(.error, "larger than the queue", size: size + 1))
        queue.add(written.line(.error, "second error", size: size / 2))
        let all = await written.all(of: queue)
        #expect(all.filter { !$0.hasSuffix("dropped") } == ["error", "second error"])
        queue.add(written.line(.info, "alone", size: size + 1))
        #expect(await written.all(of: queue).last == "alone")
    }

    // MARK: - Line breaks

    @Test("A line break in an error begins no line of its own", arguments: ["start", "start, --check", "reload"])
    func lineBreaks(phase: String) async throws {
        let text = #"the factory of Server threw: the network\nis down\u{1b}[2J"#
        if phase == "reload" {
            let process = try HostedProcess("unwatched remote")
            try await process.output.wait(for: "serving")
            try process.replace("away", by: "forged")
            try process.replace("unwatched.json", by: "{\"txet\": 1, \"port\": \"x\"}")
            process.send(SIGHUP)
            try await process.errors.wait { $0.hasPrefix("not reloaded: unwatched.json:1:2: ") }
            try await process.errors.wait { $0.hasPrefix("not reloaded: unwatched.json:1:21: ") }
            process.send(SIGTERM)
            #expect(await process.status() == 0)
            #expect(process.errors.others.allSatisfy { $0.hasPrefix("not reloaded: ") })
        } else {
            let process = try HostedProcess("start fails with lines", phase.hasSuffix("--check") ? ["--check"] : [])
            #expect(await process.status() == 69)
            #expect(process.errors.all == ["Server: \(text)"])
        }
    }
}
