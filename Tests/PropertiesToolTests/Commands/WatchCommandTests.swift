import Foundation
import TestSupport
import Testing

@Suite("properties watch", .hangLimit)
struct WatchCommandTests {
    @Test("watch exits at a signal, even with very few file descriptors", arguments: 8...16)
    func descriptors(limit: Int) async throws {
        let files = try TemporaryFolder(["w.toml": "x = 1", "input": "", "output": "", "errors": ""])
        let process = try ToolRun.process(
            ["watch", "w.toml"], in: files, through: "ulimit -n \(limit); exec \"$0\" \"$@\"")
        async let end: Void = process.runToEnd()
        defer { if process.isRunning { process.terminate() } }
        try await files.wait(for: "watching 1 property; ", in: "output")
        try await Task.sleep(for: .milliseconds(300))
        process.terminate()
        try await end
        #expect(process.terminationStatus == 0)
        #expect(try files.text(of: "errors") == "")
    }
}

#if os(Linux)
    /// Whether this process may create a mount namespace and mount file systems in it.
    private let canMount: Bool = {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = ["unshare", "--mount", "true"]
        process.standardError = FileHandle.nullDevice
        guard (try? process.run()) != nil else { return false }
        process.waitUntilExit()
        return process.terminationStatus == 0
    }()

    @Suite("properties watch over mounts", .enabled(if: canMount), .hangLimit)
    struct WatchMountTests {
        /// Runs a script that starts the tool, in a mount namespace of its own.
        private func run(_ script: String, in files: TemporaryFolder) throws -> Process {
            let process = try ToolRun.process(
                ["watch", "w.toml"], in: files,
                through: "exec unshare --mount sh -ec '\(script)' \"$0\" \"$@\"")
            try process.run()
            return process
        }

        @Test("A change of a file that is itself a mount point is noticed")
        func mountedFile() async throws {
            let files = try TemporaryFolder([
                "w.toml": "", "elsewhere.toml": "x = 1", "input": "", "output": "", "errors": "",
            ])
            let process = try run("mount --bind elsewhere.toml w.toml; exec \"$0\" \"$@\"", in: files)
            defer { process.terminate() }
            try await files.wait(for: "watching 1 property; ", in: "output")
            try Data("x = 2".utf8).write(to: files.url.appendingPathComponent("elsewhere.toml"))
            try await files.wait(for: "x: 1 → 2", in: "output")
        }

        @Test(
            "A new mount over a file or over its directory is noticed, and so are changes after it",
            arguments: ["d/w.toml", "d"])
        func mountedLater(over target: String) async throws {
            let files = try TemporaryFolder(["w.toml": "", "input": "", "output": "", "errors": ""])
            for directory in ["d", "e"] {
                let url = files.url.appendingPathComponent(directory)
                try FileManager.default.createDirectory(at: url, withIntermediateDirectories: false)
                try Data("x = \(directory == "d" ? 1 : 2)".utf8).write(to: url.appendingPathComponent("w.toml"))
            }
            let source = target.replacingOccurrences(of: "d", with: "e", options: .anchored)
            let process = try run(
                """
                "$0" watch d/w.toml & child=$!; trap "kill $child" TERM
                until grep -q watching output; do sleep 0.1; done
                mount --bind \(source) \(target); wait
                """, in: files)
            defer { process.terminate() }
            try await files.wait(for: "x: 1 → 2", in: "output")
            try Data("x = 3".utf8).write(to: files.url.appendingPathComponent("e/w.toml"))
            try await files.wait(for: "x: 2 → 3", in: "output")
        }
    }
#endif
