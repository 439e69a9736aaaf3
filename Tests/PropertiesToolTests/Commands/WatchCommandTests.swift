import Foundation
import TestSupport
import Testing

@Suite("properties watch", .hangLimit)
struct WatchCommandTests {
    @Test("watch exits at a signal, even with very few file descriptors", arguments: [10, 16])
    func descriptors(limit: Int) async throws {
        let files = try TemporaryFolder(["w.toml": "x = 1", "input": "", "output": "", "errors": ""])
        let process = try ToolRun.process(
            ["watch", "w.toml"], in: files, through: "ulimit -n \(limit); exec \"$0\" \"$@\"")
        async let end: Void = process.runToEnd()
        defer { if process.isRunning { process.terminate() } }
        try await files.wait(for: "watching 1 property; ", in: "output")
        process.terminate()
        try await end
        #expect(process.terminationStatus == 0)
    }

    @Test("watch prints times and problems, checks with --schema, and says when the files are valid again")
    func health() async throws {
        let files = try TemporaryFolder([
            "w.toml": "x = 1", "input": "", "output": "", "errors": "",
            "schema.json": #"{"properties": {"x": {"type": "integer"}}}"#,
        ])
        let process = try ToolRun.process(["watch", "w.toml", "--schema", "schema.json"], in: files)
        async let end: Void = process.runToEnd()
        defer { if process.isRunning { process.terminate() } }
        try await files.wait(for: "watching 1 property; ", in: "output")
        try files.replace("w.toml", by: "x = ")
        try await files.wait(for: "w.toml:1:5: error: a value is missing", in: "errors")
        try files.replace("w.toml", by: "x = true")
        try await files.wait(for: "w.toml:1:5: error: 'x' is the boolean true; expected an integer.", in: "errors")
        try files.replace("w.toml", by: "x = 2")
        try await files.wait(for: "the sources are valid again", in: "errors")
        try await files.wait(for: "x: true → 2 (w.toml:1:5)", in: "output")
        process.terminate()
        try await end
        let lines = try files.text(of: "output").split(separator: "\n").dropFirst()
        #expect(lines.allSatisfy { $0.prefixMatch(of: #/[0-2][0-9]:[0-5][0-9]:[0-6][0-9] x: /#) != nil })
    }
}
