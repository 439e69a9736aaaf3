import Foundation
import Testing

@Suite("A service with a .env file that other programs read, too", .timeLimit(.minutes(10)))
struct SharedDotEnvTests {
    private static let compose = "DOMAIN=example.com\nCOMPOSE_PROJECT_NAME=shop\nPOSTGRES_PASSWORD=t0ps3cret\nEMPTY=\n"
    private static let warning =
        ".env:5:1: PROT is ignored, because nothing has this name. Did you mean PORT?"

    private func process(_ arguments: [String], _ more: String = "PROT=81\n") throws -> HostedProcess {
        try HostedProcess("shared dotenv", arguments, files: [".env": Self.compose + more])
    }

    @Test("It starts, warns about a similar name, and reloads")
    func start() async throws {
        let process = try process([])
        try await process.errors.wait(for: "warning: \(Self.warning)")
        try await process.output.wait(for: "serving")
        try process.replace(".env", by: Self.compose + "TEXT=Good evening\nOTHER=t0ps3cret\n")
        process.send(SIGHUP)
        try await process.output.wait(for: #"text: "Hello" (default) → "Good evening" (.env:5:6)"#)
        process.send(SIGTERM)
        #expect(await process.status() == 0)
        let all = process.output.text + process.errors.text
        #expect(!all.contains("t0ps3cret") && !all.contains("example.com"))
    }

    @Test("No command refuses the names, and none shows their values", arguments: 0..<6)
    func commands(index: Int) async throws {
        let commands: [[String]] = [
            ["--check"], ["--check", "--json"], ["settings", "check"], ["settings", "dump"],
            ["settings", "explain", "postgres_password"], ["settings", "explain", "domain"],
        ]
        let process = try process(commands[index])
        #expect(await process.status() == 0)
        let all = process.output.text + process.errors.text
        #expect(!all.contains("t0ps3cret") && !all.contains("example.com"), "\(all)")
        #expect(all.contains("PROT is ignored") == (index < 3), "\(all)")
    }
}
