import Foundation
import Testing

@Suite("A run that returns its status", .timeLimit(.minutes(10)))
struct RunUntilStoppedTests {
    @Test("A signal ends the run and not the process, twice, and then the signal has its own handler again")
    func signals() async throws {
        let process = try HostedProcess("returns a status")
        for _ in 0..<2 {
            try await process.output.wait(for: "serving")
            process.send(SIGTERM)
            try await process.output.wait(for: "status 0")
        }
        try await process.output.wait(for: "waiting")
        process.send(SIGTERM)
        #expect(await process.status() == -SIGTERM)
        #expect(process.errors.all.count { $0.hasPrefix("stopping: SIGTERM") } == 2)
    }

    @Test("It answers, and refuses, as run does", arguments: answers.indices)
    func answer(index: Int) async throws {
        #expect(Self.answers.count == 8)
        let (arguments, status, line) = Self.answers[index]
        let process = try HostedProcess("returns a status", arguments)
        try await process.output.wait(for: "waiting")
        process.send(SIGTERM)
        #expect(await process.status() == -SIGTERM)
        #expect(process.output.all.count { $0 == "status \(status)" } == 2, "\(process.output.text)")
        let all = process.output.all + process.errors.all
        #expect(all.count { $0.contains(line) } == 2, "\(process.output.text) \(process.errors.text)")
    }

    private static let answers: [(arguments: [String], status: Int32, line: String)] = [
        (["--check"], 0, "The configuration is valid, and all services can be built."),
        (["--check", "--port=http"], 64, "'port' is the text \"http\""),
        (["settings", "check"], 0, "The settings are valid."),
        (["settings", "explain", "port"], 0, "Where clients connect"),
        (["--help"], 0, "usage: HostedService [OPTION …]"),
        (["--version"], 0, "HostedService (unknown version)"),
        (["--chekc"], 64, "Did you mean --check?"),
        (["--port=70000"], 64, "'port' is the text \"70000\""),
    ]
}
