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
}
