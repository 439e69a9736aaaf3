import Foundation
import Testing

/// A log whose disk is full for a while. The limit of the size of files, in blocks of 512 bytes, stands in for the disk.
@Suite("The log of a service on a full disk", .timeLimit(.minutes(10)))
struct FullDiskTests {
    private static let script = "ulimit -S -f 1 && exec \"$0\" \"$@\" 2>>log"
    private static var loss: Regex<(Substring, Substring)> { /([0-9]+) lines? of the log dropped: File too large/ }

    /// Starts a service, and lets it reload its settings until its log is full, and ten times more.
    private func fill(_ arguments: [String] = []) async throws -> HostedProcess {
        let process = try HostedProcess("full disk", arguments, script: Self.script)
        try await process.output.wait(for: "serving")
        // Twenty lines fill the log. Its thread may lag behind the reloads.
        for _ in 0..<1000 where try process.text(of: "log").utf8.count < 512 { try await reload(process) }
        try #require(try process.text(of: "log").utf8.count == 512, "the limit of the size of files does not hold")
        for _ in 0..<10 { try await reload(process) }
        return process
    }

    private func reload(_ process: HostedProcess) async throws {
        process.send(SIGHUP)
        try await process.output.wait(for: "loaded")
    }

    @Test("No two lines are joined, and lost lines are counted when there is space again", arguments: ["text", "json"])
    func spaceAgain(format: String) async throws {
        let process = try await fill(["--log-format=\(format)"])
        try process.replace("go", by: "")
        try await process.output.wait(for: "there is space")
        for _ in 0..<2 { try await reload(process) }
        process.send(SIGTERM)
        #expect(await process.status() == 0)
        let text = try process.text(of: "log"), lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        if format == "json" {
            for line in lines.dropLast() { _ = try JSONSerialization.jsonObject(with: Data(line.utf8)) }
        } else {
            for line in lines.dropFirst().dropLast() {
                let isWhole = ["reloaded: nothing has changed", HostedProcess.stopping(SIGTERM)].contains(String(line))
                #expect(isWhole || line.wholeMatch(of: Self.loss) != nil, "\(line)")
            }
        }
        #expect(lines.last == "" && lines.first?.contains("started in ") == true)
        let lost = text.matches(of: Self.loss).compactMap { Int($0.output.1) }.reduce(0, +)
        #expect(lost > 0)
    }

    @Test("A log that the operator empties begins with a whole line")
    func emptied() async throws {
        let process = try await fill()
        // If the log is emptied while a line is being completed, the rest of the line is its beginning.
        #if os(Linux)
            try await process.waitUntilIdle()
        #endif
        try FileHandle(forWritingTo: process.folder.appending(path: "log")).truncate(atOffset: 0)
        process.send(SIGTERM)
        #expect(await process.status() == 0)
        let lines = try process.text(of: "log").split(separator: "\n")
        #expect(lines.first?.wholeMatch(of: Self.loss) != nil, "\(lines)")
        let others = lines.dropFirst().map { String($0) }.filter { $0 != "reloaded: nothing has changed" }
        #expect(others == [HostedProcess.stopping(SIGTERM)])
    }

    @Test("A disk that stays full delays no stop, and changes no status")
    func staysFull() async throws {
        let process = try await fill()
        process.send(SIGTERM)
        #expect(await process.status() == 0)
        #expect(try process.text(of: "log").utf8.count == 512)
        #expect(process.output.all.filter { $0 != "loaded" }.suffix(2) == ["closing", "closed"])
    }

    @Test("Changes that the standard output has lost are counted on the other stream, at the latest at the end")
    func output() async throws {
        let process = try HostedProcess("", files: ["config.toml": "text = \"a\""], writesTo: "/dev/full")
        try await process.errors.wait { $0.hasPrefix("started in ") }
        // The task that writes a change runs at the latest before the next reload.
        for text in ["b", "c", "d"] {
            try process.replace("config.toml", by: "text = \"\(text)\"")
            process.send(SIGHUP)
            try await process.errors.wait { $0.hasPrefix("reloaded: ") }
        }
        process.send(SIGTERM)
        #expect(await process.status() == 0)
        let last = try #require(process.errors.all.last)
        #expect(last.wholeMatch(of: /[1-3] lines? of the log dropped: No space left on device/) != nil, "\(last)")
    }

    @Test("An answer that reaches the limit of the size of files is one that could not be written")
    func answer() async throws {
        for arguments in [["--help"], ["settings", "schema"]] {
            let process = try HostedProcess("", arguments, script: "ulimit -f 1 && exec \"$0\" \"$@\" >answer")
            #expect(await process.status() == 74)
            #expect(process.errors.all == ["the standard output cannot be written: File too large"])
        }
    }
}
